// The SQL of refunds. Every change of a refund's state names the states that it leaves, so that of two at the same time only one
// succeeds. Whoever changes one has locked its customer.

import { locking, reading, writing } from '../platform/database/database.ts'
import { type CardRow, cardColumns } from './card-store.ts'

export const REFUND_STATES = ['REQUESTED', 'SENT', 'DONE', 'FAILED', 'REVIEW'] as const
export type RefundState = (typeof REFUND_STATES)[number]

export type RefundRow = {
  id: number
  reference: string
  deposit_id: string
  customer_id: number
  origin: 'operator' | 'gateway'
  amount: string
  currency: string
  reason: string
  /** An operator's name, or empty: it was made at the gateway. */
  requested_by: string
  needs_approval: number
  approved_by: string | null
  state: RefundState
  gateway_reference: string | null
  debited: string
  created_at: number
  changed_at: number
}

/** `alias`: the refund's table in a statement with several, with its dot. */
function refundColumns(alias: string): string {
  const texts = ['reference', 'deposit_id', 'origin', 'currency', 'reason', 'requested_by', 'approved_by', 'state']
  const columns = ['id', 'customer_id', 'needs_approval', 'gateway_reference', 'created_at', 'changed_at', ...texts]
  const amounts = ['amount', 'debited'].map((column) => `cast(${alias}${column} as text) as ${column}`)
  return [...columns.map((column) => `${alias}${column}`), ...amounts].join(', ')
}

const REFUND = refundColumns('')

export type RefundFacts = { refunded: string; charged_back: string; in_flight: number; balance: string }

/** The customer's row must be locked by a statement before. `in_flight`: a refund of the deposit is not sent yet. */
export const refundFacts = reading<{ depositId: string; customerId: number; currency: string }, RefundFacts>(
  'refundFacts',
)`
  select
    (select cast(coalesce(sum(amount), 0) as text) from refund where deposit_id = :depositId and state <> 'FAILED') as refunded,
    (select cast(coalesce(sum(debited), 0) as text) from dispute where deposit_id = :depositId) as charged_back,
    case when exists (select 1 from refund where deposit_id = :depositId and state = 'REQUESTED') then 1 else 0 end as in_flight,
    (select cast(coalesce(sum(balance), 0) as text) from account
      where customer_id = :customerId and currency = :currency and kind = 'customer') as balance`

/** What refunds and disputes of a deposit have debited. */
export const debitedOf = reading<{ depositId: string }, { debited: string }>('debitedOf')`
  select cast((select coalesce(sum(debited), 0) from refund where deposit_id = :depositId)
    + (select coalesce(sum(debited), 0) from dispute where deposit_id = :depositId) as text) as debited`

export const insertRefund = writing<
  {
    reference: string
    depositId: string
    customerId: number
    origin: RefundRow['origin']
    amount: bigint
    currency: string
    reason: string
    by: string
    needsApproval: number
    state: RefundState
    gatewayReference: string | null
    now: number
  },
  RefundRow
>('insertRefund')`
  insert into refund (reference, deposit_id, customer_id, origin, amount, currency, reason, requested_by, needs_approval, state,
    gateway_reference, created_at, changed_at)
  values (:reference, :depositId, :customerId, :origin, :amount, :currency, :reason, :by, :needsApproval, :state,
    :gatewayReference, :now, :now)
  returning ${REFUND}`

/** With its customer, whom everybody locks first. */
export const lockRefund = locking<{ id: number }, RefundRow>('lockRefund')`
  select ${refundColumns('r.')} from refund r join customer c on c.id = r.customer_id where r.id = :id
  for no key update of c, r`

/** 0 rows: it is not waiting for approval, or the operator has requested it. */
export const approveRefund = writing<{ id: number; by: string; now: number }>('approveRefund')`
  update refund set approved_by = :by, changed_at = :now
  where id = :id and state = 'REQUESTED' and needs_approval = 1 and approved_by is null and requested_by <> :by`

type RefundChange = { id: number; gatewayReference: string | null; now: number }

