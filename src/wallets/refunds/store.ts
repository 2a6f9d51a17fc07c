// The SQL of refunds. Every change of a refund's state names the state that it leaves, so that of two at the same time only one
// succeeds. Whoever changes one has locked its customer.

import { locking, reading, writing } from '../../platform/database/database.ts'
import type { ParametersOf, RowOf } from '../../platform/database/table-store.ts'
import { bigint, integer, money, oneOf, orNull, table, text } from '../../platform/database/table-store.ts'
import { type CardRow, cardColumns } from '../cards/columns-store.ts'
import { OUTGOING_REVIEWS, type OutgoingReview } from './outgoing.ts'

export const REFUND_STATES = ['REQUESTED', 'SENT', 'DONE', 'FAILED', 'REVIEW'] as const
export type RefundState = (typeof REFUND_STATES)[number]

/** withdrawal: the return of a withdrawal's part, approved and debited with it. */
export const REFUND_ORIGINS = ['operator', 'gateway', 'withdrawal'] as const

export const refundTable = table('refund', {
  id: bigint,
  reference: text,
  deposit_id: text,
  customer_id: bigint,
  origin: oneOf(REFUND_ORIGINS),
  part_id: orNull(bigint),
  amount: money,
  currency: text,
  reason: text,
  /** An operator's name, or empty: it was made at the gateway, or is part of a withdrawal. */
  requested_by: text,
  requested_person: text,
  needs_approval: integer,
  approved_by: orNull(text),
  idempotency_key: orNull(text),
  request_hash: orNull(text),
  state: oneOf(REFUND_STATES),
  review: orNull(oneOf(OUTGOING_REVIEWS)),
  gateway_reference: orNull(text),
  /** What the customer was debited for it and not credited again. */
  debited: money,
  paid: money,
  returned: money,
  kept_back: money,
  /** When the gateway was called first. */
  begun_at: orNull(bigint),
  /** How often its money moved. */
  moves: integer,
  created_at: bigint,
  changed_at: bigint,
})

const refunds = refundTable.omit('idempotency_key')
export type RefundRow = RowOf<typeof refunds>
const REFUND = refunds.columns()

const newRefunds = refundTable.pick(
  'reference, deposit_id, customer_id, origin, part_id, amount, currency, reason, requested_by, requested_person',
  'needs_approval, idempotency_key, request_hash, state, debited, paid, gateway_reference, begun_at',
)
export const insertRefund = writing<ParametersOf<typeof newRefunds> & { now: number }, RefundRow>('insertRefund')`
  ${newRefunds.insert({ moves: '1', created_at: ':now', changed_at: ':now' })} returning ${REFUND}`

/** What most new refunds have. */
export const NEW_REFUND = {
  part_id: null,
  needs_approval: 0,
  idempotency_key: null,
  request_hash: null,
  state: 'REQUESTED',
  paid: 0n,
  gateway_reference: null,
  begun_at: null,
} as const

/** Locks the refund with its customer, whom every change locks first. */
export const lockRefund = locking<{ id: number }, RefundRow>('lockRefund')`
  select ${refunds.columns('r')} from refund r join customer c on c.id = r.customer_id where r.id = :id
  for no key update of c, r`

/** 0 rows: it is not waiting for approval, or the same person has requested it. */
export const approveRefund = writing<{ id: number; by: string; person: string; now: number }>('approveRefund')`
  update refund set approved_by = :by, approved_person = :person, changed_at = :now
  where id = :id and state = 'REQUESTED' and needs_approval = 1 and approved_by is null and requested_person <> :person`

/** Refunds that operators requested, and whose call has not begun. */
export const waitingRefunds = reading<{ depositId: string }, RefundRow>('waitingRefunds')`
  select ${REFUND} from refund where deposit_id = :depositId and state = 'REQUESTED' and begun_at is null and origin = 'operator' order by id`

/** Whether the call of a refund `o` of the deposit has no answer yet: calls for one deposit go one after another. For SQL. */
export const hasCallOf = (deposit: string) =>
  `exists (select 1 from refund o where o.deposit_id = ${deposit} and o.state = 'REQUESTED' and o.begun_at is not null)`

/** Committed before the gateway is called. Its own call has not begun. No row: another refund of the deposit has no answer yet. */
export const beginRefund = writing<{ id: number; now: number }, RefundRow>('beginRefund')`
  update refund set begun_at = :now where id = :id and state = 'REQUESTED' and begun_at is null and not ${hasCallOf('refund.deposit_id')}
  returning ${REFUND}`

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
 * Refunds whose call began and whose money can come back. Two of the same amount cannot be distinguished. `unanswered` 1: only the ones whose
 * reference at the gateway is not known; a failure of another one would have it.
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
