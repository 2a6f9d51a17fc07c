// The SQL of deposits. Every change of a deposit's state names the state that it leaves, so that of two at the same time only one
// succeeds.

import { locking, reading, writing } from '../../platform/database/database.ts'
import type { Column, ParametersOf, RowOf } from '../../platform/database/table-store.ts'
import { bigint, integer, money, oneOf, orNull, table, text } from '../../platform/database/table-store.ts'
import type { DepositFault } from '../faults.ts'
import { DEPOSIT_IDS, type DepositIds } from '../jobs/deposit-ids.ts'
import { PERIODS, type Period } from '../periods.ts'
import { REVIEW_REASONS, type ReviewReason } from './reasons.ts'

export const DEPOSIT_STATES = [
  'AUTHORISING',
  'CHALLENGE',
  'AUTHORISED',
  'CAPTURED',
  'DECLINED',
  'VOIDING',
  'VOIDED',
  'REVIEW',
] as const
export type DepositState = (typeof DEPOSIT_STATES)[number]

/** In flight: the customer can begin no other. As the partial indexes of the table have it. */
export const UNDECIDED = `state in ('AUTHORISING', 'CHALLENGE')`

export function isUndecided({ state }: { state: DepositState }): boolean {
  return state === 'AUTHORISING' || state === 'CHALLENGE'
}

export const depositTable = table('deposit', {
  number: bigint,
  id: text,
  customer_id: bigint,
  api_key: text,
  idempotency_key: orNull(text),
  payment_method_id: bigint,
  gateway: text,
  amount: money,
  currency: text,
  day: integer,
  state: oneOf(DEPOSIT_STATES),
  fault: orNull(text as Column<DepositFault>),
  /** The period of the customer's own limit, where that is why the deposit was voided. */
  limit_period: orNull(oneOf(PERIODS)),
  review: orNull(oneOf(REVIEW_REASONS)),
  gateway_reference: orNull(text),
  /** What the gateway took: less than the amount where it captured a part. */
  captured: money,
  captured_at: orNull(bigint),
  /** The hash of what was requested with the Idempotency-Key; null: stored by an earlier version. */
  request_hash: orNull(text),
  /** 1: the gateway refuses refunds of it for good. */
  return_refused: integer,
  lease_until: bigint,
  created_at: bigint,
  decided_at: orNull(bigint),
})

export const deposits = depositTable.omit('api_key, day, lease_until')
export type DepositRow = RowOf<typeof deposits>
export const DEPOSIT = deposits.columns()

export const depositById = reading<{ id: string }, DepositRow>('depositById')`
  select ${DEPOSIT} from deposit where id = :id`

/** An empty reference matches no deposit. */
export const depositByGatewayReference = reading<{ gatewayReference: string }, { id: string }>(
  'depositByGatewayReference',
)`
  select id from deposit where gateway_reference = :gatewayReference order by number desc limit 1`

/** Makes the changes of one deposit run one after the other. Its events may be written meanwhile. */
export const lockDeposit = locking<{ id: string }, DepositRow>('lockDeposit')`
  select ${DEPOSIT} from deposit where id = :id for no key update`

const newDeposits = depositTable.pick(
  'id, customer_id, api_key, idempotency_key, payment_method_id, gateway',
  'amount, currency, day, request_hash, lease_until, created_at',
)
export const insertDeposit = writing<ParametersOf<typeof newDeposits>>(
  'insertDeposit',
  newDeposits.insert({ state: `'AUTHORISING'` }),
)

/** `wrong_cv2`: how many wrong ones in a row the card had before. */
export const approveDeposit = writing<
  { id: string; gatewayReference: string; now: number },
  DepositRow & { wrong_cv2: number }
>('approveDeposit')`
  update deposit set state = 'AUTHORISED', gateway_reference = :gatewayReference, decided_at = :now
  where id = :id and ${UNDECIDED}
  returning ${DEPOSIT}, (select wrong_cv2 from payment_method m where m.id = payment_method_id) as wrong_cv2`

