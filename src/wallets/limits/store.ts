// The SQL of the limits that customers set for their own deposits. Whoever writes or enforces one has locked the customer.

import { reading, writing } from '../../platform/database/database.ts'
import { PERIODS, type Period, periodsAt } from '../periods.ts'
import { COUNTED_STATES } from './deposit-facts-store.ts'

export type LimitRow = {
  period: Period
  amount: string
  pending_since: number | null
  /** null, with pending_since: no limit. */
  pending_amount: string | null
  /** Deposits of the period that have not failed, undecided ones too. */
  used: string
}

const bound = (which: 'From' | 'Until') =>
  `case l.period ${PERIODS.map((period) => `when '${period}' then cast(:${period}${which} as integer)`).join(' ')} end`

type PeriodBounds = { readonly [Name in `${Period}${'From' | 'Until'}`]: number }

/** The parameters for the periods in which the time is. */
export function periodBounds(time: number): PeriodBounds {
  const { day, week, month } = periodsAt(time)
  return {
    ...{ dayFrom: day.from, dayUntil: day.until, weekFrom: week.from, weekUntil: week.until },
    ...{ monthFrom: month.from, monthUntil: month.until },
  }
}

/** The limits in force with what counts against each: day, week, month. */
export const limitsOf = reading<{ customerId: number } & PeriodBounds, LimitRow>('limitsOf')`
  select l.period, cast(l.amount as text) as amount, l.pending_since, cast(l.pending_amount as text) as pending_amount,
    (select cast(coalesce(sum(d.amount), 0) as text) from deposit d
     where d.customer_id = l.customer_id and d.day >= ${bound('From')} and d.day < ${bound('Until')}
       and d.currency = c.currency and d.state in (${COUNTED_STATES})) as used
  from customer_limit l join customer c on c.id = l.customer_id where l.customer_id = :customerId
  order by case l.period when 'day' then 1 when 'week' then 2 else 3 end`

export const promptedAt = reading<{ customerId: number }, { limits_prompted_at: number | null }>('promptedAt')`
  select limits_prompted_at from customer where id = :customerId`

export const notePrompt = writing<{ customerId: number; now: number }>('notePrompt')`
  update customer set limits_prompted_at = :now where id = :customerId and limits_prompted_at is null`

type LimitKey = { customerId: number; period: Period }

/** New or not higher: in force at once, in place of what was pending. */
export const setLimitNow = writing<LimitKey & { amount: bigint; now: number }>('setLimitNow')`
  insert into customer_limit (customer_id, period, amount, changed_at) values (:customerId, :period, :amount, :now)
  on conflict (customer_id, period) do update set amount = excluded.amount, changed_at = excluded.changed_at,
    pending_since = null, pending_amount = null`

/** `amount` null: no limit. */
export const requestLimit = writing<LimitKey & { amount: bigint | null; now: number }>('requestLimit')`
  update customer_limit set pending_since = :now, pending_amount = cast(:amount as bigint)
  where customer_id = :customerId and period = :period`

export const deleteLimit = writing<LimitKey>('deleteLimit')`
  delete from customer_limit where customer_id = :customerId and period = :period`

export const erasePendingLimits = writing<{ customerId: number }>('erasePendingLimits')`
  update customer_limit set pending_since = null, pending_amount = null
  where customer_id = :customerId and pending_since is not null`
