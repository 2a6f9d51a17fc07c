// The SQL of the feed: the comments of all whom a profile follows, in each order, with or without a sport. There are
// two ways to read it, *heads* and the *window*; feed.ts chooses. Both give the same rows.
//
// Both start behind a *bound*, the place of the last comment served (places.ts), or TOP. So a block that continues
// another costs what the first one costs, however deep it is: an offset has to find all that it skips.

import { type Statement, statement } from '../database/database.ts'
import {
  aliased,
  type Choice,
  condition,
  descending,
  fromCatalogue,
  keyAliases,
  type ListRow,
  nameOf,
  orders,
  rowsOf,
  type SortOrder,
  variants,
  WORK,
} from './comment-lists.ts'

/** Above every place; likes are 32 bits wide in PostgreSQL. */
export const TOP: Record<SortOrder, readonly number[]> = {
  R: [Number.MAX_SAFE_INTEGER],
  L: [2_147_483_647, Number.MAX_SAFE_INTEGER],
  E: [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
}

/** Below every likes, id and turned time. */
const LOWEST = `${Number.MIN_SAFE_INTEGER}`

function row(alias: string, columns: readonly string[]): string {
  return `(${columns.map((one) => `${alias}.${one}`).join(', ')})`
}

/**
 * The places under (or over) one with several keys, as ranges of an index. Said as one comparison of rows, SQLite would
 * search by the first key alone, because the last is the table's rowid, and then walk through all that are equal in it:
 * most tips have no likes.
 */
function ranges(keys: readonly string[], sign: '<' | '>=', place: readonly string[]): string[] {
  const [first, second] = keys
  if (second === undefined) return [`x.${first} ${sign} ${place[0]}`]
  return [`x.${first} = ${place[0]} and x.${second} ${sign} ${place[1]}`, `x.${first} ${sign[0]} ${place[0]}`]
}

/** `$8`, `$9`: as many parameters as the order has keys. The sport is the one after them. */
function boundFrom(first: number, keys: readonly string[]): string[] {
  return keys.map((_, place) => `$${first + place}`)
}

/**
 * depth, rank: each author's comment number `depth` is its head, and the best `rank` of the heads count (depth × rank
 * is at least reach). reach: how many of the first comments behind the bound are needed, offset + limit.
 */
export type HeadsList = Statement<
  [
    profile: number,
    listed: string,
    limit: number,
    offset: number,
    depth: number,
    rank: number,
    reach: number,
    ...boundAndSport: number[],
  ],
  ListRow
>

/**
 * Heads. The first N comments over a set of authors can only be by the N authors whose own first comments are first:
 * the N-th best of these *heads* is a floor, under which nothing can be among the first N. Deeper in the list, the
 * first comments of all authors say too little, so that a head is each author's comment number `depth`: N / depth
 * authors with their head above the floor have N comments there.
 * So: one index probe for each followee finds its head; the floor follows; then, of each author who reaches the floor,
 * nothing behind the author's own N-th comment (last_of_each) and nothing under the floor; what is left is a few rows
 * by index (candidates). Exact, whatever the depth, and its cost grows with followings and not with comments.
 * The plain join (followings, comments, order by, limit) takes 278 ms at 10 followings among 2 million comments where
 * this takes 0.2 ms; "cross join" and "materialized" keep both planners from going that way. Copying every tip into
 * its followers' lists makes 39 million rows of 20,000 tips.
 */
function feedByHeads(choice: Choice): HeadsList {
  const { table, id, keys } = orders[choice.order]
  const bound = `(${boundFrom(8, keys).join(', ')})`
  const columns = keyAliases(keys)
  const of = (author: string) =>
    `from ${table} x where x.author_id = ${author} and ${condition(choice)} and ${row('x', keys)} < ${bound}`
  /** Each key by a probe of its own: the second finds the index page that the first has read, not the comment's row. */
  const nth = (which: string, from: string) =>
    keys.map((key) => `(select x.${key} ${from} order by ${descending(keys, 'x')} limit 1 offset ${which} - 1)`)
  const floor = `(${columns.map((key) => `coalesce(least.${key}, ${LOWEST})`).join(', ')})`
  const aboveFloor = `${row('h', columns)} >= ${floor}`
  /** An author whose head is under the floor has fewer than `depth` comments over it: no need to look. */
  const lasts = nth('$7', `${of('h.author_id')} and x.${keys[0]} >= coalesce(least.k1, ${LOWEST})`).map(
    (last) => `case when ${aboveFloor} then ${last} end`,
  )
  const lowest = columns.map((key) => `coalesce(l.${key}, least.${key}, ${LOWEST}) as ${key}`).join(', ')
  const candidates = ranges(
    keys,
    '>=',
    columns.map((key) => `b.${key}`),
  )
    .map(
      (range) => `select x.${id} as id, ${aliased(keys, 'x.')} from bounded b cross join ${table} x
        where x.author_id = b.author_id and ${condition(choice)} and ${row('x', keys)} < ${bound} and ${range}`,
    )
    .join(' union all ')
  const mine = 'select * from candidates'
  const source = choice.pending
    ? `(${mine} union all select * from
        (${fromCatalogue(choice, `follow f join comment c on c.author_id = f.followee_id`)}
         and f.follower_id = $1 and f.shown = 1 and c.outcome_id = w.outcome_id) as in_work
        where ${row('in_work', columns)} < ${bound}) as both_kinds`
    : `(${mine}) as listed`
  const pages = `${choice.pending ? `${WORK}, ` : ''}heads as materialized (
      select f.followee_id as author_id, ${aliased(nth('$5', of('f.followee_id')))}
      from follow f where f.follower_id = $1 and f.shown = 1),
    floor as materialized (
      select * from heads where k1 is not null order by ${descending(columns, 'heads')} limit 1 offset $6 - 1),
    last_of_each as materialized (
      select h.author_id, ${aliased(lasts)}
      from heads h left join floor least on true where $5 > 1 or ${aboveFloor}),
    bounded as materialized (select l.author_id, ${lowest} from last_of_each l left join floor least on true),
    candidates as materialized (${candidates}),
    page as (select * from ${source} order by ${columns.map((key) => `${key} desc`).join(', ')} limit $3 offset $4)`
  return statement(nameOf('feedByHeads', choice), rowsOf(pages, keys, '$1'))
}

export const WIDEST_WINDOW = 40_000

export type WindowList = Statement<
  [
    profile: number,
    listed: string,
    limit: number,
    offset: number,
    window: number,
    reach: number,
    ...boundAndSport: number[],
  ],
  ListRow & { whole: number }
>

/**
 * For one who follows many, the first comments of everybody hold enough of theirs: looked up one by one, from an index
 * that covers them, without touching the followings, and no further than the block needs. A full block is exact; a
 * short one only where there were no more to look at. Each row says so (whole); if not, the feed is read by heads.
 * The parts of the window (see ranges) are read one after the other. Behind ties that the window does not hold to the
 * end nothing more is read: the block stays short.
 * The follow is a value and not a condition ("exists"), and the window's limit a constant: otherwise PostgreSQL reads
 * and hashes all the followings, or sorts everybody's comments, instead of walking until the block is full.
 */
function feedByWindow(choice: Choice): WindowList {
  const { table, id, keys } = orders[choice.order]
  const columns = [...new Set([id, ...keys, 'author_id'])].map((column) => `x.${column}`).join(', ')
  const behind = ranges(keys, '<', boundFrom(7, keys))
  // The indexes over everybody's comments are only for who says "id > 0" (migrations/0050).
  const everybody = (range: string, by: readonly string[]) =>
    `from ${table} x where ${condition(choice)} and x.${id} > 0 and ${range} order by ${descending(by, 'x')}`
  const theirs = (range: string, by: readonly string[], window = '$5') => `
      select seen.${id} as id, ${aliased(keys, 'seen.')} from (
        select * from (select ${columns} ${everybody(range, by)} limit ${WIDEST_WINDOW}) widest
        order by ${descending(by, 'widest')} limit ${window}) seen
      where (select f.shown from follow f where f.follower_id = $1 and f.followee_id = seen.author_id) = 1
      order by ${descending(by, 'seen')} limit $6`
  const [first = '', others] = behind
  const hasMore = (range: string, by: readonly string[]) =>
    `(select x.${id} ${everybody(range, by)} limit 1 offset $5 - 1) is not null`
  const parts =
    others === undefined
      ? `found as materialized (${theirs(first, keys)})`
      : `ties as materialized (${theirs(first, [id])}),
        others as materialized (${theirs(
          others,
          keys,
          `case when (select count(*) from ties) >= $6 then 0 when ${hasMore(first, [id])} then 0 else $5 end`,
        )}),
        found as (select * from ties union all select * from others)`
  const pages = `${parts}, page as (select * from found order by ${descending(keyAliases(keys), 'found')} limit $3 offset $4)`
  const whole = `, case when (select count(*) from found) >= $6 then 1 when ${hasMore(first, others === undefined ? keys : [id])} then 0
    ${others === undefined ? '' : `when ${hasMore(others, keys)} then 0`} else 1 end as whole`
  return statement(nameOf('feedByWindow', choice), rowsOf(pages, keys, '$1', whole))
}

export const feedsByHeads = variants(feedByHeads, ({ keys }) => `$${8 + keys.length}`, false)
export const feedsByHeadsPending = variants(feedByHeads, ({ keys }) => `$${8 + keys.length}`, true)
export const feedsByWindow = variants(feedByWindow, ({ keys }) => `$${7 + keys.length}`, false)
