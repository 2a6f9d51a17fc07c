// The SQL of the ledger's check, page by page.

import { reading } from '../../platform/database/database.ts'
import { type AccountKind, FOLLOWING_KINDS } from '../account/ledger-store.ts'
import type { DepositRow } from '../deposits/store.ts'

export const CHECK_PAGE = 200

export type CheckedDepositRow = Pick<DepositRow, 'number' | 'id' | 'state' | 'review' | 'amount' | 'captured'> & {
  credits: string
  captures: string
  wrong: number
}

/** `credits`, `captures`: what its transfers add up to. `wrong` counts transfers of another currency or customer. */
export const checkedDeposits = reading<{ after: number }, CheckedDepositRow>('checkedDeposits')`
  select d.number, d.id, d.state, d.review, cast(d.amount as text) as amount, cast(d.captured as text) as captured,
    cast(coalesce(sum(case t.kind when 'credit' then t.amount when 'reversal' then -t.amount when 'reversal_debt' then -t.amount
      when 'capture_short' then -t.amount else 0 end), 0) as text) as credits,
    cast(coalesce(sum(case t.kind when 'capture' then t.amount when 'uncapture' then -t.amount else 0 end), 0) as text) as captures,
    coalesce(sum(case when t.currency <> d.currency or c.customer_id <> d.customer_id then 1 else 0 end), 0) as wrong
  from (select number, id, customer_id, state, review, amount, captured, currency from deposit where number > :after
        order by number limit ${CHECK_PAGE}) d
  left join transfer t on t.deposit_id = d.id left join account c on c.id = t.customer_account_id
  group by d.number, d.id, d.state, d.review, d.amount, d.captured order by d.number`

export type CheckedMovementRow = { id: number; reference: string; transfers: number; wrong: number }

/** As for deposits; `transfers` without the payment of a debt. */
export const checkedMovements = reading<{ after: number }, CheckedMovementRow>('checkedMovements')`
  select m.id, m.reference,
    coalesce(sum(case when t.kind <> 'debt_payment' then 1 else 0 end), 0) as transfers,
    coalesce(sum(case when t.currency <> m.currency or c.customer_id <> m.customer_id
        or (t.kind <> 'debt_payment' and (t.amount <> abs(m.amount)
          or t.kind <> case when m.amount < 0 then 'adjustment_debit' else m.kind end)) then 1 else 0 end), 0) as wrong
  from (select id, reference, customer_id, kind, amount, currency from movement where id > :after
        order by id limit ${CHECK_PAGE}) m
  left join transfer t on t.movement_id = m.id left join account c on c.id = t.customer_account_id
  group by m.id, m.reference order by m.id`

/**
 * Notifications that precede the capture are booked by the job *book*, which runs after it. A count, because PostgreSQL would read all jobs
 * into a table for `exists`.
 */
const waitsForJob = (deposit: string) =>
  `case when (select count(*) from job j where j.deposit_id = ${deposit} and j.kind = 'book') > 0 then 1 else 0 end as waits`

export type CheckedReturnRow = { id: number; debited: string; moved: string; unbooked: number; wrong: number }

/**
 * `moved`: what its transfers have debited and not credited again. `unbooked`: not all that is open or paid is debited, or more. The return of
 * a withdrawal's part moves nothing itself.
 */
export const checkedRefunds = reading<{ after: number }, CheckedReturnRow>('checkedRefunds')`
  select r.id, cast(r.debited as text) as debited,
    cast(coalesce(sum(case when t.kind in (${FOLLOWING_KINDS}) then 0 when t.kind = 'refund_failed' then -t.amount else t.amount end), 0) as text)
      as moved,
    max(case when r.origin = 'withdrawal' then case when r.debited = 0 then 0 else 1 end
      when r.debited = r.amount - r.returned or (r.debited = 0 and (r.deposit_state <> 'CAPTURED' or r.waits = 1)) then 0 else 1 end) as unbooked,
    coalesce(sum(case when t.currency <> r.currency or c.customer_id <> r.customer_id then 1 else 0 end), 0) as wrong
  from (select f.id, f.customer_id, f.origin, f.amount, f.returned, f.debited, f.currency, d.state as deposit_state, ${waitsForJob('d.id')}
        from refund f join deposit d on d.id = f.deposit_id where f.id > :after order by f.id limit ${CHECK_PAGE}) r
  left join transfer t on t.refund_id = r.id left join account c on c.id = t.customer_account_id
  group by r.id, r.debited order by r.id`

/** As for refunds; `debited` with what the house has paid. */
export const checkedDisputes = reading<{ after: number }, CheckedReturnRow>('checkedDisputes')`
  select d.id, cast(d.paid as text) as debited,
    cast(coalesce((select sum(case when t.kind in ('chargeback_reversed', 'chargeback_house_reversed') then -t.amount
        when t.kind in (${FOLLOWING_KINDS}) then 0 else t.amount end)
      from transfer t where t.step = d.id and t.currency = d.currency
        and t.dispute_event_id in (select e.id from dispute_event e join dispute x on x.id = e.dispute_id where x.deposit_id = d.deposit_id)), 0)
      + d.before_steps as text) as moved,
    case when d.paid = d.due or d.waits = 1 or (d.paid = 0 and d.deposit_state <> 'CAPTURED') then 0 else 1 end as unbooked,
    0 as wrong
  from (select p.id, p.deposit_id, p.currency, p.debited + p.house as paid, case when p.charged > 0 then p.charged else 0 end as due,
          o.state as deposit_state, ${waitsForJob('o.id')},
          coalesce((select sum(case when b.kind = 'chargeback_reversed' then -b.amount when b.kind in (${FOLLOWING_KINDS}) then 0 else b.amount end)
            from dispute_event e join transfer b on b.dispute_event_id = e.id
            where e.dispute_id = p.id and b.step = 0 and b.currency = p.currency), 0) as before_steps
        from dispute p join deposit o on o.id = p.deposit_id where p.id > :after order by p.id limit ${CHECK_PAGE}) d
  order by d.id`

