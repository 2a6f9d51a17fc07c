// The SQL of withdrawals. Everybody who changes one has locked its customer and then the withdrawal; its state follows from its parts
// (part-store.ts).

import { locking, reading, writing } from '../../platform/database/database.ts'
import { inList } from '../../platform/database/row-list-store.ts'
import type { ParametersOf, RowOf } from '../../platform/database/table-store.ts'
import { bigint, integer, money, oneOf, orNull, table, text } from '../../platform/database/table-store.ts'
import { type CardRow, cardColumns, METHOD } from '../cards/columns-store.ts'

export const WITHDRAWAL_STATES = ['REQUESTED', 'APPROVED', 'SENDING', 'PAID', 'RETURNED', 'REFUSED', 'REVIEW'] as const
export type WithdrawalState = (typeof WITHDRAWAL_STATES)[number]

/** Why it waits for persons: one of them holds it, its card has changed, or the customer owes money. */
export const HOLDS = ['operator', 'card', 'debt'] as const
export type Hold = (typeof HOLDS)[number]

export const withdrawalTable = table('withdrawal', {
  id: bigint,
  reference: text,
  customer_id: bigint,
  api_key: orNull(text),
  idempotency_key: orNull(text),
  /** null: a payment outside. */
  payment_method_id: orNull(bigint),
  gateway: text,
  amount: money,
  currency: text,
  state: oneOf(WITHDRAWAL_STATES),
  /** How many persons must approve it; 0: the rule has. */
  approvals: integer,
  /** The operator who requested it for the customer. */
  requested_by: orNull(text),
  requested_person: orNull(text),
  approved_by: orNull(text),
  approved_person: orNull(text),
  approved_again_by: orNull(text),
  hold: orNull(oneOf(HOLDS)),
  hold_reason: orNull(text),
  held_by: orNull(text),
  request_hash: orNull(text),
  /** 1: sent as one payout by an earlier version. */
  before_parts: integer,
  created_at: bigint,
  changed_at: bigint,
})

const withdrawals = withdrawalTable.omit('api_key, idempotency_key')
export type WithdrawalRow = RowOf<typeof withdrawals>
const WITHDRAWAL = withdrawals.columns()

/** With its customer, whom everybody locks first. */
export const lockWithdrawal = locking<{ id: number }, WithdrawalRow>('lockWithdrawal')`
  select ${withdrawals.columns('w')} from withdrawal w join customer c on c.id = w.customer_id where w.id = :id
  for no key update of c, w`

/** What an Idempotency-Key was used for: a withdrawal has a reference that is derived from it. An operator has no `apiKey`. */
export type UsesOfKey = { withdrawal_id: number | null; deposit_id: string | null }
export const usesOfKey = reading<
  { reference: string; customerId: number; apiKey: string | null; idempotencyKey: string },
  UsesOfKey
>('usesOfKey')`
  select (select id from withdrawal where reference = :reference) as withdrawal_id,
    (select id from deposit where customer_id = :customerId and api_key = :apiKey and idempotency_key = :idempotencyKey) as deposit_id`

const newWithdrawals = withdrawalTable.pick(
  'reference, customer_id, api_key, idempotency_key, request_hash, payment_method_id, gateway, amount, currency',
  'state, approvals, requested_by, requested_person, hold_reason',
)
/** Whoever requested it for the customer is the first who approved it. */
const INITIAL = {
  approved_by: ':requested_by',
  approved_person: ':requested_person',
  created_at: ':now',
  changed_at: ':now',
}

export const insertWithdrawal = writing<ParametersOf<typeof newWithdrawals> & { now: number }, WithdrawalRow>(
  'insertWithdrawal',
)`
  ${newWithdrawals.insert(INITIAL)} returning ${WITHDRAWAL}`

// ---- Changes

type By = { id: number; by: string; person: string; now: number }

