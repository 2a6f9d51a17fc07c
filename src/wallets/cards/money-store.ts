// What each card of a customer paid in, and what it got back.

import { reading } from '../../platform/database/database.ts'

export type CardMoneyRow = {
  id: number
  created_at: number
  /** Captured deposits. */
  paid_in: string
  /** Refunds, among them the returns of withdrawals, and payouts: what has arrived. */
  paid_out: string
}

/** Along the customer's deposits, refunds and parts, each by an index of the customer. */
export const cardMoney = reading<{ customerId: number }, CardMoneyRow>('cardMoney')`
  select m.id, m.created_at,
    (select cast(coalesce(sum(d.captured), 0) as text) from deposit d
      where d.customer_id = m.customer_id and d.payment_method_id = m.id and d.currency = c.currency) as paid_in,
    (select cast(coalesce(sum(o.paid), 0) as text) from (
      select r.paid, r.currency from refund r join deposit d on d.id = r.deposit_id
        where r.customer_id = m.customer_id and d.payment_method_id = m.id
      union all
      select p.paid, p.currency from withdrawal_part p join withdrawal w on w.id = p.withdrawal_id
        where p.customer_id = m.customer_id and p.kind = 'payout' and w.payment_method_id = m.id) o
      where o.currency = c.currency) as paid_out
  from payment_method m join customer c on c.id = m.customer_id where m.customer_id = :customerId order by m.id`
