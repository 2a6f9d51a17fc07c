// What a customer did, as the console's customer page shows it.

import { findCustomer } from '../../identity/customers/customer.ts'
import type { CustomerRow } from '../../identity/customers/store.ts'
import type { Database } from '../../platform/database/database.ts'
import { idListOf } from '../../platform/database/row-list-store.ts'
import { profileOfCustomer } from '../../profiles/store.ts'
import { REVIEWED_TIP_STATES } from '../../record/tip-state.ts'
import * as s from '../server/fields.ts'
import { operatorOperation } from '../server/operation.ts'
import { pageOf, paging, positionOf } from '../server/pages.ts'
import { endOfDay, TO_DAY } from '../server/query-days.ts'
import { shown } from '../server/shown.ts'
import { noCustomer } from './operations.ts'
import * as sql from './timeline-store.ts'

export const pageQuery = s.allOptional({ to: TO_DAY, ...paging })
export const NO_DAY = { 422: '`to` is a day that does not exist.' }

// ---- Bets

const outcomeFields = {
  event: s.string('Ascot race 4'),
  startsAt: s.time('When the event starts.'),
  market: s.string('To win'),
  outcome: s.string('Tin Soldier'),
}

const leg = s.object({
  outcomeId: s.id('80021'),
  ...outcomeFields,
  price: s.orNull(s.string('5/2'), 'The price taken, where it is known.'),
  result: s.orNull(s.string(), 'null: not settled.', null),
})

const bet = s.namedObject('CustomerBet', {
  id: s.id('70012'),
  placedAt: s.time(),
  cashedOut: s.boolean(false, 'Whether a part of it was cashed out.'),
  legs: s.list(leg),
})
export type CustomerBet = s.ValueOf<typeof bet>
export const bets = s.page(bet)

// ---- Tips

const tip = s.namedObject('CustomerTip', {
  id: s.id('24'),
  at: s.time(),
  text: s.string('Bigger at the off, you will see'),
  state: s.oneOf(
    REVIEWED_TIP_STATES,
    'live',
    'Shown, withdrawn by its author, removed by a moderator, or held by a rule until a moderator decides.',
  ),
  status: s.oneOf(['open', 'won', 'lost', 'void'], 'open'),
  featured: s.boolean(false),
  likes: s.count(4),
  ...outcomeFields,
})
export type CustomerTip = s.ValueOf<typeof tip>
export const tips = s.page(tip)

// ---- Flags

export const flagQuery = s.allOptional({
  direction: s.withDefault(
    s.oneOf(['given', 'received'], 'given', 'Flags by the customer, or on its profile and tips.'),
    'received',
  ),
  to: TO_DAY,
  ...paging,
})
export type FlagQuery = s.ValueOf<typeof flagQuery>

const flag = s.namedObject('CustomerFlag', {
  kind: s.oneOf(['profile', 'comment'], 'comment'),
  id: s.id('24'),
  byProfileId: s.id('3'),
  at: s.time(),
  decided: s.boolean(false, 'Whether a moderator has decided on the subject since.'),
})
export type CustomerFlag = s.ValueOf<typeof flag>
export const flags = s.page(flag)

const ABOVE_ALL = Number.MAX_SAFE_INTEGER

const betOf = shown(bet)
const legOf = shown(leg)
const tipOf = shown(tip)
const flagOf = shown(flag)

