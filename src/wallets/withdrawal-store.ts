// The SQL of withdrawals. Every change of a withdrawal's state names the states that it leaves, so that of two at the same time
// only one succeeds.

import { locking, reading, writing } from '../platform/database/database.ts'
import { type CardRow, cardColumns, METHOD } from './card-store.ts'

export const WITHDRAWAL_STATES = ['REQUESTED', 'APPROVED', 'SENDING', 'PAID', 'RETURNED', 'REFUSED', 'REVIEW'] as const
export type WithdrawalState = (typeof WITHDRAWAL_STATES)[number]

/**
 * payout-unresolved: no result for long. The others: the gateway has said both; the money was credited back
 * (paid-after-return), or counts as paid (returned-after-paid).
 */
export const WITHDRAWAL_REVIEWS = ['payout-unresolved', 'paid-after-return', 'returned-after-paid'] as const
export type WithdrawalReview = (typeof WITHDRAWAL_REVIEWS)[number]

export type WithdrawalRow = {
  id: number
  /** Our UUID, the gateway's idempotency key. */
  reference: string
  customer_id: number
  payment_method_id: number
  gateway: string
  amount: string
  currency: string
  state: WithdrawalState
  /** How many operators must approve it; 0: the rule has. */
  approvals: number
  /** The operator who requested it for the customer. */
  requested_by: string | null
  approved_by: string | null
  approved_again_by: string | null
  hold_reason: string | null
  held_by: string | null
  review: WithdrawalReview | null
  gateway_reference: string | null
  /** 1: the gateway has said that it was paid. */
  paid: number
  created_at: number
  changed_at: number
}

/** `alias`: the withdrawal's table in a statement with several, with its dot. */
function withdrawalColumns(alias: string): string {
  const who = ['requested_by', 'approved_by', 'approved_again_by', 'hold_reason', 'held_by']
  const terms = ['id', 'reference', 'customer_id', 'payment_method_id', 'gateway', 'currency', 'state', 'approvals']
  const columns = [...terms, ...who, 'review', 'gateway_reference', 'paid', 'created_at', 'changed_at']
  return `${columns.map((column) => `${alias}${column}`).join(', ')}, cast(${alias}amount as text) as amount`
}

const WITHDRAWAL = withdrawalColumns('')

/** As operators see it. */
export type ListedWithdrawalRow = WithdrawalRow & CardRow

const LISTED = `${WITHDRAWAL}, ${cardColumns(METHOD)}`

export const withdrawalById = reading<{ id: number }, ListedWithdrawalRow>('withdrawalById')`
  select ${LISTED} from withdrawal where id = :id`

/** With its customer, whom everybody locks first. */
export const lockWithdrawal = locking<{ id: number }, WithdrawalRow>('lockWithdrawal')`
  select ${withdrawalColumns('w.')} from withdrawal w join customer c on c.id = w.customer_id where w.id = :id
  for no key update of c, w`

/** As `lockWithdrawal`. */
export const lockWithdrawalByReference = locking<{ reference: string }, WithdrawalRow>('lockWithdrawalByReference')`
  select ${withdrawalColumns('w.')} from withdrawal w join customer c on c.id = w.customer_id where w.reference = :reference
  for no key update of c, w`

export const withdrawalByReference = reading<{ reference: string }, WithdrawalRow>('withdrawalByReference')`
  select ${WITHDRAWAL} from withdrawal where reference = :reference`

export const insertWithdrawal = writing<
  {
    reference: string
    customerId: number
    apiKey: string | null
    idempotencyKey: string | null
    methodId: number
    gateway: string
    amount: bigint
    currency: string
    approvals: number
    requestedBy: string | null
    holdReason: string | null
    now: number
  },
  WithdrawalRow
>('insertWithdrawal')`
  insert into withdrawal (reference, customer_id, api_key, idempotency_key, payment_method_id, gateway, amount, currency, state, approvals,
    requested_by, approved_by, hold_reason, created_at, changed_at)
  values (:reference, :customerId, :apiKey, :idempotencyKey, :methodId, :gateway, :amount, :currency, 'REQUESTED', :approvals,
    :requestedBy, :requestedBy, :holdReason, :now, :now)
  returning ${WITHDRAWAL}`

// ---- Changes

/** The first of two operators. */
export const approveFirst = writing<{ id: number; by: string; now: number }, WithdrawalRow>('approveFirst')`
  update withdrawal set approved_by = :by, changed_at = :now
  where id = :id and state = 'REQUESTED' and approvals = 2 and approved_by is null and held_by is null returning ${WITHDRAWAL}`

/** The second one, who is somebody else. */
export const approveSecond = writing<{ id: number; by: string; now: number }, WithdrawalRow>('approveSecond')`
  update withdrawal set approved_again_by = :by, state = 'APPROVED', hold_reason = null, changed_at = :now
  where id = :id and state = 'REQUESTED' and approved_by <> :by and held_by is null returning ${WITHDRAWAL}`

