// The list of customers with filters. It is read along the index of the filter that leaves the fewest, some ids at a time,
// and ends after a bounded number of them: a page in which few pass may be short.

import type { Database } from '../../platform/database/database.ts'
import { type FilteredPage, filteredPage, type PageRequest } from '../../platform/database/filtered-list.ts'
import { idListOf } from '../../platform/database/row-list-store.ts'
import * as sql from './list-store.ts'

/** SQLite reads and filters 500 in some 5 ms, in which it serves nobody else. */
const CHUNK = 500
const MAX_CHUNKS = 10

export async function readCustomers(
  database: Database,
  filters: sql.CustomerFilters,
  { after: [created_at = 0, id = 0], limit }: PageRequest,
): Promise<FilteredPage<sql.ListedCustomerRow>> {
  const { read, isWhole } = listFor(database, filters)
  const size = isWhole ? limit + 1 : CHUNK
  const rows: sql.ListedCustomerRow[] = []
  let end: sql.CustomerPosition | undefined = { created_at, id }
  for (let chunk = 0; end !== undefined && rows.length <= limit && chunk < MAX_CHUNKS; chunk++) {
    const positions: sql.CustomerPosition[] = await read(end, size)
    rows.push(...(await passing(database, positions, filters)))
    end = positions.length < size ? undefined : positions.at(-1)
  }
  return filteredPage(rows, limit, end, (row: sql.CustomerPosition) => [row.created_at, row.id])
}

async function passing(
  database: Database,
  positions: readonly sql.CustomerPosition[],
  filters: sql.CustomerFilters,
): Promise<sql.ListedCustomerRow[]> {
  const ids = idListOf(positions.map(({ id }) => id))
  const found = new Map((await database.query(sql.customersAmong, { ...filters, ids })).map((row) => [row.id, row]))
  return positions.flatMap(({ id }) => found.get(id) ?? [])
}

type List = {
  read(after: sql.CustomerPosition, limit: number): Promise<sql.CustomerPosition[]>
  /** All of the list pass the filters. */
  isWhole: boolean
}

const NAMES = ['status', 'verified', 'country', 'limits', 'debt'] as const

/** The list with the fewest customers beside those that are wanted. */
function listFor(database: Database, filters: sql.CustomerFilters): List {
  const { status, verified, country, limits, debt, from, until } = filters
  const given = NAMES.filter((name) => filters[name] !== null)
  const isOnly = given.length <= 1
  const isOnlyEver = isOnly && from === 0 && until === Number.MAX_SAFE_INTEGER
  const byId = ({ id }: sql.CustomerPosition, limit: number) => ({ before: id, limit })
  const byTime = ({ id, created_at }: sql.CustomerPosition, limit: number) => {
    // The end of the period does not belong to it.
    const [at, before] = created_at < until ? [created_at, id] : [until, 0]
    return { from, at, before, limit }
  }
  if (debt !== null) return { read: (...page) => database.query(sql.customersWithDebts, byId(...page)), isWhole: false }
  if (status !== null && (status !== 'active' || isOnly)) {
    return { read: (...page) => database.query(sql.newestOfStatus, { ...byTime(...page), status }), isWhole: isOnly }
  }
  if (verified === 0)
    return { read: (...page) => database.query(sql.newestUnverified, byTime(...page)), isWhole: isOnly }
  if (limits !== null)
    return { read: (...page) => database.query(sql.customersWithLimits, byId(...page)), isWhole: isOnlyEver }
  if (country !== null) {
    const read: List['read'] = (...page) => database.query(sql.customersOfCountry, { ...byId(...page), country })
    return { read, isWhole: isOnlyEver }
  }
  return { read: (...page) => database.query(sql.newestCustomers, byTime(...page)), isWhole: given.length === 0 }
}
