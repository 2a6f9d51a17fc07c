// The SQL of lists, metrics and reconciliation.

import { locking, type NoParameters, reading } from '../platform/database/database.ts'
import { type CardRow, cardColumns, METHOD } from './card-store.ts'
import { DEPOSIT, type DepositRow, UNDECIDED } from './store.ts'

/** Newest first, from the one before `before`. */
export const depositsOfCustomerBefore = reading<
  { customerId: number; before: number; limit: number },
  DepositRow & CardRow
>(
  'depositsOfCustomerBefore',
  `select ${DEPOSIT}, ${cardColumns(METHOD)} from deposit where customer_id = :customerId and number < :before order by number desc limit :limit`,
)

/** Of the customer's deposits, those whose issuer asked the customer to confirm, and when; newest first. */
export const challengesOfCustomerBefore = reading<
  { customerId: number; before: number; limit: number },
  { number: number; id: string; amount: string; currency: string; at: number }
>('challengesOfCustomerBefore')`
  select d.number, d.id, cast(d.amount as text) as amount, d.currency, e.at
  from deposit d join deposit_event e on e.deposit_id = d.id
  where d.customer_id = :customerId and d.number < :before and e.event = 'challenged'
  order by d.number desc limit :limit`

type EventRow = { id: number; at: number; event: string; detail: string }

/** That it began is in the deposit's own row; earlier versions stored it as an event too. */
export const eventsOfDeposit = reading<{ depositId: string }, EventRow>(
  'eventsOfDeposit',
  `select created_at as at, 'begun' as event, '' as detail, 0 as id from deposit where id = :depositId
   union all
   select at, event, detail, id from deposit_event where deposit_id = :depositId and event <> 'begun'
   order by id`,
)

/** How the last attempt to resolve the deposit ended: proposed to another operator, or resolved. */
export const lastProposal = reading<{ depositId: string }, { at: number; event: string; detail: string }>(
  'lastProposal',
)`
  select at, event, detail from deposit_event
  where deposit_id = :depositId and event in ('resolution proposed', 'resolved') order by id desc limit 1`

type PendingWorkRow = { kind: string; waiting: number; oldest: number | null }

/** Deposits without a decision, and jobs: both are few. */
export const pendingDepositWork = reading<NoParameters, PendingWorkRow>(
  'pendingDepositWork',
  `select 'undecided' as kind, count(*) as waiting, min(lease_until) as oldest from deposit
     where ${UNDECIDED} and state = 'AUTHORISING'
   union all select 'challenge', count(*), min(lease_until) from deposit where ${UNDECIDED} and state = 'CHALLENGE'
   union all select 'capture', count(*), min(created_at) from job where kind = 'capture'
   union all select 'cancel', count(*), min(created_at) from job where kind = 'cancel'
   union all select 'refund', count(*), min(created_at) from job where kind = 'refund'
   union all select 'payout', count(*), min(created_at) from job where kind = 'payout'
   union all select 'approval', count(*), min(created_at) from withdrawal where state = 'REQUESTED'`,
)

// ---- Reconciliation

/** Captured deposits by number, after one and until another. */
export const capturedBetween = reading<{ after: number; until: number; limit: number }, DepositRow>(
  'capturedBetween',
  `select ${DEPOSIT} from deposit where number > :after and number <= :until and state = 'CAPTURED' order by number limit :limit`,
)

/** Paid withdrawals by id, after one and until another, with their references in the gateway's reports. */
export const paidBetween = reading<
  { after: number; until: number; limit: number },
  { id: string; gateway: string; number: number }
>('paidBetween')`
  select reference as id, gateway, id as number from withdrawal
  where id > :after and id <= :until and state = 'PAID' order by id limit :limit`

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