export const approveByRule = writing<{ id: number; now: number }, WithdrawalRow>('approveByRule')`
  update withdrawal set state = 'APPROVED', changed_at = :now
  where id = :id and state = 'REQUESTED' and approvals = 0 returning ${WITHDRAWAL}`

export const refuseWithdrawal = writing<{ id: number; reason: string; now: number }, WithdrawalRow>('refuseWithdrawal')`
  update withdrawal set state = 'REFUSED', hold_reason = :reason, held_by = null, changed_at = :now
  where id = :id and state in ('REQUESTED', 'APPROVED') returning ${WITHDRAWAL}`

/** Without `by`: nobody holds it any more, and the reason is that of the rule. */
export const holdWithdrawal = writing<{ id: number; reason: string; by: string | null; now: number }, WithdrawalRow>(
  'holdWithdrawal',
)`
  update withdrawal set hold_reason = :reason, held_by = :by, changed_at = :now
  where id = :id and state = 'REQUESTED' returning ${WITHDRAWAL}`

type Change = { id: number; now: number }

/** Before the gateway is called: from now on it may be paid. */
export const beginSending = writing<Change, WithdrawalRow>('beginSending')`
  update withdrawal set state = 'SENDING', changed_at = :now where id = :id and state = 'APPROVED' returning ${WITHDRAWAL}`

/** The token of the card, which an erasure empties. */
export const tokenOfWithdrawal = reading<{ id: number }, { token: string }>('tokenOfWithdrawal')`
  select m.token from withdrawal w join payment_method m on m.id = w.payment_method_id where w.id = :id`

/** The gateway has received it, and will tell its result. */
export const setReceived = writing<{ id: number; gatewayReference: string | null }>('setReceived')`
  update withdrawal set gateway_reference = coalesce(gateway_reference, cast(:gatewayReference as text))
  where id = :id and state = 'SENDING'`

export const payWithdrawal = writing<Change & { gatewayReference: string | null }, WithdrawalRow>('payWithdrawal')`
  update withdrawal set state = 'PAID', paid = 1, gateway_reference = coalesce(cast(:gatewayReference as text), gateway_reference), changed_at = :now
  where id = :id and state in ('SENDING', 'REVIEW') returning ${WITHDRAWAL}`

/** `from`: the state that the caller has seen under the lock, and for which it writes the transfers. */
export const returnWithdrawal = writing<Change & { from: WithdrawalState }, WithdrawalRow>('returnWithdrawal')`
  update withdrawal set state = 'RETURNED', changed_at = :now
  where id = :id and state = :from and state in ('SENDING', 'PAID', 'REVIEW') returning ${WITHDRAWAL}`

export const reviewWithdrawal = writing<Change & { review: WithdrawalReview; from: WithdrawalState }, WithdrawalRow>(
  'reviewWithdrawal',
)`
  update withdrawal set state = 'REVIEW', review = :review, changed_at = :now where id = :id and state = :from returning ${WITHDRAWAL}`

/** The gateway has said that it was paid, whatever it says next. */
export const markPaid = writing<{ id: number }>('markPaid')`update withdrawal set paid = 1 where id = :id`

export const insertWithdrawalEvent = writing<{ id: number; now: number; event: string; detail: string }>(
  'insertWithdrawalEvent',
)`
  insert into withdrawal_event (withdrawal_id, at, event, detail) values (:id, :now, :event, :detail)`

// ---- Lists

export const currencyOf = reading<{ customerId: number }, { currency: string }>('currencyOf')`
  select currency from customer where id = :customerId`

type EventRow = { id: number; at: number; event: string; detail: string }

export const eventsOfWithdrawal = reading<{ id: number }, EventRow>('eventsOfWithdrawal')`
  select id, at, event, detail from withdrawal_event where withdrawal_id = :id order by id`

export const ownWithdrawals = reading<{ customerId: number; limit: number; offset: number }, WithdrawalRow>(
  'ownWithdrawals',
)`
  select ${WITHDRAWAL} from withdrawal where customer_id = :customerId order by id desc limit :limit offset :offset`

type Page = { before: number; limit: number }

export const withdrawalsBefore = reading<Page, ListedWithdrawalRow>('withdrawalsBefore')`
  select ${LISTED} from withdrawal where id < :before order by id desc limit :limit`

export const withdrawalsOfCustomerBefore = reading<Page & { customerId: number }, ListedWithdrawalRow>(
  'withdrawalsOfCustomerBefore',
)`
  select ${LISTED} from withdrawal where customer_id = :customerId and id < :before order by id desc limit :limit`

/** An inbox: the one that waits longest first. */
export const withdrawalsInState = reading<Page & { state: WithdrawalState; after: number }, ListedWithdrawalRow>(
  'withdrawalsInState',
)`
  select ${LISTED} from withdrawal where state = :state and id > :after and id < :before order by id limit :limit`

/** The first one since a time: ids are in the order of their times. */
export const withdrawalSince = reading<{ at: number }, { id: number }>('withdrawalSince')`
  select id from withdrawal where created_at >= :at order by created_at, id limit 1`
