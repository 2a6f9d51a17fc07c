// The SQL of lists, metrics, reconciliation and the check of the ledger.

import { locking, type NoParameters, reading } from '../platform/database/database.ts'
import type { ReviewReason } from './deposit-reasons.ts'
import { DEPOSIT, type DepositRow, type DepositState, UNDECIDED } from './store.ts'

/** Newest first, from the one before `before`. */
export const depositsOfCustomerBefore = reading<{ customerId: number; before: number; limit: number }, DepositRow>(
  'depositsOfCustomerBefore',
  `select ${DEPOSIT} from deposit where customer_id = :customerId and number < :before order by number desc limit :limit`,
)

type EventRow = { id: number; at: number; event: string; detail: string }

/** That it began is in the deposit's own row; earlier versions stored it as an event too. */
export const eventsOfDeposit = reading<{ depositId: string }, EventRow>(
  'eventsOfDeposit',
  `select created_at as at, 'begun' as event, '' as detail, 0 as id from deposit where id = :depositId
   union all
   select at, event, detail, id from deposit_event where deposit_id = :depositId and event <> 'begun'
   order by id`,
)

type PendingWorkRow = { kind: string; waiting: number; oldest: number | null }

/** Deposits without a decision, and jobs: both are few. */
export const pendingDepositWork = reading<NoParameters, PendingWorkRow>(
  'pendingDepositWork',
  `select 'undecided' as kind, count(*) as waiting, min(lease_until) as oldest from deposit
     where ${UNDECIDED} and state = 'AUTHORISING'
   union all select 'challenge', count(*), min(lease_until) from deposit where ${UNDECIDED} and state = 'CHALLENGE'
   union all select 'capture', count(*), min(created_at) from job where kind = 'capture'
   union all select 'cancel', count(*), min(created_at) from job where kind = 'cancel'`,
)

// ---- Reconciliation

/** Captured deposits by number, after one and until another. */
export const capturedBetween = reading<{ after: number; until: number; limit: number }, DepositRow>(
  'capturedBetween',
  `select ${DEPOSIT} from deposit where number > :after and number <= :until and state = 'CAPTURED' order by number limit :limit`,
)

// ---- The ledger's check, page by page

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
export const checkedDeposits = reading<{ after: number }, CheckedDepositRow>(
  'checkedDeposits',
  `select d.number, d.id, d.state, d.review,
     coalesce(sum(case t.kind when 'credit' then 1 when 'reversal' then -1 else 0 end), 0) as credits,
     coalesce(sum(case t.kind when 'capture' then 1 when 'uncapture' then -1 else 0 end), 0) as captures,
     coalesce(sum(case when t.amount <> d.amount or t.currency <> d.currency
         or (t.kind = 'credit' and c.customer_id <> d.customer_id) then 1 else 0 end), 0) as wrong
   from (select number, id, customer_id, state, review, amount, currency from deposit where number > :after
         order by number limit ${CHECK_PAGE}) d
   left join transfer t on t.deposit_id = d.id left join account c on c.id = t.credit_account_id
   group by d.number, d.id, d.state, d.review order by d.number`,
)

export type CheckedAccountRow = {
  id: number
  currency: string
  balance: string
  moved: string
}

/** Customers' accounts; `moved` is the sum of their transfers, by covering indexes. */
export const checkedAccounts = reading<{ after: number }, CheckedAccountRow>(
  'checkedAccounts',
  `select a.id, a.currency, cast(a.balance as text) as balance,
     cast((select coalesce(sum(amount), 0) from transfer where credit_account_id = a.id)
        - (select coalesce(sum(amount), 0) from transfer where debit_account_id = a.id) as text) as moved
   from account a where a.id > :after and a.customer_id is not null order by a.id limit ${CHECK_PAGE}`,
)

export type SystemAccountRow = { id: number; kind: AccountKind; currency: string }
type AccountKind = 'customer' | 'psp_uncaptured' | 'psp_captured'

/** Two for each currency. */
export const systemAccounts = reading<NoParameters, SystemAccountRow>(
  'systemAccounts',
  `select id, kind, currency from account where kind in ('psp_uncaptured', 'psp_captured') and customer_id is null
   order by kind, currency`,
)

export const transfersAfter = reading<
  { after: number },
  { id: number; debit_account_id: number; credit_account_id: number; amount: string }
>(
  'transfersAfter',
  `select id, debit_account_id, credit_account_id, cast(amount as text) as amount from transfer
   where id > :after order by id limit ${CHECK_PAGE}`,
)

type MethodState = {
  removed_at: number | null
  closed_at: number | null
  token: string
  card_number: string
  expiry_date: string
  min_deposit: string
  max_deposit: string
}

/** The fields of a payment method that operators change. */
export const lockMethodState = locking<{ id: number }, MethodState>(
  'lockMethodState',
  `select removed_at, closed_at, token, card_number, expiry_date, cast(min_deposit as text) as min_deposit,
     cast(max_deposit as text) as max_deposit
   from payment_method where id = :id for update`,
)
