import type { Role } from '../../platform/config/roles.ts'
import type { Context } from '../../platform/context.ts'
import { type Database, UniqueViolation } from '../../platform/database/database.ts'
import { hashOf, randomSecret } from '../../platform/runtime/secrets.ts'
import { isReservedName, type Operator } from './operator.ts'
import { creatorOf, personOfToken } from './person.ts'
import { allTokens, insertToken, liveTokenByHash, setTokenRevoked, setTokenUsed, type TokenRow } from './token-store.ts'

/** The last use of a token is known to the minute: a token in use costs one small write a minute, not one per request. */
const RECORD_USE_EVERY_MS = 60_000

/** null: the token is unknown, expired or revoked. */
export async function operatorByToken(
  { database, now }: Pick<Context, 'database' | 'now'>,
  token: string,
): Promise<Operator | null> {
  const time = now()
  const row = await database.one(liveTokenByHash, { tokenHash: hashOf(token), now: time })
  if (row === undefined) return null
  const usedBefore = time - RECORD_USE_EVERY_MS
  if ((row.last_used_at ?? 0) <= usedBefore) await database.run(setTokenUsed, { id: row.id, now: time, usedBefore })
  return { name: row.name, role: row.role, person: personOfToken(row) }
}

type NewToken = { name: string; role: Role; owner: string | null; expiresAt: number | null; by: Operator }

/**
 * `taken`: a token that is not revoked has this name, or the name is reserved. `beforeCommit` gets the new id, for the
 * entry that the transaction ends with.
 */
export async function createToken(
  database: Database,
  { name, role, owner, expiresAt, by }: NewToken,
  now: number,
  beforeCommit: (id: string) => void,
): Promise<{ id: string; token: string } | 'taken'> {
  if (isReservedName(name)) return 'taken'
  const token = randomSecret()
  try {
    const id = await database.transaction(async (transaction) => {
      const terms = { name, role, token_hash: hashOf(token), created_at: now, owner, expires_at: expiresAt }
      const creator = { created_by: by.name, created_by_person: creatorOf(by) }
      const row = await transaction.one(insertToken, { ...terms, ...creator })
      beforeCommit(`${row?.id}`)
      return `${row?.id}`
    })
    return { id, token }
  } catch (error) {
    if (error instanceof UniqueViolation) return 'taken'
    throw error
  }
}

export function listTokens(database: Database): Promise<TokenRow[]> {
  return database.query(allTokens, {})
}

/** false: there is no such token, or it is revoked already. */
export async function revokeToken(database: Database, id: number, now: number): Promise<boolean> {
  return (await database.run(setTokenRevoked, { id, now })) === 1
}
