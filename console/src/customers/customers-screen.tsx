import type { CustomersQuery, ListedCustomer } from '../../../src/operator/api-types.ts'
import { linkTo } from '../../../web/route.ts'
import { CUSTOMER_STATUSES } from '../../../web/words/customers.ts'
import { usePagedList } from '../api/resource.ts'
import { Badge, DateTime, ScreenHeader } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { FilterBar, type FilterField } from '../parts/filter-bar.tsx'
import { Id } from '../parts/id.tsx'
import { NamedLink } from '../parts/names.tsx'
import { Pager, usePages } from '../parts/pager.tsx'
import { SavedViews } from '../parts/saved-views.tsx'
import { useRecent } from '../search/recent.ts'
import styles from './customers-screen.module.css'
import { STATUS_LOOKS } from './status-looks.ts'

export function CustomersScreen({ query }: { query: URLSearchParams }) {
  const filters = filtersOf(query)
  const list = usePagedList('listCustomers', { query: filters })
  const pages = usePages(list)
  const { items, loading, refusal, hasMore } = list
  return (
    <>
      <ScreenHeader title="Customers" />
      <FilterBar fields={FIELDS} values={filters} linkOf={linkWith}>
        <SavedViews page="customers" />
      </FilterBar>
      <RecentCustomers />
      {pages.shown.length > 0 && <CustomerTable items={pages.shown} />}
      {items.length === 0 && !loading && !refusal && (
        <p className="empty">No matching customers{hasMore ? ' so far' : ''}</p>
      )}
      <Pager pages={pages} day={filters.to} onDate={(to) => (location.hash = linkWith({ ...filters, to }))} />
    </>
  )
}

// ---- Filters

const NAMES = [
  'status',
  'verified',
  'country',
  'limits',
  'debt',
  'newDays',
  'to',
] as const satisfies (keyof CustomersQuery)[]
type Filters = Record<(typeof NAMES)[number], string>

/** Unknown values stay: the server explains what is wrong with them. */
function filtersOf(query: URLSearchParams): Filters {
  return Object.fromEntries(NAMES.map((name) => [name, (query.get(name) ?? '').trim()])) as Filters
}

function linkWith(filters: Filters): string {
  const given = Object.entries(filters).flatMap(([name, value]) => (value.trim() === '' ? [] : [[name, value.trim()]]))
  return given.length === 0 ? linkTo('customers') : `${linkTo('customers')}?${new URLSearchParams(given)}`
}

const ANY = { value: '', label: 'Any' }
const FIELDS: readonly FilterField<keyof Filters>[] = [
  {
    name: 'status',
    label: 'Status',
    options: [ANY, ...Object.entries(CUSTOMER_STATUSES).map(([value, label]) => ({ value, label }))],
  },
  {
    name: 'verified',
    label: 'Identity',
    options: [ANY, { value: 'true', label: 'Verified' }, { value: 'false', label: 'Not verified' }],
  },
  {
    name: 'country',
    label: 'Country of a card',
    maxLength: 2,
    placeholder: 'GB',
    parse: (typed) => typed.toUpperCase(),
  },
  { name: 'limits', label: 'Limits', options: [ANY, { value: 'true', label: 'Has own limits' }] },
  { name: 'debt', label: 'Debt', options: [ANY, { value: 'true', label: 'In debt' }] },
  {
    name: 'newDays',
    label: 'Registered',
    options: [
      ANY,
      { value: '1', label: 'Today' },
      { value: '7', label: 'In the last 7 days' },
      { value: '30', label: 'In the last 30 days' },
    ],
  },
]

function RecentCustomers() {
  const recent = useRecent().filter(({ screen }) => screen === 'customers')
  if (recent.length === 0) return null
  return (
    <nav aria-label="Recent customers" className="chips">
      <span className="quiet">Recent</span>
      {recent.slice(0, 5).map((one) => (
        <NamedLink key={one.id} kind="customer" id={one.id} />
      ))}
    </nav>
  )
}

// ---- The list

function CustomerTable({ items }: { items: readonly ListedCustomer[] }) {
  return (
    <DataTable
      label="Customers"
      columns={['Customer', 'Balance', 'Status', 'Identity', 'Country', 'Limits', 'Registered']}
      rows={items.map((one) => ({
        key: one.id,
        cells: [
          <CustomerCell key="customer" customer={one} />,
          <Money key="money" customer={one} />,
          <span key="status" className="chips">
            <Badge look={STATUS_LOOKS[one.status]}>{CUSTOMER_STATUSES[one.status]}</Badge>
            {one.isExcluded && one.status !== 'self-excluded' && <Badge look="bad">locked out</Badge>}
          </span>,
          <span key="identity">{one.verified ? 'Verified' : <Badge look="warn">not verified</Badge>}</span>,
          one.country ?? '',
          one.hasLimits ? 'Own' : '',
          <DateTime key="registered" at={one.createdAt} />,
        ],
      }))}
    />
  )
}

function CustomerCell({ customer: { id, username, profileName } }: { customer: ListedCustomer }) {
  return (
    <span className="sent">
      <a href={linkTo('customers', id)}>{username ?? profileName ?? `Customer ${id}`}</a>
      <span className="quiet">
        <Id value={id} />
        {profileName !== null && username !== null && profileName}
      </span>
    </span>
  )
}

function Money({ customer: { balance, debt, currency } }: { customer: ListedCustomer }) {
  return (
    <span className={styles.money}>
      {balance} {currency}
      {debt !== '0.00' && <Badge look="bad">{`owes ${debt}`}</Badge>}
    </span>
  )
}
