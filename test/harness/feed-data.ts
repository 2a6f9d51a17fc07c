// Hundreds of authors and tips, inserted straight into the tables, and the feed that they must give.

import type { ListQuery } from '../../src/communities/comment-lists.ts'
import { reading } from '../../src/platform/database/database.ts'
import type { TestService } from './service.ts'

/** Few different values, so that most tips share their likes and their event's time with others. */
export type Tip = { author: number; likes: number; event: number; status: 'A' | 'W' }
export type CreatedTip = Tip & { id: number }

/** Four events, two of a sport; the second pair starts at the same time. */
const EVENTS = [
  { sport: 901, start: 2_000_000_000_000 },
  { sport: 902, start: 2_000_000_100_000 },
  { sport: 901, start: 2_000_000_200_000 },
  { sport: 902, start: 2_000_000_200_000 },
]
export const SPORTS = [901, 902]
const FIRST = 9_000_000
let ids = FIRST

export function marketOf(event: number): { id: number; open: number } {
  return { id: FIRST + event, open: FIRST + 2 * event }
}

/** Each event has one market with an open outcome and one that has won. */
export async function createEvents({ context: { database } }: TestService): Promise<void> {
  const sports = SPORTS.map((id) => `(${id}, 'Sport ${id}', 1)`)
  await database.script(`insert into sport (id, name, communities) values ${sports.join(', ')}`)
  for (const [event, { sport, start }] of EVENTS.entries()) {
    const { id, open } = marketOf(event)
    await database.script(`
      insert into event (id, sport_id, name, start_time, status) values (${id}, ${sport}, 'E', ${start}, 'active');
      insert into market (id, event_id, name, status) values (${id}, ${id}, 'M', 'active');
      insert into outcome (id, market_id, name, status, starting_price, result)
      values (${open}, ${id}, 'Open', 'active', 0, null), (${open + 1}, ${id}, 'Won', 'active', 0, 'win');
      insert into outcome_count (outcome_id) values (${open}), (${open + 1})`)
  }
}

const profilesOf = reading<{ first: number; last: number }, { id: number }>(
  'profilesOf',
  'select id from profile where customer_id between :first and :last order by id',
)

/** New profiles, all followed by the reader. */
export async function createAuthors({ context }: TestService, reader: number, count: number): Promise<number[]> {
  const { database } = context
  const customers = Array.from({ length: count }, () => ++ids)
  const rows = (row: (id: number) => string) => customers.map(row).join(', ')
  await database.script(`
    insert into customer (id, status, verified, currency, funds_statement_version, created_at)
    values ${rows((id) => `(${id}, 'active', 1, 'GBP', 1, 1)`)};
    insert into profile (customer_id, biography, status, created_at) values ${rows((id) => `(${id}, '', 'A', 1)`)}`)
  const range = { first: customers[0] as number, last: customers.at(-1) as number }
  const created = (await database.query(profilesOf, range)).map(({ id }) => id)
  await database.script(`
    insert into follow (follower_id, followee_id, created_at, shown)
    values ${created.map((id) => `(${reader}, ${id}, 1, 1)`).join(', ')}`)
  return created
}

export async function createTips(service: TestService, tips: readonly Tip[]): Promise<CreatedTip[]> {
  if (tips.length === 0) return []
  const created = tips.map((tip) => ({ ...tip, id: ++ids }))
  const columns = ({ id, author, event, status }: CreatedTip) => {
    const outcome = marketOf(event).open + (status === 'W' ? 1 : 0)
    return { id, author, outcome, sport: EVENTS[event]?.sport, start_order: -(EVENTS[event]?.start ?? 0), status }
  }
  const rows = created.map(columns)
  await service.context.database.script(`
    insert into comment (id, author_id, outcome_id, sport_id, bet_id, starting_price, text, created_at, start_order, status,
      listed)
    values ${rows
      .map(
        ({ id, author, outcome, sport, start_order, status }) =>
          `(${id}, ${author}, ${outcome}, ${sport}, ${id}, 0, 'A tip', 1, ${start_order}, '${status}', '${status}')`,
      )
      .join(', ')};
    update comment_count set likes = case comment_id ${created.map(({ id, likes }) => `when ${id} then ${likes}`).join(' ')} end
    where comment_id >= ${created[0]?.id}`)
  return created
}

/** The whole list that the blocks of a query are parts of. */
export function expectedFeed(
  tips: readonly CreatedTip[],
  { status, sortOrder, sportId }: Pick<ListQuery, 'status' | 'sortOrder' | 'sportId'>,
): number[] {
  const start = ({ event }: CreatedTip) => EVENTS[event]?.start ?? 0
  const before = {
    R: () => 0,
    L: (one: CreatedTip, other: CreatedTip) => other.likes - one.likes,
    E: (one: CreatedTip, other: CreatedTip) => start(one) - start(other),
  }[sortOrder]
  return tips
    .filter((tip) => tip.status === status && (sportId === null || EVENTS[tip.event]?.sport === sportId))
    .sort((one, other) => before(one, other) || other.id - one.id)
    .map(({ id }) => id)
}
