// The SQL of payment methods, deposits and their jobs. Every change of a deposit's state names the state that it
// changes: two that decide at once cannot both.

import { statement } from '../database/database.ts'

// ---- Who deposits

export type DepositorRow = {
  id: number
  status: string
  verified: number
  currency: string
  daily_deposit_limit: string | null
  funds_statement_version: number
}

/** Deposits of one customer are begun one after the other. */
export const lockDepositor = statement<[customerId: number], DepositorRow>(
  'lockDepositor',
  `select id, status, verified, currency, cast(daily_deposit_limit as text) as daily_deposit_limit,
     funds_statement_version
   from customer where id = $1 for no key update`,
)

// ---- Payment methods

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
  funding: string
  wrong_cv2: number
}

const METHOD = `id, customer_id, type, token, cast(min_deposit as text) as min_deposit,
  cast(max_deposit as text) as max_deposit, card_number, issue_date, expiry_date, country, scheme, funding, wrong_cv2`

/** Bounded: a customer's cards are registered by the operator, one by one. */
export const methodsOfCustomer = statement<[customerId: number], MethodRow>(
  'methodsOfCustomer',
  `select ${METHOD} from payment_method where customer_id = $1 and removed_at is null order by id`,
)

export const methodOfCustomer = statement<[id: number, customerId: number], MethodRow>(
  'methodOfCustomer',
  `select ${METHOD} from payment_method where id = $1 and customer_id = $2 and removed_at is null`,
)

export const lockMethod = statement<[id: number], { customer_id: number; removed_at: number | null }>(
  'lockMethod',
  'select customer_id, removed_at from payment_method where id = $1 for update',
)

/** A method that is put again starts with no wrong cv2: this is how an operator clears it. */
export const upsertMethod = statement<
  [
    id: number,
    customerId: number,
    type: string,
    token: string,
    minDeposit: bigint,
    maxDeposit: bigint,
    cardNumber: string,
    issueDate: string | null,
    expiryDate: string,
    country: string,
    scheme: string,
    funding: string,
    now: number,
  ]
>(
  'upsertMethod',
  `insert into payment_method (id, customer_id, type, token, min_deposit, max_deposit, card_number, issue_date,
     expiry_date, country, scheme, funding, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
   on conflict (id) do update set type = excluded.type, token = excluded.token, min_deposit = excluded.min_deposit,
     max_deposit = excluded.max_deposit, card_number = excluded.card_number, issue_date = excluded.issue_date,
     expiry_date = excluded.expiry_date, country = excluded.country, scheme = excluded.scheme,
     funding = excluded.funding, wrong_cv2 = 0, removed_at = null
   where payment_method.customer_id = excluded.customer_id`,
)

/** What tells of a person goes; the row stays, because deposits name it. */
export const eraseMethodsOf = statement<[customerId: number, now: number]>(
  'eraseMethodsOf',
  `update payment_method set token = '', card_number = '000000******0000', issue_date = null,
     removed_at = coalesce(removed_at, $2)
   where customer_id = $1`,
)

export const removeMethod = statement<[id: number, customerId: number, now: number]>(
  'removeMethod',
  'update payment_method set removed_at = $3 where id = $1 and customer_id = $2 and removed_at is null',
)

export const countWrongCv2 = statement<[id: number]>(
  'countWrongCv2',
  'update payment_method set wrong_cv2 = wrong_cv2 + 1 where id = $1',
)

export const forgetWrongCv2 = statement<[id: number]>(
  'forgetWrongCv2',
  'update payment_method set wrong_cv2 = 0 where id = $1 and wrong_cv2 > 0',
)

// ---- Deposits

export type DepositState = 'AUTHORISING' | 'AUTHORISED' | 'CAPTURED' | 'DECLINED' | 'VOIDING' | 'VOIDED' | 'REVIEW'

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
  fault: string | null
  review: string | null
  gateway_reference: string | null
  created_at: number
  decided_at: number | null
}

export const DEPOSIT = `number, id, customer_id, idempotency_key, payment_method_id, gateway, cast(amount as text) as amount, currency, state,
  fault, review, gateway_reference, created_at, decided_at`

export const depositById = statement<[id: string], DepositRow>(
  'depositById',
  `select ${DEPOSIT} from deposit where id = $1`,
)

export const lockDeposit = statement<[id: string], DepositRow>(
  'lockDeposit',
  `select ${DEPOSIT} from deposit where id = $1 for update`,
)

export const depositByKey = statement<[customerId: number, apiKey: string, key: string], DepositRow>(
  'depositByKey',
  `select ${DEPOSIT} from deposit where customer_id = $1 and api_key = $2 and idempotency_key = $3`,
)

export const depositInFlight = statement<[customerId: number], { id: string }>(
  'depositInFlight',
  `select id from deposit where customer_id = $1 and state = 'AUTHORISING'`,
)

/** What counts against the daily limit: all that has not failed, reserved amounts too. */
export const depositedOn = statement<[customerId: number, day: number], { used: string }>(
  'depositedOn',
  `select cast(coalesce(sum(amount), 0) as text) as used from deposit
   where customer_id = $1 and day = $2 and state in ('AUTHORISING', 'AUTHORISED', 'CAPTURED', 'REVIEW')`,
)

