// The SQL of the parts of withdrawals. Whoever changes one has locked the customer and the withdrawal.

import { reading, writing } from '../../platform/database/database.ts'
import { inList } from '../../platform/database/row-list-store.ts'
import { bigint, integer, money, oneOf, orNull, type RowOf, table, text } from '../../platform/database/table-store.ts'
import { methods } from '../cards/store.ts'
import { OUTGOING_REVIEWS, type OutgoingReview } from '../refunds/outgoing.ts'
import { hasCallOf, type RefundState } from '../refunds/store.ts'

export const PART_KINDS = ['return', 'payout', 'outside'] as const
export type PartKind = (typeof PART_KINDS)[number]

export const PART_STATES = ['WAITING', 'SENDING', 'PAID', 'RETURNED', 'REVIEW'] as const
export type PartState = (typeof PART_STATES)[number]

export const parts = table('withdrawal_part', {
  id: bigint,
  withdrawal_id: bigint,
  customer_id: bigint,
  /** return: a refund of the deposit. payout: by a transfer to the card. outside: paid by a person. */
  kind: oneOf(PART_KINDS),
  /** The claim that it takes; null: winnings. */
  deposit_id: orNull(text),
  /** 1: a claim that its own card could not take. */
  freed: integer,
  amount: money,
  currency: text,
  paid: money,
  returned: money,
  /** What has left by a notification although it was credited again. */
  kept_back: money,
  state: oneOf(PART_STATES),
  review: orNull(oneOf(OUTGOING_REVIEWS)),
  /** Our UUID, the gateway's idempotency key. */
  reference: text,
  gateway: text,
  gateway_reference: orNull(text),
  /** The last report of the gateway, in words. */
  reason: text,
  /** When the gateway was called first. */
  begun_at: orNull(bigint),
  /** How often its money moved. */
  moves: integer,
  created_at: bigint,
  changed_at: bigint,
})
export type PartRow = RowOf<typeof parts>
const PART = parts.columns()

export const newParts = parts.omit('id, reason, moves')
export type NewPart = RowOf<typeof newParts>
export const insertParts = writing<{ rows: string }, PartRow>('insertParts')`${newParts.insertRows} returning ${PART}`

/** A return has a refund once its call began. */
export type RefundOfPart = { refund_id: number | null; refund_state: RefundState | null }
export type StoredPart = PartRow & RefundOfPart

/** By subselects: with few refunds SQLite would scan them for a join. */
const STORED = `${parts.columns('p')}, (select r.id from refund r where r.part_id = p.id) as refund_id,
    (select r.state from refund r where r.part_id = p.id) as refund_state`

/** In the order in which they were taken. Few: MAX_WITHDRAWAL_PARTS. */
export const partsOf = reading<{ withdrawalId: number }, StoredPart>('partsOf')`
  select ${STORED} from withdrawal_part p where p.withdrawal_id = :withdrawalId order by p.id`

const payable = methods.pick('token, expiry_date, first_name, last_name, removed_at, closed_at, account_closed_at')

/** With its card, and of a claim its deposit. `is_behind` 1: another refund of the deposit has no answer yet. */
export type PartToSend = StoredPart &
  RowOf<typeof payable> & {
    deposit_amount: string | null
    deposit_gateway_reference: string | null
    return_refused: number | null
    is_behind: number
  }

/** As `partsOf`, with all that sending them rests on. A payment outside has no card, and is not sent. */
export const partsToSend = reading<{ withdrawalId: number }, PartToSend>('partsToSend')`
  select ${STORED}, ${payable.columns('m')}, cast(d.amount as text) as deposit_amount,
    d.gateway_reference as deposit_gateway_reference, d.return_refused,
    case when ${hasCallOf('p.deposit_id')} then 1 else 0 end as is_behind
  from withdrawal_part p join withdrawal w on w.id = p.withdrawal_id join payment_method m on m.id = w.payment_method_id
    left join deposit d on d.id = p.deposit_id
  where p.withdrawal_id = :withdrawalId order by p.id`

/** The parts of a page of withdrawals. */
export const partsOfAll = reading<{ ids: string }, PartRow>('partsOfAll')`
  select ${PART} from withdrawal_part where withdrawal_id ${inList('ids')} order by id`

export const partById = reading<{ id: number }, StoredPart>('partById')`
  select ${STORED} from withdrawal_part p where p.id = :id`

/** Finds a payout by our reference or by the gateway's; an empty reference matches none. */
export const partNamed = reading<
  { reference: string; gatewayReference: string },
  { id: number; withdrawal_id: number; customer_id: number; gateway: string; before_parts: number }
>('partNamed')`
  select p.id, p.withdrawal_id, p.customer_id, p.gateway, w.before_parts from withdrawal_part p join withdrawal w on w.id = p.withdrawal_id
  where p.kind = 'payout' and (p.reference = :reference or (p.gateway_reference = :gatewayReference and p.gateway_reference <> ''))
  order by p.id limit 1`

/** Finds a payment outside by the reference of the bank's transfer. */
export const outsidePaymentNamed = reading<{ customerId: number; bankReference: string }, { withdrawal_id: number }>(
  'outsidePaymentNamed',
)`
  select withdrawal_id from withdrawal_part where customer_id = :customerId and kind = 'outside' and gateway_reference = :bankReference
  order by id limit 1`

/** Finds a return by our reference that has no refund yet: its call has not begun. */
export const returnNamed = reading<{ reference: string }, { id: number; customer_id: number }>('returnNamed')`
  select id, customer_id from withdrawal_part p where kind = 'return' and reference = :reference
    and not exists (select 1 from refund r where r.part_id = p.id)`

/** Committed before the gateway is called. */
export const beginPart = writing<{ id: number; now: number }, PartRow>('beginPart')`
  update withdrawal_part set state = 'SENDING', begun_at = :now, changed_at = :now where id = :id and state = 'WAITING' returning ${PART}`

export const setPartReference = writing<{ id: number; gatewayReference: string | null; reason: string }>(
  'setPartReference',
)`
  update withdrawal_part set gateway_reference = coalesce(cast(:gatewayReference as text), gateway_reference), reason = :reason where id = :id`

export const changePart = writing<
  {
    id: number
    from: PartState
    to: PartState
    review: OutgoingReview | null
    paid: bigint
    returned: bigint
    keptBack: bigint
    gatewayReference: string | null
    reason: string
    now: number
  },
  PartRow
>('changePart')`
  update withdrawal_part set state = :to, review = cast(:review as text), paid = :paid, returned = :returned, kept_back = :keptBack,
    gateway_reference = coalesce(cast(:gatewayReference as text), gateway_reference), reason = :reason, moves = moves + 1, changed_at = :now
  where id = :id and state = :from returning ${PART}`
