// The SQL of the feed: the comments of all whom a profile follows, in each order, with or without a sport. There are three
// ways to read it: by window, by sample and per author; feed.ts chooses. The first two report whether their block is
// complete; complete ones have the same rows. The generated texts can be read in test/communities/feed-sql/.
//
// All start after a cursor, the sort keys of the last comment served (feed-cursors.ts), or TOP. So a block that
// continues another costs what the first one costs, however deep it is: an offset has to find all that it skips.

import { reading, type Statement } from '../platform/database/database.ts'
import {
  aliased,
  type Choice,
  condition,
  descending,
  fromCatalogue,
  keyAliases,
  type ListRow,
  nameOf,
  OF_READER,
  orders,
  rowsOf,
  type SortOrder,
  variants,
  WORK,
} from './comment-lists.ts'

/** The cursor before the first comment of every list; likes are 32 bits wide in PostgreSQL. */
export const TOP: Record<SortOrder, readonly number[]> = {
  R: [Number.MAX_SAFE_INTEGER],
  L: [2_147_483_647, Number.MAX_SAFE_INTEGER],
  E: [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
}

/** A window or a sample that needs more comments than this is given up: they cost some 10 ms. */
export const MAX_READ = 40_000

/** Below every likes, id and negated time. */
const LOWEST = `${Number.MIN_SAFE_INTEGER}`

export type FeedQuery = {
  /** The profile whose feed it is. */
  reader: number
  /** Authors whom the reader has muted until later are left out. */
  now: number
  listed: string
  limit: number
  offset: number
  /** How many of the first comments after the cursor are needed: offset + limit. */
  reach: number
  /** The keys of the cursor; the second is only read by orders that have two. */
  after1: number
  after2: number
  /** Only read by lists of one sport. */
  sport: number | null
}

/** The parameters of a cursor and a sport, as all lists of the feed take them. */
export function afterCursor(cursor: readonly number[], sport: number | null) {
  return { after1: cursor[0] ?? 0, after2: cursor[1] ?? 0, sport }
}

function cursorParameters(keys: readonly string[]): string[] {
  return keys.map((_, index) => `:after${index + 1}`)
}

function tuple(alias: string, columns: readonly string[]): string {
  return `(${columns.map((column) => `${alias}.${column}`).join(', ')})`
}

/**
 * The rows below (or from) a position with several keys, as ranges of an index. Written as one comparison of tuples,
 * SQLite would search by the first key alone, because the last is the table's rowid, and then walk through all that are
 * equal in it: most tips have no likes.
 */
function ranges(keys: readonly string[], sign: '<' | '>=', position: readonly string[]): string[] {
  const [first, second] = keys
  if (second === undefined) return [`x.${first} ${sign} ${position[0]}`]
  return [`x.${first} = ${position[0]} and x.${second} ${sign} ${position[1]}`, `x.${first} ${sign[0]} ${position[0]}`]
}

// ---- Per author

/** `depth` × `authors` is at least `reach`. */
type PerAuthorList = Statement<FeedQuery & { depth: number; authors: number }, ListRow>

/**
 * The first N comments over a set of authors can only be by the N authors whose own newest comments come first. So the
 * N-th best of these is a cutoff: nothing below it can be among the first N. Deeper in the list each author's newest
 * comment is too little evidence; there the author's comment number `depth` is taken, and the best N / depth authors have N
 * comments above the cutoff.
 *
 * 1. newest_per_author: each followed author's comment number `depth` after the cursor, by one index probe for each key.
 * 2. cutoff: the best `authors` of these; its last one.
 * 3. own_last: of each author who reaches the cutoff, the author's own comment number `reach`, if there is one.
 * 4. lower_bound: the higher of the two; nothing below it is needed.
 * 5. candidates: the comments between lower bound and cursor, a few rows by index.
 * 6. page: the block.
 *
 * It is exact whatever the depth, and its cost grows with followings, not with comments. The plain join (followings,
 * comments, order by, limit) takes 278 ms at 10 followings among 2 million comments where this takes 0.2 ms; "cross join"
 * and "materialized" keep both planners from it. Copying every tip into its followers' lists makes 39 million rows of
 * 20,000 tips.
 */
function feedPerAuthor(choice: Choice): PerAuthorList {
  const { keys } = orders[choice.order]
  const columns = keyAliases(keys)
  const cutoff = `(${columns.map((key) => `coalesce(cutoff.${key}, ${LOWEST})`).join(', ')})`
  const reachesCutoff = `${tuple('newest', columns)} >= ${cutoff}`
  // An author whose comment is below the cutoff has fewer than `depth` above it: no need to look.
  const ownLast = nthComment(
    choice,
    ':reach',
    `newest.author_id and x.${keys[0]} >= coalesce(cutoff.k1, ${LOWEST})`,
  ).map((probe) => `case when ${reachesCutoff} then ${probe} end`)
  const lowerBound = columns.map((key) => `coalesce(own_last.${key}, cutoff.${key}, ${LOWEST}) as ${key}`)
  const steps = `${choice.pending ? `${WORK}, ` : ''}newest_per_author as materialized (
      select f.followee_id as author_id, ${aliased(nthComment(choice, ':depth', 'f.followee_id'))}
      from follow f where ${OF_READER}),
    cutoff as materialized (
      select * from newest_per_author newest where k1 is not null
      order by ${descending(columns, 'newest')} limit 1 offset :authors - 1),
    own_last as materialized (
      select newest.author_id, ${aliased(ownLast)}
      from newest_per_author newest left join cutoff on true where :depth > 1 or ${reachesCutoff}),
    lower_bound as materialized (
      select own_last.author_id, ${lowerBound.join(', ')} from own_last left join cutoff on true),
    candidates as materialized (${candidates(choice)}),
    ${pageOf(choice, 'candidates')}`
  return reading(nameOf('feedPerAuthor', choice), rowsOf(steps, keys, ':reader'))
}

/** Comments of an author after the cursor. */
function commentsOf(choice: Choice, author: string): string {
  const { table, keys } = orders[choice.order]
  return `from ${table} x where ${condition(choice)} and ${tuple('x', keys)} < (${cursorParameters(keys).join(', ')})
    and x.author_id = ${author}`
}

/** Each key by a probe of its own: the second finds the index page that the first has read, not the comment's row. */
function nthComment(choice: Choice, n: string, author: string): string[] {
  const { keys } = orders[choice.order]
  return keys.map(
    (key) =>
      `(select x.${key} ${commentsOf(choice, author)} order by ${descending(keys, 'x')} limit 1 offset ${n} - 1)`,
  )
}

function candidates(choice: Choice): string {
  const { table, id, keys } = orders[choice.order]
  const bound = keyAliases(keys).map((key) => `b.${key}`)
  const after = `${tuple('x', keys)} < (${cursorParameters(keys).join(', ')})`
  return ranges(keys, '>=', bound)
    .map(
      (range) => `select x.${id} as id, ${aliased(keys, 'x.')} from lower_bound b cross join ${table} x
        where x.author_id = b.author_id and ${condition(choice)} and ${after} and ${range}`,
    )
    .join(' union all ')
}

/** The block of the comments that a step has found; while outcomes are pending, of their comments too. */
function pageOf(choice: Choice, step: string): string {
  const { keys } = orders[choice.order]
  const columns = keyAliases(keys)
  const pending = ` union all select * from
      (${fromCatalogue(choice, 'follow f join comment c on c.author_id = f.followee_id')}
       and ${OF_READER} and c.outcome_id = w.outcome_id) as of_pending
      where ${tuple('of_pending', columns)} < (${cursorParameters(keys).join(', ')})`
  return `page as (select * from (select * from ${step}${choice.pending ? pending : ''}) as listed
      order by ${descending(columns, 'listed')} limit :limit offset :offset)`
}

// ---- By sample

/** `complete`: the block is exact. */
type SampleList = Statement<FeedQuery & { sample: number; rank: number }, ListRow & { complete: number | boolean }>

/**
 * Each author is read once, from a bound on that the comments of a few authors give:
 *
 * 1. sampled: the comments of every `sample`-th followed author.
 * 2. bound: number `rank` of these. If the others write as much, all have `rank` × `sample` comments above it.
 * 3. above: the comments of all followed authors from the bound on (all of them, if the sample has fewer than `rank`).
 * 4. page: the block, exact if `reach` comments are above the bound.
 *
 * One probe for each author instead of two to five, and no comment is read that is far below the block.
 */
function feedBySample(choice: Choice): SampleList {
  const { id, keys } = orders[choice.order]
  const columns = keyAliases(keys)
  const bound = columns.map((key) => `coalesce((select ${key} from bound), ${LOWEST})`)
  const fromBound = `${tuple('x', keys)} >= (${bound.join(', ')})`
  const steps = `sampled as materialized (
      select ${aliased(keys, 'x.')} ${commentsOfFollowed(choice, 'f.id % :sample = 0')} limit ${MAX_READ}),
    bound as materialized (
      select * from sampled order by ${descending(columns, 'sampled')} limit 1 offset :rank - 1),
    above as materialized (
      select x.${id} as id, ${aliased(keys, 'x.')} ${commentsOfFollowed(choice, fromBound)} limit ${MAX_READ}),
    ${pageOf(choice, 'above')}`
  const complete = `, (select number < ${MAX_READ} and (number >= :reach or not exists (select 1 from bound))
    from (select count(*) as number from above) as counted) as complete`
  return reading(nameOf('feedBySample', choice), rowsOf(steps, keys, ':reader', complete))
}

function commentsOfFollowed(choice: Choice, restriction: string): string {
  const { table, keys } = orders[choice.order]
  return `from follow f cross join ${table} x
      where ${OF_READER} and x.author_id = f.followee_id and ${condition(choice)}
        and ${tuple('x', keys)} < (${cursorParameters(keys).join(', ')}) and ${restriction}`
}

// ---- By window

/** `window`: how many of everybody's comments are looked at. `complete`: the block is exact. */
type WindowList = Statement<FeedQuery & { window: number }, ListRow & { complete: number }>

/**
 * Whether an author is followed. *lookup*: an index probe for each comment of the window. *set*: all followings are read
 * first, into a hash table (SQLite: a tree in memory), which costs a tenth for each comment.
 *
 * Both are values and not conditions ("exists"), and the window's limit is a constant: otherwise PostgreSQL joins, and
 * sorts everybody's comments, instead of walking until the block is full.
 */
type Membership = 'lookup' | 'set'
type WindowChoice = Choice & { membership: Membership }

const isFollowed: Record<Membership, string> = {
  lookup: `(select case when f.muted_until <= :now then f.shown end from follow f
    where f.follower_id = :reader and f.followee_id = seen.author_id) = 1`,
  set: `(seen.author_id in (select f.followee_id from follow f where ${OF_READER})) is true`,
}

/**
 * For somebody who follows many, the first comments of everybody contain enough comments of the followed:
 *
 * 1. Everybody's comments are read in order from a covering index, `window` of them at most.
 * 2. Each author is looked up among the followings, until `reach` comments are found.
 * 3. A full block is exact; a short one only where there was nothing more to look at. Each row reports it (`complete`).
 *
 * With two keys the window has two ranges: the comments equal to the cursor in the first key (ties), then the others. If
 * the window ends within the ties, the others are not read, and the block stays short.
 */
function feedByWindow(choice: WindowChoice): WindowList {
  const { id, keys } = orders[choice.order]
  const [first = '', others] = ranges(keys, '<', cursorParameters(keys))
  const steps =
    others === undefined
      ? `found as materialized (${followedIn(choice, first, keys)})`
      : `ties as materialized (${followedIn(choice, first, [id])}),
        others as materialized (${followedIn(
          choice,
          others,
          keys,
          `case when (select count(*) from ties) >= :reach then 0
             when ${exceedsWindow(choice, first, [id])} then 0 else :window end`,
        )}),
        found as (select * from ties union all select * from others)`
  const complete = `, case when (select count(*) from found) >= :reach then 1
    when ${exceedsWindow(choice, first, others === undefined ? keys : [id])} then 0
    ${others === undefined ? '' : `when ${exceedsWindow(choice, others, keys)} then 0`} else 1 end as complete`
  return reading(
    nameOf(choice.membership === 'set' ? 'feedByWindowAndSet' : 'feedByWindow', choice),
    rowsOf(`${choice.pending ? `${WORK}, ` : ''}${steps}, ${pageOf(choice, 'found')}`, keys, ':reader', complete),
  )
}

/** The indexes over everybody's comments are only used with "id > 0", which is their condition. */
function everybodysComments(choice: Choice, range: string, by: readonly string[]): string {
  const { table, id } = orders[choice.order]
  const listed = condition({ ...choice, pending: false })
  return `from ${table} x where ${listed} and x.${id} > 0 and ${range} order by ${descending(by, 'x')}`
}

function followedIn(choice: WindowChoice, range: string, by: readonly string[], window = ':window'): string {
  const { table, id, keys } = orders[choice.order]
  const columns = [...new Set([id, ...keys, 'author_id'])].map((column) => `x.${column}`).join(', ')
  // The index has no outcome: only the rows of the followed are read for it.
  const notPending = `and (select w.outcome_id from ${table} x join comment_work w on w.outcome_id = x.outcome_id
    where x.${id} = seen.${id}) is null`
  return `
      select seen.${id} as id, ${aliased(keys, 'seen.')} from (
        select * from (select ${columns} ${everybodysComments(choice, range, by)} limit ${MAX_READ}) widest
        order by ${descending(by, 'widest')} limit ${window}) seen
      where ${isFollowed[choice.membership]} ${choice.pending ? notPending : ''}
      order by ${descending(by, 'seen')} limit :reach`
}

function exceedsWindow(choice: Choice, range: string, by: readonly string[]): string {
  const { id } = orders[choice.order]
  return `(select x.${id} ${everybodysComments(choice, range, by)} limit 1 offset :window - 1) is not null`
}

export const feedsPerAuthor = variants(feedPerAuthor, false)
export const feedsPerAuthorPending = variants(feedPerAuthor, true)
export const feedsBySample = variants(feedBySample, false)
export const feedsByWindow = windowsWith(false)
export const feedsByWindowPending = windowsWith(true)

function windowsWith(pending: boolean) {
  const by = (membership: Membership) => variants((choice) => feedByWindow({ ...choice, membership }), pending)
  return { lookup: by('lookup'), set: by('set') }
}