export const insertDeposit = statement<
  [
    id: string,
    customerId: number,
    apiKey: string,
    idempotencyKey: string | null,
    methodId: number,
    gateway: string,
    amount: bigint,
    currency: string,
    day: number,
    leaseUntil: number,
    now: number,
  ]
>(
  'insertDeposit',
  `insert into deposit (id, customer_id, api_key, idempotency_key, payment_method_id, gateway, amount, currency, day,
     state, lease_until, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'AUTHORISING', $10, $11)`,
)

export const approveDeposit = statement<[id: string, gatewayReference: string, now: number]>(
  'approveDeposit',
  `update deposit set state = 'AUTHORISED', gateway_reference = $2, decided_at = $3
   where id = $1 and state = 'AUTHORISING'`,
)

export const declineDeposit = statement<[id: string, fault: string, now: number]>(
  'declineDeposit',
  `update deposit set state = 'DECLINED', fault = $2, decided_at = $3 where id = $1 and state = 'AUTHORISING'`,
)

export const voidDeposit = statement<[id: string, fault: string, gatewayReference: string | null, now: number]>(
  'voidDeposit',
  `update deposit set state = 'VOIDING', fault = $2, gateway_reference = $3, decided_at = $4
   where id = $1 and state = 'AUTHORISING'`,
)

export const captureDeposit = statement<[id: string]>(
  'captureDeposit',
  `update deposit set state = 'CAPTURED' where id = $1 and state = 'AUTHORISED'`,
)

export const finishVoid = statement<[id: string]>(
  'finishVoid',
  `update deposit set state = 'VOIDED' where id = $1 and state = 'VOIDING'`,
)

export const reviewDeposit = statement<[id: string, review: string, from: DepositState]>(
  'reviewDeposit',
  `update deposit set state = 'REVIEW', review = $2 where id = $1 and state = $3`,
)

export const resolveDeposit = statement<[id: string, state: 'CAPTURED' | 'VOIDED']>(
  'resolveDeposit',
  `update deposit set state = $2 where id = $1 and state = 'REVIEW'`,
)

export const insertDepositEvent = statement<[depositId: string, now: number, event: string, detail: string]>(
  'insertDepositEvent',
  'insert into deposit_event (deposit_id, at, event, detail) values ($1, $2, $3, $4)',
)

// ---- Jobs and leases

/** Several processes take different rows. */
export const expiredDeposits = statement<[now: number, limit: number], { id: string }>(
  'expiredDeposits',
  `select id from deposit where state = 'AUTHORISING' and lease_until <= $1 order by lease_until limit $2
   for update skip locked`,
)

export type JobKind = 'capture' | 'cancel'

/** A job that is asked for again begins again: whoever is at the first one must not end the second. */
export const insertJob = statement<[depositId: string, kind: JobKind, now: number]>(
  'insertJob',
  `insert into job (deposit_id, kind, run_at, created_at) values ($1, $2, $3, $3)
   on conflict (deposit_id, kind) do update set run_at = excluded.run_at, attempts = 0,
     created_at = case when excluded.created_at > job.created_at then excluded.created_at else job.created_at + 1 end`,
)

export type JobRow = {
  deposit_id: string
  kind: JobKind
  attempts: number
  created_at: number
  amount: string
  currency: string
  gateway_reference: string | null
}

export const JOBS_AT_ONCE = 20

/**
 * Takes due jobs until `until`: whoever took one and died leaves it to others then. The limit stands in the text, so
 * that the planner knows how few they are.
 */
export const claimJobs = statement<[now: number, until: number], JobRow>(
  'claimJobs',
  `with due as materialized (
     select id from job where run_at <= $1 order by run_at limit ${JOBS_AT_ONCE} for update skip locked)
   update job set run_at = $2, attempts = attempts + 1 where id in (select id from due)
   returning deposit_id, kind, attempts, created_at,
     (select cast(d.amount as text) from deposit d where d.id = job.deposit_id) as amount,
     (select d.currency from deposit d where d.id = job.deposit_id) as currency,
     (select d.gateway_reference from deposit d where d.id = job.deposit_id) as gateway_reference`,
)

export const postponeJob = statement<[depositId: string, kind: JobKind, runAt: number]>(
  'postponeJob',
  'update job set run_at = $3 where deposit_id = $1 and kind = $2',
)

/** With a time: only the job that was asked for then. */
export const deleteJob = statement<[depositId: string, kind: JobKind, createdAt: number | null]>(
  'deleteJob',
  `delete from job where deposit_id = $1 and kind = $2
     and (cast($3 as bigint) is null or created_at = cast($3 as bigint))`,
)

// ---- Notifications

export const insertNotification = statement<
  [gateway: string, key: string, event: string, success: number, depositId: string, now: number]
>(
  'insertNotification',
  `insert into gateway_notification (gateway, notification_key, event, success, deposit_id, received_at)
   values ($1, $2, $3, $4, $5, $6) on conflict (gateway, notification_key) do nothing`,
)
