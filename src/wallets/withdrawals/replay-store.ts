// The SQL of the replay of withdrawals from before they had parts.

import { locking, type NoParameters, reading, writing } from '../../platform/database/database.ts'
import type { WithdrawalState } from './store.ts'

export const nextToReplay = reading<NoParameters, { customer_id: number }>('nextToReplay')`
  select customer_id from withdrawal where parts_due = 1 order by customer_id limit 1`

export const lockReplayed = locking<{ customerId: number }, { id: number }>('lockReplayed')`
  select id from customer where id = :customerId for no key update`

type Terms = { at: number; amount: string; currency: string; method_id: number | null }
/** The withdrawal's columns are null for the others. */
export type MoneyStep = Terms & { kind: 'captured' | 'returned'; deposit_id: string }
export type WithdrawalStep = Terms & {
  kind: 'withdrawal'
  number: number
  reference: string
  gateway: string
  state: WithdrawalState
  review: 'payout-unresolved' | 'paid-after-return' | 'returned-after-paid' | null
  gateway_reference: string | null
  changed_at: number
}

const NO_WITHDRAWAL = `cast(null as text) as reference, cast(null as text) as gateway, cast(null as text) as state, cast(null as text) as review,
  cast(null as text) as gateway_reference, cast(0 as bigint) as changed_at`

/**
 * What a customer's cards paid in, what has gone back to them for good, and the withdrawals to be replayed, in the order of time. At the
 * same time in the order of their kinds, which is that of the alphabet.
 */
export const stepsOfCustomer = reading<{ customerId: number }, MoneyStep | WithdrawalStep>('stepsOfCustomer')`
  select 'captured' as kind, coalesce(d.captured_at, d.created_at) as at, d.number, cast(d.captured as text) as amount, d.currency, d.payment_method_id as method_id,
    d.id as deposit_id, ${NO_WITHDRAWAL} from deposit d where d.customer_id = :customerId and d.state = 'CAPTURED'
  union all
  select 'returned', r.created_at, r.id, cast(r.amount - r.returned as text), r.currency, null, r.deposit_id, ${NO_WITHDRAWAL}
    from refund r where r.customer_id = :customerId and r.amount > r.returned
  union all
  select 'returned', x.created_at, x.id, cast(x.charged as text), x.currency, null, x.deposit_id, ${NO_WITHDRAWAL}
    from dispute x where x.customer_id = :customerId and x.charged > 0
  union all
  select 'withdrawal', w.created_at, w.id, cast(w.amount as text), w.currency, w.payment_method_id, null, w.reference, w.gateway, w.state,
    b.review, b.gateway_reference, w.changed_at
    from withdrawal w join payout_before_parts b on b.withdrawal_id = w.id where w.customer_id = :customerId and w.parts_due = 1
  order by 2, 1, 3`

export const markReplayed = writing<{ customerId: number }>('markReplayed')`
  update withdrawal set parts_due = 0 where customer_id = :customerId and parts_due = 1`

export const deleteReplayed = writing<{ customerId: number }>('deleteReplayed')`
  delete from payout_before_parts where withdrawal_id in (select id from withdrawal where customer_id = :customerId and parts_due = 1)`