/** The gateway has received it. */
export const markRefundSent = writing<RefundChange, RefundRow>('markRefundSent')`
  update refund set state = 'SENT', gateway_reference = coalesce(cast(:gatewayReference as text), gateway_reference), changed_at = :now
  where id = :id and state = 'REQUESTED' returning ${REFUND}`

export const finishRefund = writing<RefundChange, RefundRow>('finishRefund')`
  update refund set state = 'DONE', gateway_reference = coalesce(cast(:gatewayReference as text), gateway_reference), changed_at = :now
  where id = :id and state in ('REQUESTED', 'SENT', 'REVIEW') returning ${REFUND}`

/** Also one that was done: its money came back. */
export const failRefund = writing<RefundChange, RefundRow>('failRefund')`
  update refund set state = 'FAILED', gateway_reference = coalesce(cast(:gatewayReference as text), gateway_reference), changed_at = :now
  where id = :id and state in ('REQUESTED', 'SENT', 'REVIEW', 'DONE') returning ${REFUND}`

export const reviewRefund = writing<{ id: number; now: number }, RefundRow>('reviewRefund')`
  update refund set state = 'REVIEW', changed_at = :now where id = :id and state = 'REQUESTED' returning ${REFUND}`

export const setRefundDebited = writing<{ id: number; debited: bigint }>('setRefundDebited')`
  update refund set debited = :debited where id = :id`

type NamedRefund = { depositId: string; reference: string; gatewayReference: string; originalReference: string }

/** `reference`: ours, or that of the deposit. `originalReference`: the gateway's, of what a reversal reverses. */
export const refundByReference = reading<NamedRefund, RefundRow>('refundByReference')`
  select ${REFUND} from refund
  where deposit_id = :depositId
    and (reference = :reference or gateway_reference in (:gatewayReference, :originalReference)) order by id limit 1`

/** That the gateway may have got, and whose reference there is not known yet. */
export const refundOnItsWay = reading<{ depositId: string; amount: bigint }, RefundRow>('refundOnItsWay')`
  select ${REFUND} from refund
  where deposit_id = :depositId and amount = :amount and gateway_reference is null and origin = 'operator'
    and state in ('REQUESTED', 'REVIEW') and (needs_approval = 0 or approved_by is not null)
  order by id limit 1`

/** That the gateway has got, and whose money can come back. */
export const refundToReverse = reading<{ depositId: string; amount: bigint }, RefundRow>('refundToReverse')`
  select ${REFUND} from refund
  where deposit_id = :depositId and amount = :amount and state in ('SENT', 'DONE') order by id limit 1`

/** The deposit of a notification that names a refund by our reference, or as what it reverses by the gateway's. */
export const depositOfRefund = reading<{ reference: string; gatewayReference: string }, { deposit_id: string }>(
  'depositOfRefund',
)`
  select deposit_id from refund where reference = :reference or gateway_reference = :gatewayReference`

// ---- Lists

export const refundById = reading<{ id: number }, RefundRow>('refundById')`
  select ${REFUND} from refund where id = :id`

/** With the card that the money goes back to. */
export type ListedRefundRow = RefundRow & CardRow

const LISTED = `${REFUND}, ${cardColumns('deposit d join payment_method m on m.id = d.payment_method_id where d.id = deposit_id')}`

/** Without a limit: a deposit has few. */
export const refundsOfDeposit = reading<{ depositId: string }, ListedRefundRow>('refundsOfDeposit')`
  select ${LISTED} from refund where deposit_id = :depositId order by id`

type Page = { before: number; limit: number }

export const refundsBefore = reading<Page, ListedRefundRow>('refundsBefore')`
  select ${LISTED} from refund where id < :before order by id desc limit :limit`

export const refundsOfCustomerBefore = reading<Page & { customerId: number }, ListedRefundRow>(
  'refundsOfCustomerBefore',
)`
  select ${LISTED} from refund where customer_id = :customerId and id < :before order by id desc limit :limit`

export const refundsInStateBefore = reading<Page & { state: RefundState }, ListedRefundRow>('refundsInStateBefore')`
  select ${LISTED} from refund where state = :state and id < :before order by id desc limit :limit`
