import { reading, type Statement } from '../../platform/database/database.ts'

/** Reads one day: from its first millisecond up to, but not including, `until`. */
export type DayStatement<Row> = Statement<{ from: number; until: number }, Row>

/**
 * Counts one day at a time: 2 million rows take 500 ms to count, and the embedded database would serve no other request meanwhile.
 * Both ends are given, so that PostgreSQL expects a part of the table and reads it by the index on `time`.
 */
function countOnDay(name: string, table: string, time: string, condition = 'true'): DayStatement<{ count: number }> {
  return reading(
    name,
    `select count(*) as count from ${table} where ${time} >= :from and ${time} < :until and ${condition}`,
  )
}

export const followsOnDay = countOnDay('followsOnDay', 'follow', 'created_at', 'shown = 1')
export const newProfilesOnDay = countOnDay('newProfilesOnDay', 'profile', 'created_at')
export const tipsOnDay = countOnDay('tipsOnDay', 'comment', 'created_at')
export const likesOnDay = countOnDay('likesOnDay', 'comment_like', 'created_at')
export const flagsOnDay = countOnDay('flagsOnDay', 'flag', 'created_at')
export const decisionsOnDay = countOnDay('decisionsOnDay', 'decision', 'at')

/** `outcome` is the fault of a refused deposit, `voided` where an operator voided it, else `approved`. */
export type DepositsRow = { currency: string; outcome: string; count: number; amount: string }

/** Leaves out deposits that are still being authorised. */
export const depositsOnDay: DayStatement<DepositsRow> = reading('depositsOnDay')`
  select currency, case when fault is not null then fault when state = 'VOIDED' then 'voided' else 'approved' end
    as outcome, count(*) as count, cast(sum(amount) as text) as amount
  from deposit where created_at >= :from and created_at < :until and state not in ('AUTHORISING', 'CHALLENGE') group by 1, 2`