export const declineDeposit = writing<{ id: string; fault: DepositFault; now: number }, DepositRow>('declineDeposit')`
  update deposit set state = 'DECLINED', fault = :fault, decided_at = :now
  where id = :id and ${UNDECIDED} returning ${DEPOSIT}`

/** Reported after the answer was lost, or after the deposit had failed: cancels and refunds name it. */
export const setGatewayReference = writing<{ id: string; gatewayReference: string }>('setGatewayReference')`
  update deposit set gateway_reference = :gatewayReference where id = :id and gateway_reference is null`

/** With `lease`: only while the deposit has that lease. A challenge that began since has a new one. */
export const voidDeposit = writing<
  {
    id: string
    fault: DepositFault
    period: Period | null
    gatewayReference: string | null
    lease: number | null
    now: number
  },
  DepositRow
>('voidDeposit')`
  update deposit set state = 'VOIDING', fault = :fault, limit_period = cast(:period as text),
    gateway_reference = coalesce(cast(:gatewayReference as text), gateway_reference), decided_at = :now
  where id = :id and ${UNDECIDED}
    and (cast(:lease as bigint) is null or lease_until = cast(:lease as bigint)) returning ${DEPOSIT}`

/** Captures AUTHORISED deposits whole; without the customer's lock, because no balance changes. */
export const captureDeposits = writing<DepositIds & { now: number }, DepositRow>('captureDeposits')`
  update deposit set state = 'CAPTURED', captured = amount, captured_at = :now
  where id in (${DEPOSIT_IDS}) and state = 'AUTHORISED' returning ${DEPOSIT}`

type Changed = { id: string; from: DepositState; to: DepositState }

/** `captured`: what the gateway has taken now. */
export const setCaptured = writing<Changed & { captured: bigint; capturedAt: number }, DepositRow>('setCaptured')`
  update deposit set state = :to, captured = :captured, captured_at = coalesce(captured_at, cast(:capturedAt as bigint))
  where id = :id and state = :from returning ${DEPOSIT}`

export const setVoided = writing<Changed, DepositRow>('setVoided')`
  update deposit set state = :to where id = :id and state = :from returning ${DEPOSIT}`

/** No part of it counts as captured any longer. */
export const setReview = writing<Changed & { review: ReviewReason; now: number }, DepositRow>('setReview')`
  update deposit set state = :to, review = :review, review_at = :now, captured = 0, captured_at = null
  where id = :id and state = :from returning ${DEPOSIT}`

export const refuseReturns = writing<{ id: string }>('refuseReturns')`
  update deposit set return_refused = 1 where id = :id`

/** How often its money moved: the next step of its transfers. */
export const depositSteps = reading<{ id: string }, { steps: number }>('depositSteps')`
  select coalesce(max(step), 0) + 1 as steps from transfer where deposit_id = :id`

export const insertDepositEvent = writing<{ depositId: string; now: number; event: string; detail: string }>(
  'insertDepositEvent',
)`
  insert into deposit_event (deposit_id, at, event, detail) values (:depositId, :now, :event, :detail)`

export const insertDepositEvents = writing<DepositIds & { now: number; event: string; detail: string }>(
  'insertDepositEvents',
)`
  insert into deposit_event (deposit_id, at, event, detail)
  select id, :now, :event, :detail from deposit where id in (${DEPOSIT_IDS})`

type EventRow = { id: number; at: number; event: string; detail: string }

/** The beginning is taken from the deposit's own row; earlier versions stored it as an event too. */
export const eventsOfDeposit = reading<{ depositId: string }, EventRow>('eventsOfDeposit')`
  select created_at as at, 'begun' as event, '' as detail, 0 as id from deposit where id = :depositId
  union all
  select at, event, detail, id from deposit_event where deposit_id = :depositId and event <> 'begun'
  order by id`
