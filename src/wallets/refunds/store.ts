// The SQL of refunds. Every change of a refund's state names the state that it leaves, so that of two at the same time only one
// succeeds. Whoever changes one has locked its customer.

import { locking, reading, writing } from '../../platform/database/database.ts'
import { type CardRow, cardColumns } from '../cards/columns-store.ts'
import type { OutgoingReview } from './outgoing.ts'

export const REFUND_STATES = ['REQUESTED', 'SENT', 'DONE', 'FAILED', 'REVIEW'] as const
export type RefundState = (typeof REFUND_STATES)[number]

/** withdrawal: the return of a withdrawal's part, approved and debited with it. */
export const REFUND_ORIGINS = ['operator', 'gateway', 'withdrawal'] as const

export type RefundRow = {
  id: number
  reference: string
  deposit_id: string
  customer_id: number
  origin: (typeof REFUND_ORIGINS)[number]
  part_id: number | null
  amount: string
  currency: string
  reason: string
  /** An operator's name, or empty: it was made at the gateway, or is part of a withdrawal. */
  requested_by: string
  requested_person: string
  needs_approval: number
  approved_by: string | null
  request_hash: string | null
  state: RefundState
  review: OutgoingReview | null
  gateway_reference: string | null
  /** What the customer was debited for it and not credited again. */
  debited: string
  paid: string
  returned: string
  kept_back: string
  /** When the gateway was called first. */
  begun_at: number | null
  /** How often its money moved. */
  moves: number
  created_at: number
  changed_at: number
}

/** `alias`: the refund's table in a statement with several, with its dot. */
function refundColumns(alias: string): string {
  const texts = ['reference', 'deposit_id', 'origin', 'currency', 'reason', 'requested_by', 'requested_person']
  const columns = ['id', 'customer_id', 'part_id', 'needs_approval', 'gateway_reference', 'begun_at', 'moves', ...texts]
  columns.push('approved_by', 'request_hash', 'state', 'review', 'created_at', 'changed_at')
  const sums = ['amount', 'debited', 'paid', 'returned', 'kept_back']
  const amounts = sums.map((column) => `cast(${alias}${column} as text) as ${column}`)
  return [...columns.map((column) => `${alias}${column}`), ...amounts].join(', ')
}

const REFUND = refundColumns('')

export const insertRefund = writing<
  {
    reference: string
    depositId: string
    customerId: number
    origin: RefundRow['origin']
    partId: number | null
    amount: bigint
    currency: string
    reason: string
    by: string
    person: string
    needsApproval: number
    idempotencyKey: string | null
    requestHash: string | null
    state: RefundState
    debited: bigint
    paid: bigint
    gatewayReference: string | null
    begunAt: number | null
    now: number
  },
  RefundRow
>('insertRefund')`
  insert into refund (reference, deposit_id, customer_id, origin, part_id, amount, currency, reason, requested_by, requested_person,
    needs_approval, idempotency_key, request_hash, state, debited, paid, gateway_reference, begun_at, moves, created_at, changed_at)
  values (:reference, :depositId, :customerId, :origin, cast(:partId as bigint), :amount, :currency, :reason, :by, :person, :needsApproval,
    cast(:idempotencyKey as text), cast(:requestHash as text), :state, :debited, :paid, cast(:gatewayReference as text),
    cast(:begunAt as bigint), 1, :now, :now)
  returning ${REFUND}`

/** With its customer, whom everybody locks first. */
export const lockRefund = locking<{ id: number }, RefundRow>('lockRefund')`
  select ${refundColumns('r.')} from refund r join customer c on c.id = r.customer_id where r.id = :id
  for no key update of c, r`

/** 0 rows: it is not waiting for approval, or the same person has requested it. */
export const approveRefund = writing<{ id: number; by: string; person: string; now: number }>('approveRefund')`
  update refund set approved_by = :by, approved_person = :person, changed_at = :now
  where id = :id and state = 'REQUESTED' and needs_approval = 1 and approved_by is null and requested_person <> :person`

