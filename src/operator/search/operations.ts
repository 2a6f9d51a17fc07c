// One search over what an operator may read: customers, profiles, comments, deposits.

import { minuteText } from '../../platform/runtime/iso-time.ts'
import { formatMoney, parseMoney } from '../../platform/runtime/money.ts'
import { defaultName } from '../../profiles/profile-view.ts'
import { parseQuery, type SearchQuery } from '../../search/search.ts'
import { reachInComments, reachInProfiles, wordParameters } from '../../search/store.ts'
import type { OperatorContext } from '../context.ts'
import { mayRead } from '../server/call-roles.ts'
import * as s from '../server/fields.ts'
import { operatorOperation } from '../server/operation.ts'
import { pageOf, positionOf } from '../server/pages.ts'
import { timedEvent } from '../sportsbook/timed-event.ts'
import * as sql from './store.ts'

export const SEARCH_KINDS = ['customer', 'profile', 'comment', 'deposit'] as const
export type SearchKind = (typeof SEARCH_KINDS)[number]

const kind = s.oneOf(SEARCH_KINDS, 'profile')

export const searchQuery = s.object(
  { q: s.text(1, 100, 'bob', 'What to search for.') },
  {
    kind: s.oneOf(SEARCH_KINDS, undefined, 'Only these.'),
    cursor: s.stringOf({ maxLength: 100 }, undefined, 'The cursor of a group; send its `kind` too.'),
    limit: s.withDefault(s.integer(1, 50, 10, 'How many items each group has.'), 10),
  },
)

const result = s.namedObject('SearchResult', {
  kind,
  id: s.string('2', 'As in the path of its own call.'),
  title: s.string('Bob Both Teams'),
  detail: s.string('Active profile of customer 2'),
})
export type SearchResult = s.ValueOf<typeof result>

const group = s.object({
  kind,
  items: s.list(result),
  cursor: s.orNull(s.string(), 'Send it as `cursor`, with `kind`, for more. null: these are all that are found.', null),
})

export const searchResults = s.object({
  groups: s.list(group, 'One for each kind that the caller may read, without those that have no item.'),
})

/** `words`: null if there is too little to search texts for. */
type Search = { q: string; words: SearchQuery | null; cursor: string | undefined; limit: number }
type Group = { items: SearchResult[]; cursor: string | null }

export const searchOperatorOperations = [
  operatorOperation({
    name: 'searchAll',
    summary: 'Search customers, profiles, comments and deposits',
    description:
      'Customers by id, the beginning of their user name, and profile name; profiles by id, name and biography; comments by id and ' +
      'text; deposits by payment id, gateway reference, amount (`25.00` or `£25`) and the last four digits of the card. Every word must ' +
      'begin a word of the text. Each group has the kinds that the caller’s role may read.',
    route: 'GET /search',
    role: 'any',
    audit: 'searched',
    query: searchQuery,
    answer: { 200: searchResults },
    example: { query: { q: 'bob' } },
    async handle(context, { operator, query: { q, kind, cursor, limit } }) {
      const search: Search = { q: q.trim(), words: parseQuery(q) ?? null, cursor, limit }
      const kinds = SEARCH_KINDS.filter((one) => (kind ?? one) === one && mayRead(operator, one))
      const groups = await Promise.all(
        kinds.map(async (one) => ({ kind: one, ...(await FINDERS[one](context, search)) })),
      )
      return { groups: groups.filter(({ items }) => items.length > 0) }
    },
  }),
]

const FINDERS: Record<SearchKind, (context: OperatorContext, search: Search) => Promise<Group>> = {
  customer: findCustomers,
  profile: findProfiles,
  comment: findComments,
  deposit: findDeposits,
}

const NO_ID = -1
const LAST = Number.MAX_SAFE_INTEGER

function idIn(q: string): number {
  return /^[0-9]{1,15}$/.test(q) ? Number(q) : NO_ID
}

/** One page: who is not among the first is found by more letters. */
function firstOf(items: SearchResult[], limit: number): Group {
  return { items: items.slice(0, limit), cursor: null }
}

