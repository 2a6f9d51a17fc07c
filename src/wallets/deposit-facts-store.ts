// The SQL of what the rules of a deposit need (deposit-rules.ts): when it begins, and when its money would be credited.

import type { CustomerStatus } from '../identity/customers/status.ts'
import { locking, reading } from '../platform/database/database.ts'
import { type DepositRow, depositColumns, type MethodRow, UNDECIDED } from './store.ts'

export type DepositorRow = {
  id: number
  status: CustomerStatus
  verified: number
  currency: string
  daily_deposit_limit: string | null
  funds_statement_version: number
  /** null: the customer has set no limits (limits.ts). */
  limits_prompted_at: number | null
  /** Not before, by the customer's own time-out or self-exclusion (identity/customers/exclusion.ts). */
  play_from: number
}

/** Makes T1 of one customer's deposits run one after the other. */
export const lockDepositor = locking<{ customerId: number }, DepositorRow>(
  'lockDepositor',
  `select id, status, verified, currency, cast(daily_deposit_limit as text) as daily_deposit_limit,
     funds_statement_version, limits_prompted_at, play_from
   from customer where id = :customerId for no key update`,
)

/** The deposits that count against limits: every one that has not failed, undecided ones too. */
export const COUNTED_STATES = `'AUTHORISING', 'CHALLENGE', 'AUTHORISED', 'CAPTURED', 'REVIEW'`

/** The amount that counts against the daily limit. */
const depositedBy = (customer: string, day: string) =>
  `select cast(coalesce(sum(amount), 0) as text) as used from deposit
   where customer_id = ${customer} and day = ${day} and state in (${COUNTED_STATES})`

/** Not positive. */
const debtOf = (customer: string) =>
  `select cast(coalesce(sum(balance), 0) as text) from account where customer_id = ${customer} and kind = 'debt'`

export const depositedOn = reading<{ customerId: number; day: number }, { used: string }>(
  'depositedOn',
  depositedBy(':customerId', ':day'),
)

/** At most one: the unique index deposit_in_flight. */
export const depositInFlight = reading<{ customerId: number }, { id: string }>('depositInFlight')`
  select id from deposit where customer_id = :customerId and ${UNDECIDED}`

export type DepositMethod = Pick<
  MethodRow,
  'id' | 'token' | 'min_deposit' | 'max_deposit' | 'expiry_date' | 'country' | 'funding' | 'wrong_cv2'
>

/** The columns of the method are null where the customer has no such card. */
export type DepositFacts = { [Column in keyof DepositMethod]: DepositMethod[Column] | null } & {
  in_flight: number
  used: string
  debt: string
  earlier_id: string | null
}

const METHOD_RULES = `cast(m.min_deposit as text) as min_deposit, cast(m.max_deposit as text) as max_deposit,
     m.expiry_date, m.country, m.funding, m.wrong_cv2`

/** All that the rules of a deposit need beside the customer, whose row must be locked by a statement before. */
export const depositFacts = reading<
  { customerId: number; methodId: number; day: number; apiKey: string; idempotencyKey: string | null },
  DepositFacts
>(
  'depositFacts',
  `select m.id, m.token, ${METHOD_RULES},
     case when exists (select 1 from deposit where customer_id = :customerId and ${UNDECIDED})
       then 1 else 0 end as in_flight,
     (${depositedBy(':customerId', ':day')}) as used,
     (${debtOf(':customerId')}) as debt,
     (select id from deposit where customer_id = :customerId and api_key = :apiKey
        and idempotency_key = :idempotencyKey) as earlier_id
   from customer c left join payment_method m on m.id = :methodId and m.customer_id = c.id and m.removed_at is null
     and m.closed_at is null
   where c.id = :customerId`,
)

export type StoredDeposit = DepositRow &
  Omit<DepositorRow, 'id' | 'currency'> &
  Omit<DepositMethod, 'id' | 'token'> & { card_open: number; used: string; debt: string }

/**
 * A deposit with what the rules need to credit it. Whoever credits locks in this order: customer, as T1 does, deposit,
 * card. `used` includes this deposit; no other of the customer can begin while it is in flight.
 */
export const lockDepositWithFacts = locking<{ id: string }, StoredDeposit>(
  'lockDepositWithFacts',
  `select ${depositColumns('d.')}, c.status, c.verified, c.funds_statement_version, c.limits_prompted_at, c.play_from,
     cast(c.daily_deposit_limit as text) as daily_deposit_limit, ${METHOD_RULES},
     case when m.removed_at is null and m.closed_at is null then 1 else 0 end as card_open,
     (${depositedBy('d.customer_id', 'd.day')}) as used, (${debtOf('d.customer_id')}) as debt
   from deposit d join customer c on c.id = d.customer_id join payment_method m on m.id = d.payment_method_id
   where d.id = :id for no key update of c, d, m`,
)