/** Those that operators requested, and whose call has not begun. */
export const waitingRefunds = reading<{ depositId: string }, RefundRow>('waitingRefunds')`
  select ${REFUND} from refund where deposit_id = :depositId and state = 'REQUESTED' and begun_at is null and origin = 'operator' order by id`

/** Committed before the gateway is called. */
export const beginRefund = writing<{ id: number; now: number }, RefundRow>('beginRefund')`
  update refund set begun_at = :now where id = :id and state = 'REQUESTED' and begun_at is null returning ${REFUND}`

/** Calls for one deposit go one after another: one that has no answer yet. */
export const otherCallOf = reading<{ depositId: string; id: number }, { id: number }>('otherCallOf')`
  select id from refund where deposit_id = :depositId and id <> :id and state = 'REQUESTED' and begun_at is not null limit 1`

export const changeRefund = writing<
  {
    id: number
    from: RefundState
    to: RefundState
    review: OutgoingReview | null
    paid: bigint
    returned: bigint
    keptBack: bigint
    debited: bigint
    gatewayReference: string | null
    now: number
  },
  RefundRow
>('changeRefund')`
  update refund set state = :to, review = cast(:review as text), paid = :paid, returned = :returned, kept_back = :keptBack, debited = :debited,
    gateway_reference = coalesce(cast(:gatewayReference as text), gateway_reference), moves = moves + 1, changed_at = :now
  where id = :id and state = :from returning ${REFUND}`

/** The return of a part that the gateway has received. */
export const markBegunRefundSent = writing<{ partId: number; gatewayReference: string | null; now: number }>(
  'markBegunRefundSent',
)`
  update refund set state = 'SENT', gateway_reference = coalesce(cast(:gatewayReference as text), gateway_reference), changed_at = :now
  where part_id = :partId and state = 'REQUESTED'`

export const setRefundDebited = writing<{ id: number; debited: bigint }>('setRefundDebited')`
  update refund set debited = :debited where id = :id`

/** The deposit of a notification that names a refund by our reference or by the gateway's. An empty reference names none. */
export const refundNamed = reading<
  { reference: string; gatewayReference: string; originalReference: string },
  { id: number; deposit_id: string }
>('refundNamed')`
  select id, deposit_id from refund where reference = :reference
    or (gateway_reference in (:gatewayReference, :originalReference) and gateway_reference <> '') order by id limit 1`

/**
 * Whose call began and whose money can come back. Two of the same amount cannot be told apart. `unanswered` 1: only those whose reference at
 * the gateway is not known; a failure of another one would have it.
 */
export const refundsOfAmount = reading<{ depositId: string; amount: bigint; unanswered: 0 | 1 }, { id: number }>(
  'refundsOfAmount',
)`
  select id from refund where deposit_id = :depositId and amount = :amount and begun_at is not null and returned < amount
    and (:unanswered = 0 or gateway_reference is null)
  order by id limit 2`

export const refundByKey = reading<{ idempotencyKey: string }, RefundRow>('refundByKey')`
  select ${REFUND} from refund where idempotency_key = :idempotencyKey order by id limit 1`

// ---- Lists

export const refundById = reading<{ id: number }, RefundRow>('refundById')`
  select ${REFUND} from refund where id = :id`

export const refundOfPart = reading<{ partId: number }, RefundRow>('refundOfPart')`
  select ${REFUND} from refund where part_id = :partId`

/** With the card that the money goes back to, and the withdrawal that it is part of. */
export type ListedRefundRow = RefundRow & CardRow & { withdrawal_id: number | null }

const LISTED = `${REFUND}, (select p.withdrawal_id from withdrawal_part p where p.id = part_id) as withdrawal_id,
  ${cardColumns('deposit d join payment_method m on m.id = d.payment_method_id where d.id = deposit_id')}`

export const listedRefund = reading<{ id: number }, ListedRefundRow>('listedRefund')`
  select ${LISTED} from refund where id = :id`

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