/** The first of two persons: who requested it, until something changed; then another person. */
export const approveFirst = writing<By, WithdrawalRow>('approveFirst')`
  update withdrawal set approved_by = :by, approved_person = :person, changed_at = :now
  where id = :id and approvals = 2 and approved_by is null and (requested_person is null or requested_person <> :person)
    and (hold is null or hold <> 'operator') returning ${WITHDRAWAL}`

/** The second person, who is not the first. The withdrawal is no longer held. */
export const approveSecond = writing<By, WithdrawalRow>('approveSecond')`
  update withdrawal set approved_again_by = :by, approved_again_person = :person, hold = null, hold_reason = null, changed_at = :now
  where id = :id and approvals = 2 and approved_again_by is null and approved_person <> :person
    and (requested_person is null or requested_person <> :person) and (hold is null or hold <> 'operator')
  returning ${WITHDRAWAL}`

/** Voids the approvals: two persons must approve it anew, neither of whom requested it for the customer. What an operator holds stays held. */
export const voidApprovals = writing<{ id: number; hold: Hold; reason: string; now: number }, WithdrawalRow>(
  'voidApprovals',
)`
  update withdrawal set approvals = 2, approved_by = null, approved_person = null, approved_again_by = null,
    approved_again_person = null, hold = case when hold = 'operator' then hold else :hold end,
    hold_reason = case when hold = 'operator' then hold_reason else :reason end, changed_at = :now
  where id = :id returning ${WITHDRAWAL}`

/** Without `by` no operator holds it any longer, and the reason is that of the rule. */
export const setHold = writing<{ id: number; reason: string; by: string | null; now: number }, WithdrawalRow>(
  'setHold',
)`
  update withdrawal set hold = case when cast(:by as text) is null then null else 'operator' end, hold_reason = :reason,
    held_by = cast(:by as text), changed_at = :now
  where id = :id returning ${WITHDRAWAL}`

export const setWithdrawalState = writing<
  { id: number; from: WithdrawalState; to: WithdrawalState; now: number },
  WithdrawalRow
>('setWithdrawalState')`
  update withdrawal set state = :to, changed_at = :now where id = :id and state = :from returning ${WITHDRAWAL}`

/** The customer reads why it was refused; nobody holds it any longer. */
export const setRefusal = writing<{ id: number; reason: string; now: number }, WithdrawalRow>('setRefusal')`
  update withdrawal set hold = null, hold_reason = :reason, held_by = null, changed_at = :now where id = :id returning ${WITHDRAWAL}`

/** Nothing of it waits any more: the customer need not read why it did. 0 rows: something does. */
export const endHold = writing<{ id: number; now: number }>('endHold')`
  update withdrawal set hold = null, hold_reason = null, held_by = null, changed_at = :now where id = :id
    and not exists (select 1 from withdrawal_part p where p.withdrawal_id = :id and p.state = 'WAITING')`

export const withdrawalEventList = table('withdrawal_event', {
  withdrawal_id: bigint,
  at: bigint,
  event: text,
  detail: text,
})

export const insertWithdrawalEvents = writing<{ rows: string }>(
  'insertWithdrawalEvents',
)`${withdrawalEventList.insertRows}`

// ---- Facts for decisions

/** A withdrawal that was requested since then, with winnings, and that two persons have approved. */
export const payoutApprovedSince = reading<{ customerId: number; since: number }, { id: number }>(
  'payoutApprovedSince',
)`
  select w.id from withdrawal w where w.customer_id = :customerId and w.created_at >= :since and w.approved_again_by is not null
    and exists (select 1 from withdrawal_part p where p.withdrawal_id = w.id and p.kind = 'payout') limit 1`

/** Withdrawals with parts that wait: of a customer, to a card or of a deposit. By id, in the order of locks. */
export const waitingOfCustomer = reading<{ customerId: number }, { id: number }>('waitingOfCustomer')`
  select distinct p.withdrawal_id as id from withdrawal_part p where p.customer_id = :customerId and p.state = 'WAITING' order by 1`

