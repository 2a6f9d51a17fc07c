// The SQL of what the rules of a deposit need (rules.ts): when it begins, and when its money would be credited.

import { locking, reading } from '../../platform/database/database.ts'
import type { RowOf } from '../../platform/database/table-store.ts'
import { methods } from '../cards/store.ts'
import { type DepositorRow, depositedBy } from '../limits/deposit-facts-store.ts'
import { type DepositRow, deposits, UNDECIDED } from './store.ts'

/** Not positive. */
const debtOf = (customer: string, currency: string) =>
  `select cast(coalesce(sum(balance), 0) as text) from account where customer_id = ${customer} and currency = ${currency} and kind = 'debt'`

/** At most one: the unique index deposit_in_flight. */
export const depositInFlight = reading<{ customerId: number }, { id: string }>('depositInFlight')`
  select id from deposit where customer_id = :customerId and ${UNDECIDED}`

const rules = methods.pick('min_deposit, max_deposit, expiry_date, country, funding, wrong_cv2')
const METHOD_RULES = rules.columns('m')

export type DepositMethod = RowOf<typeof rules> & { id: number; token: string }

/** The columns of the method are null where the customer has no such card. */
export type DepositFacts = { [Column in keyof DepositMethod]: DepositMethod[Column] | null } & {
  in_flight: number
  used: string
  debt: string
  earlier_id: string | null
  /** The withdrawal that the Idempotency-Key was used for. */
  withdrawal_of_key: number | null
}

/** All that the rules of a deposit need beside the customer, whose row must be locked by a statement before. */
export const depositFacts = reading<
  {
    customerId: number
    methodId: number
    day: number
    currency: string
    apiKey: string
    idempotencyKey: string | null
  },
  DepositFacts
>('depositFacts')`
  select m.id, m.token, ${METHOD_RULES},
    case when exists (select 1 from deposit where customer_id = :customerId and ${UNDECIDED})
      then 1 else 0 end as in_flight,
    (${depositedBy(':customerId', ':day', ':currency')}) as used,
    (${debtOf(':customerId', ':currency')}) as debt,
    (select id from deposit where customer_id = :customerId and api_key = :apiKey
       and idempotency_key = :idempotencyKey) as earlier_id,
    (select id from withdrawal where customer_id = :customerId and api_key = :apiKey
       and idempotency_key = :idempotencyKey) as withdrawal_of_key
  from customer c left join payment_method m on m.id = :methodId and m.customer_id = c.id and m.removed_at is null
    and m.closed_at is null
  where c.id = :customerId`

export type LockedDeposit = DepositRow &
  Omit<DepositorRow, 'id' | 'currency' | 'first_name' | 'last_name' | 'name_changed_at'> &
  RowOf<typeof rules> & { day: number; card_open: number }

/** Everybody locks in this order: customer, as T1 does, deposit, card. Reads nothing but what it locks. */
export const lockDepositOf = locking<{ id: string }, LockedDeposit>('lockDepositOf')`
  select ${deposits.columns('d')}, d.day, c.status, c.verified, c.funds_statement_version, c.limits_prompted_at, c.play_from,
    cast(c.daily_deposit_limit as text) as daily_deposit_limit, ${METHOD_RULES},
    case when m.removed_at is null and m.closed_at is null then 1 else 0 end as card_open
  from deposit d join customer c on c.id = d.customer_id join payment_method m on m.id = d.payment_method_id
  where d.id = :id for no key update of c, d, m`

/**
 * After the lock, in a statement of its own: it sees what others committed while the lock was waited for. `used` includes the
 * deposit; no other of the customer can begin while it is in flight.
 */
export const creditFacts = reading<
  { customerId: number; day: number; currency: string },
  { used: string; debt: string }
>('creditFacts')`
  select (${depositedBy(':customerId', ':day', ':currency')}) as used, (${debtOf(':customerId', ':currency')}) as debt`
