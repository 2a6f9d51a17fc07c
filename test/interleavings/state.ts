// What is stored of a customer's money, in words without ids, so that two customers can be compared.

import type { Customer } from './customer.ts'

const DEPOSIT = (alias: string) =>
  `coalesce(split_part((select k.idempotency_key from deposit k where k.id = ${alias}.deposit_id), '-', 2), 'winnings')`
const WITHDRAWAL = (alias: string) =>
  `coalesce(split_part((select k.idempotency_key from withdrawal k where k.id = ${alias}.withdrawal_id), '-', 2), 'outside')`
const CARD = (column: string) => `'card ' || (${column} - $1 * 10)`

/** Each selects the words of some rows. */
const FACTS = [
  `select concat_ws(' ', 'customer', status, currency, 'plays from', play_from) from customer where id = $1`,
  `select concat_ws(' ', 'account', kind, currency, balance) from account where customer_id = $1`,
  `select concat_ws(' ', ${CARD('id')}, token, 'wrong cv2', wrong_cv2, first_name, case when removed_at is not null then 'removed' end,
     case when closed_at is not null then 'closed' end, case when account_closed_at is not null then 'account closed' end)
   from payment_method where customer_id = $1`,
  `select concat_ws(' ', 'deposit', split_part(idempotency_key, '-', 2), ${CARD('payment_method_id')}, state, amount, 'captured', captured,
     review, fault, case return_refused when 1 then 'returns refused' end) from deposit where customer_id = $1`,
  `select concat_ws(' ', 'refund', ${DEPOSIT('r')}, origin, state, amount, 'debited', debited, 'paid', paid, 'returned', returned,
     'kept back', kept_back, review, 'approval', needs_approval, approved_by, case when begun_at is not null then 'begun' end)
   from refund r where customer_id = $1`,
  `select concat_ws(' ', 'withdrawal', coalesce(split_part(idempotency_key, '-', 2), 'outside'), ${CARD('payment_method_id')}, state,
     amount, 'approvals', approvals, approved_by, approved_again_by, 'hold', hold, held_by) from withdrawal where customer_id = $1`,
  `select concat_ws(' ', 'part', ${WITHDRAWAL('p')}, kind, ${DEPOSIT('p')}, state, amount, 'paid', paid, 'returned', returned, 'kept back',
     kept_back, review, case freed when 1 then 'freed' end, case when begun_at is not null then 'begun' end)
   from withdrawal_part p where customer_id = $1`,
  `select concat_ws(' ', 'dispute', ${DEPOSIT('x')}, state, amount, 'charged', charged, 'debited', debited, 'house', house, evidence,
     case when ended_at is not null then 'ended' end) from dispute x where customer_id = $1`,
  `select concat_ws(' ', 'transfer', t.kind, t.amount) from account a join transfer t on t.customer_account_id = a.id
   where a.customer_id = $1`,
  `select concat_ws(' ', 'transfer', t.kind, t.amount, 'debt') from account a join transfer t on t.debt_account_id = a.id
   where a.customer_id = $1`,
  `select concat_ws(' ', 'job', j.kind, ${DEPOSIT('j')}) from job j join deposit d on d.id = j.deposit_id where d.customer_id = $1`,
  `select concat_ws(' ', 'job', j.kind, r.amount) from job j join refund r on r.id = j.refund_id where r.customer_id = $1`,
  `select concat_ws(' ', 'job', j.kind, p.kind, p.amount) from job j join withdrawal_part p on p.id = j.part_id where p.customer_id = $1`,
  `select concat_ws(' ', 'notification', event, success, outcome, contradiction) from gateway_notification
   where notification_key >= $1 || '-' and notification_key < $1 || '.'`,
  `select concat_ws(' ', 'event', kind) from new_event where customer_id = $1`,
  `select concat_ws(' ', 'proposal', terms, by_name) from money_proposal`,
]

const STATE = `select fact from (${FACTS.join('\n union all ').replaceAll('$1', '$1::bigint')}) as facts (fact) order by fact collate "C"`

/** Sorted lines. */
export async function readState({ world: { control }, id }: Customer): Promise<string[]> {
  const { rows } = await control.query({ name: 'state', text: STATE, values: [id] })
  return rows.map(({ fact }) => fact as string)
}

const GOT = `select 'card ' || (m.id - $1::bigint * 10) || ' got ' || got.amount || ', more than what it paid in and winnings, ' || most.amount as fact
  from payment_method m
  cross join lateral (select
      coalesce((select sum(p.amount - p.returned) from withdrawal w join withdrawal_part p on p.withdrawal_id = w.id
        where w.payment_method_id = m.id and p.freed = 0), 0)
      + coalesce((select sum(r.amount - r.returned) from deposit d join refund r on r.deposit_id = d.id
        where d.payment_method_id = m.id and r.origin = 'operator'), 0) as amount) got
  cross join lateral (select
      coalesce((select sum(d.amount) from deposit d where d.payment_method_id = m.id and d.captured_at is not null), 0)
      + coalesce((select sum(v.amount) from movement v where v.customer_id = $1::bigint and v.kind = 'winnings'), 0) as amount) most
  where m.customer_id = $1::bigint and got.amount > most.amount`

/** Cards that got, or are to get, more than they paid in and the customer has won. */
export async function overpaidCards({ world: { control }, id }: Customer): Promise<string[]> {
  const { rows } = await control.query({ name: 'got', text: GOT, values: [id] })
  return rows.map(({ fact }) => fact as string)
}