export const waitingToCard = reading<{ customerId: number; methodId: number }, { id: number }>('waitingToCard')`
  select distinct w.id from withdrawal_part p join withdrawal w on w.id = p.withdrawal_id
  where p.customer_id = :customerId and p.state = 'WAITING' and w.payment_method_id = :methodId order by 1`

export const waitingOfDeposit = reading<{ depositId: string }, { id: number }>('waitingOfDeposit')`
  select distinct p.withdrawal_id as id from withdrawal_part p where p.deposit_id = :depositId and p.state = 'WAITING' order by 1`

/** For each of a page, an earlier one of the same amount to the same card, requested shortly before. */
export const repeatedWithdrawals = reading<{ ids: string; withinMs: number }, { id: number; earlier: number | null }>(
  'repeatedWithdrawals',
)`
  select w.id, (select max(e.id) from withdrawal e where e.customer_id = w.customer_id and e.id < w.id and e.amount = w.amount
      and e.currency = w.currency and e.payment_method_id = w.payment_method_id and e.created_at >= w.created_at - :withinMs
      and e.state not in ('RETURNED', 'REFUSED')) as earlier
  from withdrawal w where w.id ${inList('ids')}`

export const currencyOf = reading<{ customerId: number }, { currency: string }>('currencyOf')`
  select currency from customer where id = :customerId`

// ---- Lists

/** As operators see it. */
export type ListedWithdrawalRow = WithdrawalRow & { [Column in keyof CardRow]: CardRow[Column] | null }

const LISTED = `${WITHDRAWAL}, ${cardColumns(METHOD)}`

export const withdrawalById = reading<{ id: number }, ListedWithdrawalRow>('withdrawalById')`
  select ${LISTED} from withdrawal where id = :id`

type EventRow = { id: number; at: number; event: string; detail: string }

export const eventsOfWithdrawal = reading<{ id: number }, EventRow>('eventsOfWithdrawal')`
  select id, at, event, detail from withdrawal_event where withdrawal_id = :id order by id`

export const ownWithdrawals = reading<{ customerId: number; limit: number; offset: number }, WithdrawalRow>(
  'ownWithdrawals',
)`
  select ${WITHDRAWAL} from withdrawal where customer_id = :customerId order by id desc limit :limit offset :offset`

type Page = { before: number; limit: number }

export const withdrawalsOfCustomerBefore = reading<Page & { customerId: number }, ListedWithdrawalRow>(
  'withdrawalsOfCustomerBefore',
)`
  select ${LISTED} from withdrawal where customer_id = :customerId and id < :before order by id desc limit :limit`

type TimePage = { from: number; until: number; limit: number }

/** Newest first, by time and id. */
export const withdrawalsBetween = reading<TimePage & { beforeAt: number; before: number }, ListedWithdrawalRow>(
  'withdrawalsBetween',
)`
  select ${LISTED} from withdrawal where created_at >= :from and created_at < :until
    and (created_at < :beforeAt or (created_at = :beforeAt and id < :before)) order by created_at desc, id desc limit :limit`

/** An inbox of what persons decide: the one that waits longest first. One that is being sent waits if something holds the rest of it. */
export const withdrawalsThatWait = reading<TimePage & { after: number }, ListedWithdrawalRow>('withdrawalsThatWait')`
  select ${LISTED} from withdrawal where state in ('REQUESTED', 'SENDING', 'REVIEW') and (state <> 'SENDING' or hold is not null)
    and id > :after and created_at >= :from and created_at < :until order by id limit :limit`

/** An inbox: the one that waits longest first. */
export const withdrawalsInState = reading<TimePage & { state: WithdrawalState; after: number }, ListedWithdrawalRow>(
  'withdrawalsInState',
)`
  select ${LISTED} from withdrawal where state = :state and id > :after and created_at >= :from and created_at < :until
  order by id limit :limit`
