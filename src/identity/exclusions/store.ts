// The SQL of time-outs and self-exclusions, which are columns of the customer.

import { locking, writing } from '../../platform/database/database.ts'
import { bigint, orNull, type RowOf, table } from '../../platform/database/table-store.ts'

/** `play_from` of a self-exclusion until the customer requests to return: later than any time. */
export const UNTIL_RETURN = Number.MAX_SAFE_INTEGER

export const exclusions = table('customer', {
  /** The customer neither logs in nor deposits before. */
  play_from: bigint,
  timed_out_until: orNull(bigint),
  excluded_at: orNull(bigint),
  excluded_until: orNull(bigint),
})
export type ExclusionRow = RowOf<typeof exclusions>

export const lockExclusion = locking<{ id: number }, ExclusionRow>('lockExclusion')`
  select ${exclusions.columns()} from customer where id = :id for no key update`

export const setTimeOut = writing<{ id: number; until: number }>('setTimeOut')`
  update customer set timed_out_until = :until, play_from = :until where id = :id`

export const setExclusion = writing<{ id: number; until: number; now: number }>('setExclusion')`
  update customer set excluded_at = :now, excluded_until = :until, play_from = ${UNTIL_RETURN} where id = :id`

export const setReturn = writing<{ id: number; from: number }>('setReturn')`
  update customer set play_from = :from where id = :id`
