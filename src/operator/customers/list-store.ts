// The SQL of the list of customers. A list is read along one index, some ids at a time; `customersAmong` then reads those
// of them that pass the other filters.

import type { CustomerStatus } from '../../identity/customers/status.ts'
import { customers } from '../../identity/customers/store.ts'
import { reading } from '../../platform/database/database.ts'
import { inList } from '../../platform/database/row-list-store.ts'
import type { RowOf } from '../../platform/database/table-store.ts'

/** Where a page begins: after the customer that was registered at a time, and has an id. */
export type CustomerPosition = { id: number; created_at: number }

type Page = { at: number; before: number; limit: number }
type TimedPage = Page & { from: number }

// ---- Newest first

const OLDER = '(created_at, id) < (:at, :before) and created_at >= :from order by created_at desc, id desc limit :limit'

export const newestCustomers = reading<TimedPage, CustomerPosition>('newestCustomers')`
  select id, created_at from customer where ${OLDER}`

export const newestUnverified = reading<TimedPage, CustomerPosition>('newestUnverified')`
  select id, created_at from customer where verified = 0 and ${OLDER}`

/** As rows, not as an equality: PostgreSQL would walk all customers in the order of time to find a rare status. */
export const newestOfStatus = reading<TimedPage & { status: string }, CustomerPosition>('newestOfStatus')`
  select id, created_at from customer
  where (status, created_at, id) < (:status, :at, :before) and (status, created_at) >= (:status, :from)
  order by status desc, created_at desc, id desc limit :limit`

// ---- Highest id first: what these tables know of customers is no column of theirs

/** `rows`: a table and a condition. Accounts of the service, which have no customer, are left out by it. */
const byId = (rows: string) =>
  `select coalesce(id, 0) as id, (select c.created_at from customer c where c.id = seen.id) as created_at
   from (select customer_id as id from ${rows} and customer_id < :before
     group by customer_id order by customer_id desc limit :limit) seen
   order by seen.id desc`

type IdPage = Omit<Page, 'at'>

/** Customers who have ever had a debt: few. */
export const customersWithDebts = reading<IdPage, CustomerPosition>('customersWithDebts')`
  ${byId(`account where kind = 'debt'`)}`

export const customersWithLimits = reading<IdPage, CustomerPosition>('customersWithLimits')`
  ${byId('customer_limit where amount >= 0')}`

export const customersOfCountry = reading<IdPage & { country: string }, CustomerPosition>('customersOfCountry')`
  ${byId('payment_method where country = :country and removed_at is null')}`

// ---- The customers among them that pass the filters

/** null: any. */
export type CustomerFilters = {
  status: CustomerStatus | null
  verified: number | null
  country: string | null
  /** Only customers with limits of their own. */
  limits: 1 | null
  /** Only customers in debt. */
  debt: 1 | null
  from: number
  until: number
}

const listed = customers.pick('id, created_at, username, status, verified, currency, play_from')

export type ListedCustomerRow = RowOf<typeof listed> & {
  profile_id: number | null
  name: string | null
  balance: string | null
  /** Not positive. */
  debt: string
  country: string | null
  limits: number
}

const CARDS = 'payment_method m where m.customer_id = c.id and m.removed_at is null'
const LIMITS = '(select count(*) from customer_limit l where l.customer_id = c.id)'
const DEBT = `(select coalesce(sum(a.balance), 0) from account a where a.customer_id = c.id and a.kind = 'debt')`

/** Counts rather than `exists`, of which PostgreSQL would make a set of all cards. */
export const customersAmong = reading<CustomerFilters & { ids: string }, ListedCustomerRow>('customersAmong')`
  select ${listed.columns('c')}, p.id as profile_id, p.name,
    (select cast(a.balance as text) from account a
      where a.customer_id = c.id and a.currency = c.currency and a.kind = 'customer') as balance,
    cast(${DEBT} as text) as debt,
    (select m.country from ${CARDS} order by m.id desc limit 1) as country,
    ${LIMITS} as limits
  from customer c left join profile p on p.customer_id = c.id
  where c.id ${inList('ids')}
    and (cast(:status as text) is null or c.status = cast(:status as text))
    and (cast(:verified as integer) is null or c.verified = cast(:verified as integer))
    and c.created_at >= :from and c.created_at < :until
    and (cast(:country as text) is null or (select count(*) from ${CARDS} and m.country = cast(:country as text)) > 0)
    and (cast(:limits as integer) is null or ${LIMITS} > 0)
    and (cast(:debt as integer) is null or ${DEBT} < 0)`
