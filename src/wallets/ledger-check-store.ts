// The SQL of the ledger's check, page by page.

import { reading } from '../platform/database/database.ts'
import type { ReviewReason } from './deposit-reasons.ts'
import type { AccountKind } from './ledger-store.ts'
import type { DepositState } from './store.ts'
import type { WithdrawalReview, WithdrawalState } from './withdrawal-store.ts'

export const CHECK_PAGE = 200

export type CheckedDepositRow = {
  number: number
  id: string
  state: DepositState
  review: ReviewReason | null
  credits: number
  captures: number
  wrong: number
}

/** `wrong` counts transfers with another amount, currency or customer than the deposit. */
export const checkedDeposits = reading<{ after: number }, CheckedDepositRow>('checkedDeposits')`
  select d.number, d.id, d.state, d.review,
    coalesce(sum(case t.kind when 'credit' then 1 when 'reversal' then -1 else 0 end), 0) as credits,
    coalesce(sum(case t.kind when 'capture' then 1 when 'uncapture' then -1 else 0 end), 0) as captures,
    coalesce(sum(case when (t.kind <> 'debt_payment' and t.amount <> d.amount) or t.currency <> d.currency
        or c.customer_id <> d.customer_id then 1 else 0 end), 0) as wrong
  from (select number, id, customer_id, state, review, amount, currency from deposit where number > :after
        order by number limit ${CHECK_PAGE}) d
  left join transfer t on t.deposit_id = d.id left join account c on c.id = t.customer_account_id
  group by d.number, d.id, d.state, d.review order by d.number`

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
 * What was told before the capture is booked by the job settle, which runs after it. A count, because PostgreSQL would read all jobs
 * into a table for `exists`.
 */
const waitsForJob = (deposit: string) =>
  `case when (select count(*) from job j where j.deposit_id = ${deposit} and j.kind = 'settle') > 0 then 1 else 0 end as waits`

export type CheckedRefundRow = { id: number; debited: string; moved: string; unbooked: number; wrong: number }

/** `moved`: what its transfers have debited and not credited back. `unbooked`: it must be debited and is not, or the reverse. */
export const checkedRefunds = reading<{ after: number }, CheckedRefundRow>('checkedRefunds')`
  select r.id, cast(r.debited as text) as debited,
    cast(coalesce(sum(case t.kind when 'debt_payment' then 0 when 'refund_failed' then -t.amount else t.amount end), 0) as text)
      as moved,
    max(case when r.debited < r.amount and r.state <> 'FAILED' and r.deposit_state = 'CAPTURED' and r.waits = 0 then 1
      when r.debited > 0 and r.state = 'FAILED' then 1 else 0 end) as unbooked,
    coalesce(sum(case when t.currency <> r.currency or c.customer_id <> r.customer_id then 1 else 0 end), 0) as wrong
  from (select f.id, f.customer_id, f.state, f.amount, f.debited, f.currency, d.state as deposit_state, ${waitsForJob('d.id')}
        from refund f join deposit d on d.id = f.deposit_id where f.id > :after order by f.id limit ${CHECK_PAGE}) r
  left join transfer t on t.refund_id = r.id left join account c on c.id = t.customer_account_id
  group by r.id, r.debited order by r.id`

export type CheckedDisputeRow = { id: number; debited: string; moved: string; unbooked: number; wrong: number }

/** As for refunds. */
export const checkedDisputes = reading<{ after: number }, CheckedDisputeRow>('checkedDisputes')`
  select d.id, cast(d.debited as text) as debited,
    cast(coalesce(sum(case t.kind when 'debt_payment' then 0 when 'chargeback_reversed' then -t.amount else t.amount end), 0)
      as text) as moved,
    max(case when d.debited = d.due or (d.debited = 0 and (d.deposit_state <> 'CAPTURED' or d.waits = 1)) then 0 else 1 end) as unbooked,
    coalesce(sum(case when t.currency <> d.currency or c.customer_id <> d.customer_id then 1 else 0 end), 0) as wrong
  from (select p.id, p.customer_id, p.debited, p.currency, o.state as deposit_state, ${waitsForJob('o.id')},
          case when p.state in ('CHARGED_BACK', 'CHARGED_BACK_AGAIN', 'LOST') then p.amount else 0 end as due
        from dispute p join deposit o on o.id = p.deposit_id where p.id > :after order by p.id limit ${CHECK_PAGE}) d
  left join dispute_event e on e.dispute_id = d.id
  left join transfer t on t.dispute_event_id = e.id left join account c on c.id = t.customer_account_id
  group by d.id, d.debited order by d.id`

export type CheckedWithdrawalRow = {
  id: number
  state: WithdrawalState
  review: WithdrawalReview | null
  debits: number
  payouts: number
  returns: number
  wrong: number
}

/** `payouts`: less what came back. `returns`: less what was debited again. */
export const checkedWithdrawals = reading<{ after: number }, CheckedWithdrawalRow>('checkedWithdrawals')`
  select w.id, w.state, w.review,
    coalesce(sum(case t.kind when 'withdrawal' then 1 else 0 end), 0) as debits,
    coalesce(sum(case t.kind when 'payout' then 1 when 'payout_reversed' then -1 else 0 end), 0) as payouts,
    coalesce(sum(case t.kind when 'withdrawal_returned' then 1 when 'payout_reversed' then 1 when 'withdrawal_resumed' then -1
        else 0 end), 0) as returns,
    coalesce(sum(case when (t.kind <> 'debt_payment' and t.amount <> w.amount) or t.currency <> w.currency
        or c.customer_id <> w.customer_id then 1 else 0 end), 0) as wrong
  from (select id, customer_id, state, review, amount, currency from withdrawal where id > :after
        order by id limit ${CHECK_PAGE}) w
  left join transfer t on t.withdrawal_id = w.id left join account c on c.id = t.customer_account_id
  group by w.id, w.state, w.review order by w.id`

export type CheckedAccountRow = {
  id: number
  kind: AccountKind
  balance: string
  /** What its transfers add up to. */
  moved: string
  /** Of the same customer, where this is the debt. */
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
              where debt_account_id = a.id) end, 0) as text) as moved,
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
