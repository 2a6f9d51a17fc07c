import { locking, reading, writing } from '../../platform/database/database.ts'
import { inList } from '../../platform/database/row-list-store.ts'
import { bigint, integer, money, oneOf, orNull, type RowOf, table, text } from '../../platform/database/table-store.ts'
import { exclusions } from '../exclusions/store.ts'
import { CUSTOMER_STATUSES, type CustomerStatus } from './status.ts'

export const customers = table('customer', {
  id: bigint,
  username: orNull(text),
  password_hash: orNull(text),
  status: oneOf(CUSTOMER_STATUSES),
  verified: integer,
  currency: text,
  /** The name on record. */
  first_name: orNull(text),
  last_name: orNull(text),
  /** When the name was changed, or set beside money; null: never. */
  name_changed_at: orNull(bigint),
  daily_deposit_limit: orNull(money),
  funds_statement_version: integer,
  /** null: the customer has set no limits (limits.ts). */
  limits_prompted_at: orNull(bigint),
  created_at: bigint,
  erased_at: orNull(bigint),
  status_reason: orNull(text),
  /** null: since the customer was registered, or not known. */
  status_at: orNull(bigint),
  ...exclusions.declared,
})

const shown = customers.omit('password_hash, name_changed_at, limits_prompted_at')
export type CustomerRow = RowOf<typeof shown>

export const customerById = reading<{ id: number }, CustomerRow>('customerById')`
  select ${shown.columns()} from customer where id = :id`

export const knownCustomers = reading<{ ids: string }, { id: number }>('knownCustomers')`
  select id from customer where id ${inList('ids')}`

export const erasedCustomers = reading<{ ids: string }, { id: number }>('erasedCustomers')`
  select id from customer where id ${inList('ids')} and erased_at is not null`

/** The fields of a customer that operators change. */
const changeable = customers.pick(
  'username, password_hash, status, verified, currency, first_name, last_name, daily_deposit_limit',
  'funds_statement_version, erased_at',
)

export const lockCustomerState = locking<{ id: number }, RowOf<typeof changeable>>('lockCustomerState')`
  select ${changeable.columns()} from customer where id = :id for update`

const locked = customers.pick('id, status, erased_at, play_from, currency, daily_deposit_limit, first_name, last_name')
export type LockedCustomer = RowOf<typeof locked>

export const lockCustomer = locking<{ id: number }, LockedCustomer>('lockCustomer')`
  select ${locked.columns()} from customer where id = :id for update`

/** Whether something of the customer is in their currency. Their row is locked, so that nothing begins meanwhile (trigger customer_currency). */
export const currencyUse = reading<{ id: number }, { used: number }>('currencyUse')`
  select case when exists (select 1 from account where customer_id = :id) or exists (select 1 from deposit where customer_id = :id)
    or exists (select 1 from customer_limit where customer_id = :id) then 1 else 0 end as used`

/** Whether the customer has a balance, or money on its way to them. */
export const hasMoney = reading<{ id: number }, { has: number }>('hasMoney')`
  select case when exists (select 1 from account where customer_id = :id and kind = 'customer' and balance > 0)
    or exists (select 1 from withdrawal_part where customer_id = :id and state in ('WAITING', 'SENDING', 'REVIEW')) then 1 else 0 end as has`

export const passwordHashOf = reading<{ id: number }, { password_hash: string | null }>('passwordHashOf')`
  select password_hash from customer where id = :id`

/** A null is a field that was not given. */
type GivenFields = {
  id: number
  username: string | null
  passwordHash: string | null
  status: CustomerStatus | null
  verified: number | null
  currency: string | null
  dailyDepositLimit: string | null
  fundsStatementVersion: number | null
  firstName: string | null
  lastName: string | null
  now: number
}

export const insertCustomer = writing<GivenFields & { currentFundsStatement: number }>('insertCustomer')`
  insert into customer (id, username, password_hash, status, verified, currency, daily_deposit_limit,
    funds_statement_version, first_name, last_name, created_at)
  values (:id, :username, :passwordHash, coalesce(:status, 'active'), coalesce(cast(:verified as integer), 1),
    coalesce(:currency, 'GBP'), cast(:dailyDepositLimit as bigint),
    coalesce(cast(:fundsStatementVersion as integer), cast(:currentFundsStatement as integer)), cast(:firstName as text), cast(:lastName as text), :now)
  on conflict (id) do nothing`

/** A reason given again replaces the one before. */
const NEW_STATUS = '(coalesce(:status, status) <> status or cast(:statusReason as text) is not null)'

/** A null leaves the field as it is. What may itself be null (the limit of the service, a name that is not known) has `…Given`. */
export const updateCustomer = writing<
  GivenFields & {
    limitGiven: number
    firstNameGiven: number
    lastNameGiven: number
    statusReason: string | null
    nameChanged: number
  }
>('updateCustomer')`
  update customer set
    username = coalesce(:username, username), password_hash = coalesce(:passwordHash, password_hash), status = coalesce(:status, status),
    verified = coalesce(:verified, verified), currency = coalesce(:currency, currency),
    daily_deposit_limit = case when cast(:limitGiven as integer) = 1 then cast(:dailyDepositLimit as bigint) else daily_deposit_limit end,
    funds_statement_version = coalesce(:fundsStatementVersion, funds_statement_version),
    first_name = case when cast(:firstNameGiven as integer) = 1 then cast(:firstName as text) else first_name end,
    last_name = case when cast(:lastNameGiven as integer) = 1 then cast(:lastName as text) else last_name end,
    name_changed_at = case when cast(:nameChanged as integer) = 1 then cast(:now as bigint) else name_changed_at end,
    status_reason = case when ${NEW_STATUS} then cast(:statusReason as text) else status_reason end,
    status_at = case when ${NEW_STATUS} then cast(:now as bigint) else status_at end
  where id = :id`

export const reinstate = writing<{ id: number; reason: string; now: number }>('reinstate')`
  update customer set status = 'active', erased_at = null, status_reason = :reason, status_at = :now where id = :id`

/** Closes the customer too, so that tickets of any issuer are refused. */
export const eraseCustomer = writing<{ id: number; now: number }>('eraseCustomer')`
  update customer set username = null, password_hash = null, first_name = null, last_name = null, erased_at = coalesce(erased_at, :now),
    status = case when status = 'self-excluded' then status else 'closed' end, status_reason = null,
    status_at = case when status in ('closed', 'self-excluded') then status_at else :now end
  where id = :id`