export const customerActivityOperations = [
  operatorOperation({
    name: 'listCustomerBets',
    summary: 'List the bets of a customer',
    description: 'By id, the highest first, with the names of their outcomes.',
    route: 'GET /customers/{id}/bets',
    role: 'accounts or cashier',
    audit: 'listed the bets of customer {id}',
    query: pageQuery,
    answer: { 200: bets },
    problems: NO_DAY,
    example: { query: { limit: 20 } },
    async handle({ database }, { path, query: { cursor, limit, to } }) {
      const until = endOfDay('to', to)
      const [before = 0] = positionOf(cursor, [ABOVE_ALL])
      const { id: customerId } = await existing(database, path.id)
      const read = await database.query(sql.betsOfCustomerBefore, { customerId, before, until, limit: limit + 1 })
      const page = pageOf(read, limit, (row) => [row.id])
      return { items: await withLegs(database, page.rows), cursor: page.cursor }
    },
  }),
  operatorOperation({
    name: 'listCustomerComments',
    summary: 'List the tips of a customer, newest first',
    description: 'In any state, also removed.',
    route: 'GET /customers/{id}/comments',
    role: 'accounts',
    audit: 'listed the tips of customer {id}',
    query: pageQuery,
    answer: { 200: tips },
    problems: NO_DAY,
    example: { query: { limit: 20 } },
    async handle({ database }, { path, query: { cursor, limit, to } }) {
      const until = endOfDay('to', to)
      const [before = 0] = positionOf(cursor, [ABOVE_ALL])
      const profileId = await profileOf(database, path.id)
      if (profileId === null) return { items: [], cursor: null }
      const read = await database.query(sql.tipsOfProfileBefore, { profileId, before, until, limit: limit + 1 })
      const page = pageOf(read, limit, (row) => [row.id])
      return { items: page.rows.map((row) => tipOf(row, { status: TIP_STATUSES[row.status] })), cursor: page.cursor }
    },
  }),
  operatorOperation({
    name: 'listCustomerFlags',
    summary: 'List the flags that a customer gave or received',
    description: 'Flags on comments first, the newest comment before the others; then flags on profiles.',
    route: 'GET /customers/{id}/flags',
    role: 'accounts',
    audit: 'listed the flags of customer {id}',
    query: flagQuery,
    answer: { 200: flags },
    problems: NO_DAY,
    example: { query: { direction: 'received', limit: 20 } },
    async handle({ database }, { path, query }) {
      const from = positionOf(query.cursor, FLAGS_START)
      const profileId = await profileOf(database, path.id)
      if (profileId === null) return { items: [], cursor: null }
      const read = await readFlags(database, profileId, query, from)
      const page = pageOf(read, query.limit, (flag) => [flag.kind === 'comment' ? 1 : 2, flag.id, flag.by_profile_id])
      return { items: page.rows.map((row) => flagOf(row)), cursor: page.cursor }
    },
  }),
]

export async function existing(database: Database, id: number): Promise<CustomerRow> {
  const customer = await findCustomer(database, id)
  if (customer === undefined) throw noCustomer(id)
  return customer
}

async function profileOf(database: Database, customerId: number): Promise<number | null> {
  await existing(database, customerId)
  return (await database.one(profileOfCustomer, { customerId }))?.id ?? null
}

async function withLegs(database: Database, rows: readonly sql.BetRow[]): Promise<CustomerBet[]> {
  if (rows.length === 0) return []
  const legs = await database.query(sql.legsOfBets, { ids: idListOf(rows.map(({ id }) => id)) })
  const byBet = Map.groupBy(legs, (leg) => leg.bet_id)
  return rows.map((row) =>
    betOf(row, { cashedOut: row.cash_outs !== null, legs: (byBet.get(row.id) ?? []).map(showLeg) }),
  )
}

function showLeg(row: sql.BetLegRow): CustomerBet['legs'][number] {
  return legOf(row, { price: row.price_num === null ? null : `${row.price_num}/${row.price_den}` })
}

export const TIP_STATUSES = { A: 'open', W: 'won', L: 'lost', V: 'void' } as const

// ---- Flags

type Flag = sql.FlagRow & { kind: CustomerFlag['kind'] }

/** The part of the list (1: comments, 2: profiles), the subject and the flagger. */
const FLAGS_START = [1, ABOVE_ALL, ABOVE_ALL] as const

/** One row more than the page has. */
async function readFlags(
  database: Database,
  profileId: number,
  { direction, limit, to }: FlagQuery,
  [part = 1, subjectId = 0, flaggerId = 0]: readonly number[],
): Promise<Flag[]> {
  const until = endOfDay('to', to)
  const read = (kind: Flag['kind'], page: FlagPage) =>
    readPart(database, { profileId, kind, direction }, { until, ...page })
  const ofComments = part === 1 ? await read('comment', { subjectId, flaggerId, limit: limit + 1 }) : []
  if (ofComments.length > limit) return ofComments
  const from = part === 1 ? { subjectId: ABOVE_ALL, flaggerId: 0 } : { subjectId, flaggerId }
  return [...ofComments, ...(await read('profile', { ...from, limit: limit + 1 - ofComments.length }))]
}

type FlagPage = { subjectId: number; flaggerId: number; limit: number }
type Part = { profileId: number; kind: Flag['kind']; direction: FlagQuery['direction'] }

async function readPart(
  database: Database,
  { profileId, kind, direction }: Part,
  { subjectId, flaggerId: after, ...page }: FlagPage & { until: number },
): Promise<Flag[]> {
  const rows =
    direction === 'given'
      ? await database.query(sql.flagsGivenBefore, { profileId, kind, before: subjectId, ...page })
      : kind === 'profile'
        ? await database.query(sql.flagsOnProfileAfter, { profileId, after, ...page })
        : await database.query(sql.flagsOnTipsOf, { profileId, upTo: subjectId, after, ...page })
  return rows.map((row) => ({ ...row, kind }))
}
