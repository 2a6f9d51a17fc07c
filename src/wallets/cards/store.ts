// The SQL of cards. A card with a deposit, a withdrawal or a closure keeps its token and its number (trigger payment_method_card):
// another token is another card.

import { locking, reading, writing } from '../../platform/database/database.ts'
import {
  bigint,
  integer,
  money,
  oneOf,
  orNull,
  type ParametersOf,
  type RowOf,
  table,
  text,
} from '../../platform/database/table-store.ts'

export const FUNDINGS = ['debit', 'credit', 'prepaid', 'unknown'] as const
export type Funding = (typeof FUNDINGS)[number]

export const methods = table('payment_method', {
  id: bigint,
  customer_id: bigint,
  type: text,
  token: text,
  min_deposit: money,
  max_deposit: money,
  card_number: text,
  issue_date: orNull(text),
  expiry_date: text,
  country: text,
  scheme: text,
  funding: oneOf(FUNDINGS),
  wrong_cv2: integer,
  /** The holder's name, for payouts. */
  first_name: orNull(text),
  last_name: orNull(text),
  /** When it was registered, reopened or changed last. */
  changed_at: bigint,
  removed_at: orNull(bigint),
  closed_at: orNull(bigint),
  /** An operator had closed it, and one reopened it. */
  reopened_at: orNull(bigint),
  /** The account behind it is closed. */
  account_closed_at: orNull(bigint),
})
export type MethodRow = RowOf<typeof methods>
const METHOD = methods.columns()

/** Without a limit: operators register a customer's cards one by one, so they are few. */
export const methodsOfCustomer = reading<{ customerId: number }, MethodRow>('methodsOfCustomer')`
  select ${METHOD} from payment_method where customer_id = :customerId and removed_at is null order by id`

/** Removed ones too: what they paid in goes back to them. */
export const allMethodsOfCustomer = reading<{ customerId: number }, MethodRow>('allMethodsOfCustomer')`
  select ${METHOD} from payment_method where customer_id = :customerId order by id`

export const methodById = reading<{ id: number }, MethodRow>('methodById')`
  select ${METHOD} from payment_method where id = :id`

/** Locked after the customer, whom every change locks first. */
export const lockMethod = locking<{ id: number }, MethodRow>('lockMethod')`
  select ${METHOD} from payment_method where id = :id for update`

/** Whether a deposit or a withdrawal refers to the card. */
export const methodHistory = reading<{ id: number }, { used: number }>('methodHistory')`
  select case when exists (select 1 from deposit where payment_method_id = :id)
    or exists (select 1 from withdrawal where payment_method_id = :id) then 1 else 0 end as used`

/** Another card of the customer that an operator has closed, with the same token or number. */
export const closedTwin = reading<
  { id: number; customerId: number; token: string; card_number: string },
  { id: number }
>('closedTwin')`
  select id from payment_method where customer_id = :customerId and id <> :id and closed_at is not null
    and (token = :token or card_number = :card_number) order by id limit 1`

const newMethods = methods.omit('wrong_cv2, removed_at, closed_at, reopened_at, account_closed_at')
const given = newMethods.omit('id, customer_id, changed_at')
/** `card_number`: the first 6 and the last 4 digits, the rest masked by `*`. Without both names the card takes no payouts. */
export type NewMethod = ParametersOf<typeof given>
const REPLACED = given.names.split(', ').map((name) => `${name} = excluded.${name}`)

/** Registering a card again resets its count of wrong cv2. A closed card stays closed until an operator reopens it. */
export const upsertMethod = writing<ParametersOf<typeof newMethods> & { now: number }>('upsertMethod')`
  ${newMethods.insert({ created_at: ':now' })}
  on conflict (id) do update set ${REPLACED.join(', ')},
    changed_at = excluded.changed_at, wrong_cv2 = 0, removed_at = null
  where payment_method.customer_id = excluded.customer_id`

/** Erases the personal data; the row stays, because deposits refer to it. */
export const eraseMethodsOf = writing<{ customerId: number; now: number }>('eraseMethodsOf')`
  update payment_method set token = '', card_number = '000000******0000', issue_date = null, first_name = null, last_name = null,
    account_closed_note = null, removed_at = coalesce(removed_at, :now)
  where customer_id = :customerId`

export const markMethodRemoved = writing<{ id: number; customerId: number; now: number }>('markMethodRemoved')`
  update payment_method set removed_at = :now where id = :id and customer_id = :customerId and removed_at is null`

/** 0 rows: the customer has no such card. */
export const closeMethod = writing<{ id: number; customerId: number; now: number }>('closeMethod')`
  update payment_method set closed_at = coalesce(closed_at, :now)
  where id = :id and customer_id = :customerId and removed_at is null`

/** As `closeMethod`. */
export const reopenMethod = writing<{ id: number; customerId: number; now: number }>('reopenMethod')`
  update payment_method set reopened_at = case when closed_at is null then reopened_at else :now end, closed_at = null, wrong_cv2 = 0,
    changed_at = :now
  where id = :id and customer_id = :customerId and removed_at is null`

/** Records that the account behind the card is closed. No row: it was recorded before. */
export const closeAccount = writing<{ id: number; now: number; note: string }, { customer_id: number }>('closeAccount')`
  update payment_method set account_closed_at = :now, account_closed_note = :note where id = :id and account_closed_at is null
  returning customer_id`

export const countWrongCv2 = writing<{ id: number }, { customer_id: number; wrong_cv2: number }>('countWrongCv2')`
  update payment_method set wrong_cv2 = wrong_cv2 + 1 where id = :id returning customer_id, wrong_cv2`

export const resetWrongCv2 = writing<{ id: number }>('resetWrongCv2')`
  update payment_method set wrong_cv2 = 0 where id = :id and wrong_cv2 > 0`
