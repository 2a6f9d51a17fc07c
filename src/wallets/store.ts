// The SQL of payment methods, deposits and notifications (jobs: job-store.ts). Every change of a deposit's state names the state that it
// leaves, so that of two at the same time only one succeeds.

import { idList, locking, reading, writing } from '../platform/database/database.ts'
import type { ReviewReason } from './deposit-reasons.ts'
import type { DepositFault } from './faults.ts'
import type { Period } from './limit-periods.ts'

// ---- Payment methods

export const FUNDINGS = ['debit', 'credit', 'prepaid', 'unknown'] as const
export type Funding = (typeof FUNDINGS)[number]

export type MethodRow = {
  id: number
  customer_id: number
  type: string
  token: string
  min_deposit: string
  max_deposit: string
  card_number: string
  issue_date: string | null
  expiry_date: string
  country: string
  scheme: string
  funding: Funding
  wrong_cv2: number
  closed_at: number | null
}

const METHOD = `id, customer_id, type, token, cast(min_deposit as text) as min_deposit,
  cast(max_deposit as text) as max_deposit, card_number, issue_date, expiry_date, country, scheme, funding, wrong_cv2,
  closed_at`

/** Without a limit: operators register a customer's cards one by one, so they are few. */
export const methodsOfCustomer = reading<{ customerId: number }, MethodRow>(
  'methodsOfCustomer',
  `select ${METHOD} from payment_method where customer_id = :customerId and removed_at is null order by id`,
)

export const lockMethod = locking<{ id: number }, { customer_id: number; removed_at: number | null }>(
  'lockMethod',
  'select customer_id, removed_at from payment_method where id = :id for update',
)

/** Registering a card again resets its count of wrong cv2. A closed card stays closed until an operator reopens it. */
export const upsertMethod = writing<{
  id: number
  customerId: number
  type: string
  token: string
  minDeposit: bigint
  maxDeposit: bigint
  cardNumber: string
  issueDate: string | null
  expiryDate: string
  country: string
  scheme: string
  funding: Funding
  now: number
}>(
  'upsertMethod',
  `insert into payment_method (id, customer_id, type, token, min_deposit, max_deposit, card_number, issue_date,
     expiry_date, country, scheme, funding, created_at)
   values (:id, :customerId, :type, :token, :minDeposit, :maxDeposit, :cardNumber, :issueDate, :expiryDate, :country, :scheme, :funding, :now)
   on conflict (id) do update set type = excluded.type, token = excluded.token, min_deposit = excluded.min_deposit,
     max_deposit = excluded.max_deposit, card_number = excluded.card_number, issue_date = excluded.issue_date,
     expiry_date = excluded.expiry_date, country = excluded.country, scheme = excluded.scheme,
     funding = excluded.funding, wrong_cv2 = 0, removed_at = null
   where payment_method.customer_id = excluded.customer_id`,
)

/** Erases the personal data; the row stays, because deposits refer to it. */
export const eraseMethodsOf = writing<{ customerId: number; now: number }>(
  'eraseMethodsOf',
  `update payment_method set token = '', card_number = '000000******0000', issue_date = null,
     removed_at = coalesce(removed_at, :now)
   where customer_id = :customerId`,
)

export const markMethodRemoved = writing<{ id: number; customerId: number; now: number }>(
  'markMethodRemoved',
  'update payment_method set removed_at = :now where id = :id and customer_id = :customerId and removed_at is null',
)

/** 0 rows: the customer has no such card. */
export const closeMethod = writing<{ id: number; customerId: number; now: number }>(
  'closeMethod',
  `update payment_method set closed_at = coalesce(closed_at, :now)
   where id = :id and customer_id = :customerId and removed_at is null`,
)

/** As `closeMethod`. */
export const reopenMethod = writing<{ id: number; customerId: number }>(
  'reopenMethod',
  `update payment_method set closed_at = null, wrong_cv2 = 0
   where id = :id and customer_id = :customerId and removed_at is null`,
)

export const countWrongCv2 = writing<{ id: number }>(
  'countWrongCv2',
  'update payment_method set wrong_cv2 = wrong_cv2 + 1 where id = :id',
)

export const resetWrongCv2 = writing<{ id: number }>(
  'resetWrongCv2',
  'update payment_method set wrong_cv2 = 0 where id = :id and wrong_cv2 > 0',
)

// ---- Deposits

/** Captures of one batch are recorded together. */
export const DEPOSITS_AT_ONCE = 20
export const DEPOSIT_IDS = idList(DEPOSITS_AT_ONCE)
export type DepositIds = { readonly [name: `id${number}`]: string }

/** Unused places are empty, which is no deposit's id. */
export function depositIds(ids: readonly string[]): DepositIds {
  if (ids.length > DEPOSITS_AT_ONCE) throw new Error(`${ids.length} deposits at once: at most ${DEPOSITS_AT_ONCE}`)
  return Object.fromEntries(
    Array.from({ length: DEPOSITS_AT_ONCE }, (_, index) => [`id${index + 1}`, ids[index] ?? '']),
  )
}

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

