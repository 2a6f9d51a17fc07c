import { type Database, UniqueViolation } from '../database/database.ts'
import { isPersonName } from '../operator-access/console-sessions.ts'
import { ROLES, type Role } from '../operator-access/roles.ts'
import { allTokens, insertToken, revokeToken, type TokenRow } from '../review/store.ts'
import { hashOf, randomSecret } from '../runtime/secrets.ts'
import { RESERVED_NAMES } from './frame/credentials.ts'
import { type OperatorOperation, object, operatorOperation, text } from './frame/operation.ts'
import { wholeList } from './frame/pages.ts'
import { conflict, notFound, notValid } from './frame/problem.ts'

type TokenBody = { name: string; role: Role; owner?: string; expiresAt?: string }

export const tokenOperations: OperatorOperation[] = [
  operatorOperation<TokenBody>({
    name: 'createToken',
    summary: 'A new operator token, shown this once; without expiresAt it is valid until it is revoked',
    method: 'POST',
    path: '/tokens',
    role: 'admin',
    body: object(
      {
        name: text(1, 100),
        role: { type: 'string', enum: ROLES },
        owner: { ...text(1, 100), description: 'who answers for it' },
        expiresAt: { type: 'string', format: 'date-time' },
      },
      ['name', 'role'],
    ),
    async handle({ database, now }, { body, trail }) {
      const { name, role, owner = null } = body
      const expiresAt = body.expiresAt === undefined ? null : Date.parse(body.expiresAt)
      if (expiresAt !== null && expiresAt <= now()) {
        throw notValid([{ pointer: '/expiresAt', detail: 'must be a time to come' }])
      }
      const made = await createToken(database, { name, role, owner, expiresAt }, now(), trail.note)
      if (made === 'taken') {
        throw conflict(`The name "${name}" is taken, and the audit trail tells operators apart by name: use another.`)
      }
      return { status: 201, body: { id: made.id, name, role, owner, expiresAt: isoTime(expiresAt), token: made.token } }
    },
  }),
  operatorOperation({
    name: 'listTokens',
    summary: 'All operator tokens ever made, without what they open with; the bootstrap token is in the settings',
    method: 'GET',
    path: '/tokens',
    role: 'admin',
    handle: async ({ database }) => ({
      status: 200,
      body: wholeList((await database.query(allTokens, {})).map(toToken)),
    }),
  }),
  operatorOperation({
    name: 'revokeToken',
    summary: 'Revoke a token, at once',
    method: 'DELETE',
    path: '/tokens/{id}',
    role: 'admin',
    async handle({ database, now }, { path }) {
      if ((await database.run(revokeToken, { id: Number(path.id), now: now() })) === 0)
        throw notFound('live token with this id')
      return { status: 204 }
    },
  }),
]

export type NewToken = { name: string; role: Role; owner: string | null; expiresAt: number | null }

/** `taken`: a token that is not revoked has this name, or it means somebody else. `noteId` is called before the commit. */
export async function createToken(
  database: Database,
  { name, role, owner, expiresAt }: NewToken,
  now: number,
  noteId: (id: string) => void,
): Promise<{ id: string; token: string } | 'taken'> {
  if (RESERVED_NAMES.includes(name) || isPersonName(name)) return 'taken'
  const token = randomSecret()
  try {
    const id = await database.transaction(async (transaction) => {
      const row = await transaction.one(insertToken, { name, role, tokenHash: hashOf(token), now, owner, expiresAt })
      noteId(`${row?.id}`)
      return `${row?.id}`
    })
    return { id, token }
  } catch (error) {
    if (error instanceof UniqueViolation) return 'taken'
    throw error
  }
}

function toToken(row: TokenRow) {
  return {
    id: String(row.id),
    name: row.name,
    role: row.role,
    owner: row.owner,
    createdAt: isoTime(row.created_at),
    expiresAt: isoTime(row.expires_at),
    lastUsedAt: isoTime(row.last_used_at),
    revokedAt: isoTime(row.revoked_at),
  }
}

function isoTime(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString()
}