export type CheckedWithdrawalRow = {
  id: number
  amount: string
  /** What its parts add up to. */
  parts: string
  paid: string
  returned: string
  /** What the transfers of the withdrawal and of its parts add up to. */
  debits: string
  payouts: string
  credits: string
  parts_due: number
}

/** The sum of the transfers of a withdrawal `w` and of its parts. */
function sumOf(plus: readonly string[], minus: readonly string[]): string {
  const signed = `case ${plus.map((kind) => `when t.kind = '${kind}' then t.amount`).join(' ')}
    ${minus.map((kind) => `when t.kind = '${kind}' then -t.amount`).join(' ')} else 0 end`
  return `cast((select coalesce(sum(${signed}), 0) from transfer t where t.withdrawal_id = w.id and t.currency = w.currency)
    + (select coalesce(sum(${signed}), 0) from withdrawal_part p join transfer t on t.part_id = p.id
      where p.withdrawal_id = w.id and t.currency = w.currency) as text)`
}

const BACK = ['payout_reversed', 'return_back', 'payout_back', 'outside_back']
const partSum = (column: string) =>
  `(select cast(coalesce(sum(p.${column}), 0) as text) from withdrawal_part p where p.withdrawal_id = w.id and p.currency = w.currency)`

/** `debits`: taken from the customer. `payouts`: arrived. `credits`: credited again. */
export const checkedWithdrawals = reading<{ after: number }, CheckedWithdrawalRow>('checkedWithdrawals')`
  select w.id, cast(w.amount as text) as amount, w.parts_due, ${partSum('amount')} as parts, ${partSum('paid')} as paid,
    ${partSum('returned')} as returned, ${sumOf(['withdrawal'], [])} as debits,
    ${sumOf(['payout', 'return_paid', 'payout_paid', 'outside_paid'], BACK)} as payouts,
    ${sumOf([...BACK, 'withdrawal_returned', 'part_back'], ['withdrawal_resumed', 'part_again', 'part_again_debt'])} as credits
  from (select id, amount, currency, parts_due from withdrawal where id > :after order by id limit ${CHECK_PAGE}) w order by w.id`

export type CheckedAccountRow = {
  id: number
  kind: AccountKind
  balance: string
  /** What its transfers add up to. */
  moved: string
  /** The customer's own balance, where this is the debt. */
  spendable: string | null
}

/**
 * Customers' accounts. The balance after the last line is the sum of them all, because every line is compared with the one
 * before it.
 */
export const checkedAccounts = reading<{ after: number }, CheckedAccountRow>('checkedAccounts')`
  select a.id, a.kind, cast(a.balance as text) as balance,
    cast(coalesce(case a.kind when 'customer'
        then (select balance_after from transfer where customer_account_id = a.id and line = a.lines)
        else (select sum(case credit_account_id when a.id then amount else -amount end) from transfer
              where debt_account_id = a.id and currency = a.currency) end, 0) as text) as moved,
    (select cast(c.balance as text) from account c where a.kind = 'debt' and c.customer_id = a.customer_id
      and c.currency = a.currency and c.kind = 'customer') as spendable
  from account a where a.id > :after and a.customer_id is not null order by a.id limit ${CHECK_PAGE}`

export type CheckedTransferRow = {
  id: number
  kind: string
  amount: string
  currency: string
  debit: AccountKind
  credit: AccountKind
  debit_account_id: number
  credit_account_id: number
  owners: number
  customer_account_id: number | null
  debt_account_id: number | null
  line: number | null
  balance_after: string | null
  /** The balance after the line before; null where there is none that is not later. */
  balance_before: string | null
  lines: number | null
}

/** `owners`: how many customers it concerns. `lines`: of its customer's account. */
export const checkedTransfers = reading<{ after: number }, CheckedTransferRow>('checkedTransfers')`
  select t.id, t.kind, cast(t.amount as text) as amount, t.currency, debited.kind as debit, credited.kind as credit,
    t.debit_account_id, t.credit_account_id,
    case when debited.customer_id <> credited.customer_id then 2 else 1 end as owners,
    t.customer_account_id, t.debt_account_id, t.line, cast(t.balance_after as text) as balance_after,
    (select cast(b.balance_after as text) from transfer b
      where b.customer_account_id = t.customer_account_id and b.line = t.line - 1 and b.at <= t.at) as balance_before,
    (select c.lines from account c where c.id = t.customer_account_id) as lines
  from transfer t join account debited on debited.id = t.debit_account_id
    join account credited on credited.id = t.credit_account_id
  where t.id > :after order by t.id limit ${CHECK_PAGE}`
