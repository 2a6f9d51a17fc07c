// The SQL of what may go out to which card (closed-loop.ts). The customer's row must be locked by a statement before.

import { reading } from '../platform/database/database.ts'

type Of = { customerId: number; currency: string }

export type LoopCardRow = {
  id: number
  expiry_date: string
  /** 0: closed or removed. */
  card_open: number
  captured: string
  /** Refunded, or charged back. */
  returned: string
  /** Also what is on its way. */
  paid_out: string
  /** Numbers of its first and last captured deposit; null: none. */
  first_used: number | null
  last_used: number | null
}

/** Without a limit: customers have few cards, and the sums are of their own deposits. */
export const loopCards = reading<Of, LoopCardRow>('loopCards')`
  select m.id, m.expiry_date, case when m.removed_at is null and m.closed_at is null then 1 else 0 end as card_open,
    cast(coalesce(sum(d.amount), 0) as text) as captured, min(d.number) as first_used, max(d.number) as last_used,
    cast((select coalesce(sum(r.amount), 0) from refund r join deposit of_refund on of_refund.id = r.deposit_id
        where r.customer_id = :customerId and r.state <> 'FAILED' and of_refund.payment_method_id = m.id)
      + (select coalesce(sum(p.debited), 0) from dispute p join deposit of_dispute on of_dispute.id = p.deposit_id
        where p.customer_id = :customerId and of_dispute.payment_method_id = m.id) as text) as returned,
    cast((select coalesce(sum(w.amount), 0) from withdrawal w where w.customer_id = :customerId
        and w.payment_method_id = m.id and w.currency = :currency and w.state not in ('RETURNED', 'REFUSED')) as text) as paid_out
  from payment_method m left join deposit d on d.customer_id = :customerId and d.payment_method_id = m.id
    and d.state = 'CAPTURED' and d.currency = :currency
  where m.customer_id = :customerId
  group by m.id, m.expiry_date, m.removed_at, m.closed_at`

/** `uncaptured`: credited, while it is not certain that the gateway has the money. `today`: withdrawn since `since`. */
export const withdrawable = reading<Of & { since: number }, { uncaptured: string; today: string }>('withdrawable')`
  select
    (select cast(coalesce(sum(amount), 0) as text) from deposit where customer_id = :customerId and currency = :currency
      and (state = 'AUTHORISED' or (state = 'REVIEW' and review like 'capture-%'))) as uncaptured,
    (select cast(coalesce(sum(amount), 0) as text) from withdrawal where customer_id = :customerId and currency = :currency
      and created_at >= :since and state not in ('RETURNED', 'REFUSED')) as today`