async function findCustomers({ database }: OperatorContext, { q, words, limit }: Search): Promise<Group> {
  const prefix = q.toLowerCase()
  const named = { prefix, end: `${prefix}\u{10ffff}`, id: idIn(q), limit }
  const byAccount = await database.query(sql.customersByIdOrUsername, named)
  const profiles =
    words === null
      ? []
      : await database.query(sql.profilesForOperators, {
          ...wordParameters(database, words),
          ...reachInProfiles(limit),
        })
  const seen = new Set(byAccount.map(({ id }) => id))
  const byProfile = profiles
    .filter(({ rank, customer_id }) => rank === 1 && !seen.has(customer_id))
    .map((row) => ({ id: row.customer_id, username: row.username, status: row.customer_status, name: row.name }))
  return firstOf([...byAccount, ...byProfile].map(customerResult), limit)
}

function customerResult({ id, username, status, name }: sql.FoundCustomer): SearchResult {
  const parts = [`Customer ${id}`, status, ...(name === null ? [] : [`profile ${name}`])]
  return { kind: 'customer', id: `${id}`, title: username ?? name ?? `Customer ${id}`, detail: parts.join(' · ') }
}

async function findProfiles({ database }: OperatorContext, { q, words, limit }: Search): Promise<Group> {
  const byId = await database.one(sql.profileForOperators, { id: idIn(q) })
  const found =
    words === null
      ? []
      : await database.query(sql.profilesForOperators, {
          ...wordParameters(database, words),
          ...reachInProfiles(limit),
        })
  const rows = [...(byId === undefined ? [] : [byId]), ...found.filter(({ id }) => id !== byId?.id)]
  return firstOf(rows.map(profileResult), limit)
}

function profileResult({ id, name, biography, status }: sql.FoundProfile): SearchResult {
  const parts = [`Profile ${id}`, ...(status === 'A' ? [] : ['inactive']), ...(biography === '' ? [] : [biography])]
  return { kind: 'profile', id: `${id}`, title: name ?? defaultName(id), detail: parts.join(' · ') }
}

async function findComments({ database }: OperatorContext, { q, words, cursor, limit }: Search): Promise<Group> {
  const [before = LAST] = positionOf(cursor, [LAST])
  const byId = cursor === undefined ? await database.one(sql.commentForOperators, { id: idIn(q) }) : undefined
  const block = { before, limit: limit + 1, offset: 0, ...reachInComments(limit + 1) }
  const found =
    words === null
      ? []
      : await database.query(sql.commentsForOperators, { ...wordParameters(database, words), ...block })
  const page = pageOf(found, limit, ({ id }) => [id])
  const rows = [...(byId === undefined ? [] : [byId]), ...page.rows.filter(({ id }) => id !== byId?.id)]
  return { items: rows.map(commentResult), cursor: page.cursor }
}

function commentResult(row: sql.FoundComment): SearchResult {
  const author = row.name ?? defaultName(row.author_id)
  const parts = [`Comment ${row.id}`, ...(row.state === 'live' ? [] : [row.state]), `by ${author}`, timedEvent(row)]
  return { kind: 'comment', id: `${row.id}`, title: row.text === '' ? 'Erased' : row.text, detail: parts.join(' · ') }
}

async function findDeposits({ database }: OperatorContext, { q, cursor, limit }: Search): Promise<Group> {
  const [before = LAST] = positionOf(cursor, [LAST])
  const lastDigits = /^(?:[*•x]+\s*)?([0-9]{4})$/i.exec(q)?.[1] ?? ''
  const by = { text: q, amount: amountIn(q), lastDigits }
  const page = pageOf(
    await database.query(sql.depositsForOperators, { ...by, before, limit: limit + 1 }),
    limit,
    ({ number }) => [number],
  )
  return { items: page.rows.map(depositResult), cursor: page.cursor }
}

/** In minor units, of any currency; -1: the query is no amount. Digits alone are an id, letters with digits a name. */
function amountIn(q: string): number {
  const money = /^(?:[£$€]|[a-z]{3} )([0-9]{1,9}(?:\.[0-9]{1,2})?)$|^([0-9]{1,9}\.[0-9]{2})$/i.exec(
    q.replaceAll(',', ''),
  )
  const amount = money === null ? undefined : parseMoney(money[1] ?? money[2] ?? '')
  return amount === undefined ? -1 : Number(amount)
}

function depositResult(row: sql.FoundDeposit): SearchResult {
  const card = row.card_number.slice(-4)
  const parts = [row.state, `customer ${row.customer_id}`, `card ${card}`, minuteText(row.created_at), row.id]
  return {
    kind: 'deposit',
    id: row.id,
    title: `${formatMoney(BigInt(row.amount))} ${row.currency}`,
    detail: parts.join(' · '),
  }
}
