import { type NoParameters, reading, writing } from '../../platform/database/database.ts'
import type { TokenRole } from './operator.ts'

export type TokenRow = {
  id: number
  name: string
  role: TokenRole
  /** Who is responsible for it; null: nobody was named. */
  owner: string | null
  /** null: by an earlier version. */
  created_by: string | null
  /** null: it counts as its owner. */
  created_by_person: string | null
  created_at: number
  expires_at: number | null
  last_used_at: number | null
  revoked_at: number | null
}

const TOKEN = 'id, name, role, owner, created_by, created_by_person, created_at, expires_at, last_used_at, revoked_at'

export const liveTokenByHash = reading<{ tokenHash: string; now: number }, TokenRow>('liveTokenByHash')`
  select ${TOKEN} from operator_token
  where token_hash = :tokenHash and revoked_at is null and (expires_at is null or expires_at > :now)`

/** Several requests at once may find the same earlier use: one of them writes. */
export const setTokenUsed = writing<{ id: number; now: number; usedBefore: number }>('setTokenUsed')`
  update operator_token set last_used_at = :now where id = :id and (last_used_at is null or last_used_at <= :usedBefore)`

/** Bounded: operators create tokens one by one. */
export const allTokens = reading<NoParameters, TokenRow>('allTokens')`select ${TOKEN} from operator_token order by id`

/** Throws UniqueViolation when a token that is not revoked has the name. */
export const insertToken = writing<
  {
    name: string
    role: TokenRole
    tokenHash: string
    now: number
    owner: string | null
    createdBy: string
    createdByPerson: string | null
    expiresAt: number | null
  },
  { id: number }
>('insertToken')`
  insert into operator_token (name, role, token_hash, created_at, owner, created_by, created_by_person, expires_at)
  values (:name, :role, :tokenHash, :now, :owner, :createdBy, :createdByPerson, :expiresAt) returning id`

export const setTokenRevoked = writing<{ id: number; now: number }>('setTokenRevoked')`
  update operator_token set revoked_at = :now where id = :id and revoked_at is null`
