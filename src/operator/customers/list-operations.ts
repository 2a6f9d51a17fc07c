import { CUSTOMER_STATUSES } from '../../identity/customers/status.ts'
import { DAY_MS } from '../../platform/runtime/durations.ts'
import { formatMoney } from '../../platform/runtime/money.ts'
import * as s from '../server/fields.ts'
import { operatorOperation } from '../server/operation.ts'
import { paging, positionOf, searchedPageOf } from '../server/pages.ts'
import { dayField, endOfDay } from '../server/query-days.ts'
import { shown } from '../server/shown.ts'
import { readCustomers } from './list.ts'
import type { CustomerFilters, ListedCustomerRow } from './list-store.ts'

const MAX_DAYS = 366

const filters = {
  status: s.oneOf(CUSTOMER_STATUSES, 'suspended', 'Only customers with this status.'),
  verified: s.oneOf(['true', 'false'], undefined, 'Only customers whose identity is verified, or is not.'),
  country: s.stringOf({ pattern: '^[A-Z]{2}$' }, undefined, 'Only customers with a card of this country (ISO 3166).'),
  limits: s.oneOf(['true'], undefined, 'Only customers who have set limits of their own.'),
  debt: s.oneOf(['true'], undefined, 'Only customers in debt.'),
  newDays: s.integer(
    1,
    MAX_DAYS,
    undefined,
    'Only customers who were registered within this number of days, today included.',
  ),
  to: dayField('Only customers who were registered on this day (UTC) or before.'),
}
const query = s.allOptional({ ...filters, ...paging })
export type CustomersQuery = s.SentOf<typeof query>

const listed = s.namedObject('ListedCustomer', {
  id: s.id('1'),
  username: s.orNull(s.string('alice'), 'null: the customer cannot log in.'),
  profileId: s.orNull(s.id('1'), 'null: the customer has no profile yet.'),
  profileName: s.orNull(s.string('Alice Accumulator'), 'null: the profile has none.'),
  status: s.oneOf(CUSTOMER_STATUSES, 'active'),
  isExcluded: s.boolean(false, 'Whether the customer has locked themselves out.'),
  verified: s.boolean(true),
  country: s.orNull(s.string('GB'), 'The country of the newest card; null: there is no card.'),
  currency: s.string('GBP'),
  balance: s.amount('0.00'),
  debt: s.amount('0.00', 'What the customer owes.'),
  hasLimits: s.boolean(false, 'Whether the customer has set limits.'),
  createdAt: s.time(),
})
export type ListedCustomer = s.ValueOf<typeof listed>
const listedOf = shown(listed)

const START = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] as const

export const customerListOperations = [
  operatorOperation({
    name: 'listCustomers',
    summary: 'List customers, newest first',
    description:
      'With `limits`, `debt` or `country` the highest id first. A filter that few customers pass may answer short pages: ' +
      '`searchedUntil` states how far they go.',
    route: 'GET /customers',
    role: 'accounts or cashier',
    audit: 'listed customers',
    query,
    answer: {
      200: s.searchedPage(
        listed,
        'Not null: the page may be short, and customers after this one were not looked at yet.',
      ),
    },
    problems: { 422: '`to` is a day that does not exist.' },
    example: { query: { status: 'active', verified: 'true', limit: 20 } },
    async handle({ database, now }, { query: { cursor, limit, ...given } }) {
      const after = positionOf(cursor, START)
      const page = await readCustomers(database, toFilters(given, now()), { after, limit })
      return searchedPageOf(page, (row) => showListed(row, now()))
    },
  }),
]

type Given = Omit<s.ValueOf<typeof query>, 'cursor' | 'limit'>

function toFilters({ status, verified, country, limits, debt, newDays, to }: Given, now: number): CustomerFilters {
  const today = Math.floor(now / DAY_MS) * DAY_MS
  return {
    status: status ?? null,
    verified: verified === undefined ? null : Number(verified === 'true'),
    country: country ?? null,
    limits: limits === undefined ? null : 1,
    debt: debt === undefined ? null : 1,
    from: newDays === undefined ? 0 : today - (newDays - 1) * DAY_MS,
    until: endOfDay('to', to),
  }
}

function showListed(row: ListedCustomerRow, now: number): ListedCustomer {
  return listedOf(row, {
    profileName: row.name,
    isExcluded: row.play_from > now,
    balance: formatMoney(BigInt(row.balance ?? '0')),
    debt: formatMoney(-BigInt(row.debt)),
    hasLimits: row.limits > 0,
  })
}
