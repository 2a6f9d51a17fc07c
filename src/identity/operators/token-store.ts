import { type NoParameters, reading, writing } from '../../platform/database/database.ts'
import type { Column, ParametersOf, RowOf } from '../../platform/database/table-store.ts'
import { bigint, orNull, table, text } from '../../platform/database/table-store.ts'
import type { TokenRole } from './operator.ts'

export const tokenTable = table('operator_token', {
  id: bigint,
  name: text,
  role: text as Column<TokenRole>,
  token_hash: text,
  /** Who is responsible for it; null: nobody was named. */
  owner: orNull(text),
  /** null: by an earlier version. */
  created_by: orNull(text),
  /** null: it counts as its owner. */
  created_by_person: orNull(text),
  created_at: bigint,
  expires_at: orNull(bigint),
  last_used_at: orNull(bigint),
  revoked_at: orNull(bigint),
})

const tokens = tokenTable.omit('token_hash')
export type TokenRow = RowOf<typeof tokens>
const TOKEN = tokens.columns()

export const liveTokenByHash = reading<{ tokenHash: string; now: number }, TokenRow>('liveTokenByHash')`
  select ${TOKEN} from operator_token
  where token_hash = :tokenHash and revoked_at is null and (expires_at is null or expires_at > :now)`

/** Several requests at once may find the same earlier use: one of them writes. */
export const setTokenUsed = writing<{ id: number; now: number; usedBefore: number }>('setTokenUsed')`
  update operator_token set last_used_at = :now where id = :id and (last_used_at is null or last_used_at <= :usedBefore)`

/** Bounded: operators create tokens one by one. */
export const allTokens = reading<NoParameters, TokenRow>('allTokens')`select ${TOKEN} from operator_token order by id`

const newTokens = tokenTable.omit('id, last_used_at, revoked_at')
/** Throws UniqueViolation when a token that is not revoked has the name. */
export const insertToken = writing<ParametersOf<typeof newTokens>, { id: number }>('insertToken')`
  ${newTokens.insert()} returning id`

export const setTokenRevoked = writing<{ id: number; now: number }>('setTokenRevoked')`
  update operator_token set revoked_at = :now where id = :id and revoked_at is null`