export type DepositRow = {
  number: number
  id: string
  customer_id: number
  idempotency_key: string | null
  payment_method_id: number
  gateway: string
  amount: string
  currency: string
  state: DepositState
  fault: DepositFault | null
  /** Of the customer's own limit, where that is why it was voided. */
  limit_period: Period | null
  review: ReviewReason | null
  gateway_reference: string | null
  created_at: number
  decided_at: number | null
}

/** `alias`: the deposit's table in a statement with several, with its dot. */
export function depositColumns(alias: string): string {
  const columns = [
    'number',
    'id',
    'customer_id',
    'idempotency_key',
    'payment_method_id',
    'gateway',
    'currency',
    'state',
  ]
  columns.push('fault', 'limit_period', 'review', 'gateway_reference', 'created_at', 'decided_at')
  return `${columns.map((column) => `${alias}${column}`).join(', ')}, cast(${alias}amount as text) as amount`
}

export const DEPOSIT = depositColumns('')

export const depositById = reading<{ id: string }, DepositRow>(
  'depositById',
  `select ${DEPOSIT} from deposit where id = :id`,
)

/** An empty one is nobody's. */
export const depositByGatewayReference = reading<{ gatewayReference: string }, { id: string }>(
  'depositByGatewayReference',
)`
  select id from deposit where gateway_reference = :gatewayReference order by number desc limit 1`

/** Makes the changes of one deposit run one after the other. Its events may be written meanwhile. */
export const lockDeposit = locking<{ id: string }, DepositRow>(
  'lockDeposit',
  `select ${DEPOSIT} from deposit where id = :id for no key update`,
)

export const insertDeposit = writing<{
  id: string
  customerId: number
  apiKey: string
  idempotencyKey: string | null
  methodId: number
  gateway: string
  amount: bigint
  currency: string
  day: number
  leaseUntil: number
  now: number
}>(
  'insertDeposit',
  `insert into deposit (id, customer_id, api_key, idempotency_key, payment_method_id, gateway, amount, currency, day,
     state, lease_until, created_at)
   values (:id, :customerId, :apiKey, :idempotencyKey, :methodId, :gateway, :amount, :currency, :day, 'AUTHORISING', :leaseUntil, :now)`,
)

/** `wrong_cv2`: how many wrong ones in a row the card had before. */
export const approveDeposit = writing<
  { id: string; gatewayReference: string; now: number },
  DepositRow & { wrong_cv2: number }
>(
  'approveDeposit',
  `update deposit set state = 'AUTHORISED', gateway_reference = :gatewayReference, decided_at = :now
   where id = :id and ${UNDECIDED}
   returning ${DEPOSIT}, (select wrong_cv2 from payment_method m where m.id = payment_method_id) as wrong_cv2`,
)

export const declineDeposit = writing<{ id: string; fault: DepositFault; now: number }, DepositRow>(
  'declineDeposit',
  `update deposit set state = 'DECLINED', fault = :fault, decided_at = :now
   where id = :id and ${UNDECIDED} returning ${DEPOSIT}`,
)

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
>(
  'voidDeposit',
  `update deposit set state = 'VOIDING', fault = :fault, limit_period = cast(:period as text), gateway_reference = :gatewayReference, decided_at = :now
   where id = :id and ${UNDECIDED}
     and (cast(:lease as bigint) is null or lease_until = cast(:lease as bigint)) returning ${DEPOSIT}`,
)

export const captureDeposits = writing<DepositIds, DepositRow>(
  'captureDeposits',
  `update deposit set state = 'CAPTURED' where id in (${DEPOSIT_IDS}) and state = 'AUTHORISED' returning ${DEPOSIT}`,
)

export const finishVoid = writing<{ id: string }>(
  'finishVoid',
  `update deposit set state = 'VOIDED' where id = :id and state = 'VOIDING'`,
)

export const reviewDeposit = writing<{ id: string; review: ReviewReason; from: DepositState; now: number }>(
  'reviewDeposit',
  `update deposit set state = 'REVIEW', review = :review, review_at = :now where id = :id and state = :from`,
)

export const resolveDeposit = writing<{ id: string; state: 'CAPTURED' | 'VOIDED' }>(
  'resolveDeposit',
  `update deposit set state = :state where id = :id and state = 'REVIEW'`,
)

export const insertDepositEvent = writing<{ depositId: string; now: number; event: string; detail: string }>(
  'insertDepositEvent',
  'insert into deposit_event (deposit_id, at, event, detail) values (:depositId, :now, :event, :detail)',
)

export const insertDepositEvents = writing<DepositIds & { now: number; event: string; detail: string }>(
  'insertDepositEvents',
  `insert into deposit_event (deposit_id, at, event, detail)
   select id, :now, :event, :detail from deposit where id in (${DEPOSIT_IDS})`,
)

// ---- Notifications

export const insertNotification = writing<{
  gateway: string
  key: string
  event: string
  success: number
  depositId: string
  now: number
}>(
  'insertNotification',
  `insert into gateway_notification (gateway, notification_key, event, success, deposit_id, received_at)
   values (:gateway, :key, :event, :success, :depositId, :now) on conflict (gateway, notification_key) do nothing`,
)
