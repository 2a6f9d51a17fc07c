// The SQL of comment lists, built from three choices: whose comments (one author's, or those of all whom a profile
// follows), the order, and whether of one sport.
//
// Orders all go down (see the migration): R by id, L by likes and id, E by sooner and id; each has its indexes.
//
// A list reads `listed`, which follows the catalogue in batches (standing.ts). Each row therefore says whether work is
// *pending*; then the list is read again with its second text, which leaves out the comments of the outcomes in work
// and takes those from the catalogue instead. So a settlement shows at once, and lists cost nothing for it otherwise.

import { type Statement, statement } from '../database/database.ts'
import { type CommentRow, commentColumns } from './store.ts'

export type SortOrder = 'R' | 'L' | 'E'
export type Listed = 'A' | 'W'

/** At least one row: the list may be empty, and still says whether work is pending. */
export type ListRow = ({ [K in keyof CommentRow]: CommentRow[K] } | { id: null }) & { pending: number | boolean }

type Order = { table: string; id: string; keys: readonly string[] }

const orders: Record<SortOrder, Order> = {
  R: { table: 'comment', id: 'id', keys: ['id'] },
  L: { table: 'comment_count', id: 'comment_id', keys: ['likes', 'comment_id'] },
  E: { table: 'comment', id: 'id', keys: ['sooner', 'id'] },
}

/** The same keys for a comment in work, as the catalogue says. */
const keysFromCatalogue: Record<SortOrder, readonly string[]> = {
  R: ['c.id'],
  L: ['k.likes', 'c.id'],
  E: ['-e.start_time', 'c.id'],
}

const NOT_IN_WORK = 'and not exists (select 1 from comment_work w where w.outcome_id = x.outcome_id)'

type Choice = { order: SortOrder; sport: string | null; pending: boolean }

function condition({ sport, pending }: Choice): string {
  return `x.listed = $2 ${sport === null ? '' : `and x.sport_id = ${sport}`} ${pending ? NOT_IN_WORK : ''}`
}

function down(keys: readonly string[], alias: string): string {
  return keys.map((key) => `${alias}.${key} desc`).join(', ')
}

/** `x.likes as k1, x.comment_id as k2` */
function named(keys: readonly string[], alias = ''): string {
  return keys.map((key, place) => `${alias}${key} as k${place + 1}`).join(', ')
}

function ks(keys: readonly string[]): string[] {
  return keys.map((_, place) => `k${place + 1}`)
}

/** Comments of outcomes in work, from the catalogue; `whose` joins them to authors. Starts from the work: it is little. */
function fromCatalogue({ order, sport }: Choice, whose: string): string {
  return `select c.id, ${named(keysFromCatalogue[order])}
    from comment_work w cross join ${whose}
    join comment_count k on k.comment_id = c.id
    join outcome o on o.id = c.outcome_id join market m on m.id = o.market_id join event e on e.id = m.event_id
    where c.state = 'live' ${sport === null ? '' : `and c.sport_id = ${sport}`}
      and case o.result when 'win' then 'W' when 'lose' then 'L' when 'void' then 'V' else 'A' end = $2`
}

/** The rows of a page of ids, read by primary key; `page` has id, k1 and perhaps k2. */
function rowsOf(pages: string, keys: readonly string[], viewer: string): string {
  return `with ${pages}
    select pending.pending, ${commentColumns(viewer)}
    from (select exists (select 1 from comment_work) as pending) pending
    left join page on true
    left join comment c on c.id = page.id left join comment_count k on k.comment_id = c.id
    left join outcome o on o.id = c.outcome_id left join market m on m.id = o.market_id
    left join event e on e.id = m.event_id
    order by ${down(ks(keys), 'page')}`
}

// ---- One author's comments

export type AuthorList = Statement<
  [author: number, listed: string, limit: number, offset: number, viewer: number, ...sport: number[]],
  ListRow
>

function authorList(choice: Choice): AuthorList {
  const { table, id, keys } = orders[choice.order]
  const mine = `select x.${id} as id, ${named(keys, 'x.')} from ${table} x where x.author_id = $1 and ${condition(choice)}`
  const source = choice.pending
    ? `(${mine} union all
       ${fromCatalogue(choice, 'comment c')} and c.author_id = $1 and c.outcome_id = w.outcome_id) as both_kinds`
    : `(${mine}) as listed`
  const page = `page as (select * from ${source} order by ${ks(keys)
    .map((key) => `${key} desc`)
    .join(', ')} limit $3 offset $4)`
  return statement(nameOf('authorList', choice), rowsOf(page, keys, '$5'))
}

// ---- The comments of all whom a profile follows

/** `reach` is offset + limit: how many of the order's first comments are needed. */
export type FeedList = Statement<
  [profile: number, listed: string, limit: number, offset: number, reach: number, ...sport: number[]],
  ListRow
>

/**
 * Heads. The first N comments over a set of authors can only be by the N authors whose own first comments are first.
 * So: one index probe for each followee finds its first comment (heads); the N best of those name the authors (best);
 * of these, nothing behind the N-th best head can be among the first N, and nothing behind an author's own N-th comment
 * (bounded); what is left is a few rows by index (candidates). Exact, and its cost grows with followings and not with
 * comments. The plain join (followings, comments, order by, limit) takes 278 ms at 10 followings among 2 million
 * comments where this takes 0.2 ms; "cross join" and "materialized" keep both planners from going that way; copying every tip into its followers' lists makes 39 million rows of 20,000 tips.
 */
function feedByHeads(choice: Choice): FeedList {
  const { table, id, keys } = orders[choice.order]
  const where = condition(choice)
  const of = (author: string) => `from ${table} x where x.author_id = ${author} and ${where}`
  const floor = keys.map((_, place) => `coalesce(least.k${place + 1}, ${LOWEST})`).join(', ')
  const bound = keys
    .map((key, place) => `coalesce(x.${key}, least.k${place + 1}, ${LOWEST}) as k${place + 1}`)
    .join(', ')
  const row = (alias: string, columns: readonly string[]) => `(${columns.map((one) => `${alias}.${one}`).join(', ')})`
  const mine = 'select * from candidates'
  const source = choice.pending
    ? `(${mine} union all ${fromCatalogue(choice, `follow f join comment c on c.author_id = f.followee_id`)}
        and f.follower_id = $1 and f.shown = 1 and c.outcome_id = w.outcome_id) as both_kinds`
    : `(${mine}) as listed`
  const pages = `heads as materialized (
      select f.followee_id as author_id, (select x.${id} ${of('f.followee_id')} order by ${down(keys, 'x')} limit 1) as head
      from follow f where f.follower_id = $1 and f.shown = 1),
    best as materialized (
      select h.author_id, ${named(keys, 'x.')} from heads h join ${table} x on x.${id} = h.head
      order by ${down(keys, 'x')} limit $5),
    floor as materialized (select * from best order by ${down(ks(keys), 'best')} limit 1 offset $5 - 1),
    last_of_each as materialized (
      select b.author_id,
        (select x.${id} ${of('b.author_id')} and ${row('x', keys)} >= (${floor})
         order by ${down(keys, 'x')} limit 1 offset $5 - 1) as last
      from best b left join floor least on true),
    bounded as materialized (
      select l.author_id, ${bound}
      from last_of_each l left join ${table} x on x.${id} = l.last left join floor least on true),
    candidates as materialized (
      select x.${id} as id, ${named(keys, 'x.')} from bounded b cross join ${table} x
      where x.author_id = b.author_id and ${where} and ${row('x', keys)} >= ${row('b', ks(keys))}),
    page as (select * from ${source} order by ${ks(keys)
      .map((key) => `${key} desc`)
      .join(', ')} limit $3 offset $4)`
  return statement(nameOf('feedByHeads', choice), rowsOf(pages, keys, '$1'))
}

/** Below every likes, id and turned time; a safe integer. */
const LOWEST = '-9007199254740991'

/** How many of everybody's first comments are looked at. */
const WINDOW = 4_000

export type WindowList = Statement<
  [profile: number, listed: string, limit: number, offset: number, ...sport: number[]],
  ListRow
>

/**
 * For one who follows many, the first comments of everybody hold enough of theirs: looked up one by one, from an index
 * that covers them, without touching the followings. A full block is exact; a short one says nothing, and the feed is
 * read by heads instead. At 20,000 followings about 1 ms where heads take 46.
 */
function feedByWindow(choice: Choice): WindowList {
  const { table, id, keys } = orders[choice.order]
  const columns = [...new Set([id, ...keys, 'author_id', 'sport_id'])].map((column) => `x.${column}`).join(', ')
  const pages = `everybody as materialized (
      select ${columns} from ${table} x where x.listed = $2 order by ${down(keys, 'x')} limit ${WINDOW}),
    page as (
      select seen.${id} as id, ${named(keys, 'seen.')} from everybody seen
      where ${choice.sport === null ? '' : `seen.sport_id = ${choice.sport} and`} exists (
        select 1 from follow f where f.follower_id = $1 and f.followee_id = seen.author_id and f.shown = 1)
      order by ${down(keys, 'seen')} limit $3 offset $4)`
  return statement(nameOf('feedByWindow', choice), rowsOf(pages, keys, '$1'))
}

function nameOf(list: string, { order, sport, pending }: Choice): string {
  return `${list}${order}${sport === null ? '' : 'OfSport'}${pending ? 'Pending' : ''}`
}

type Variants<S> = Record<SortOrder, { all: S; ofSport: S }>

function variants<S>(make: (choice: Choice) => S, sport: string, pending: boolean): Variants<S> {
  const both = (order: SortOrder) => ({
    all: make({ order, sport: null, pending }),
    ofSport: make({ order, sport, pending }),
  })
  return { R: both('R'), L: both('L'), E: both('E') }
}

export const authorLists = variants(authorList, '$6', false)
export const authorListsPending = variants(authorList, '$6', true)
export const feedsByHeads = variants(feedByHeads, '$6', false)
export const feedsByHeadsPending = variants(feedByHeads, '$6', true)
export const feedsByWindow = variants(feedByWindow, '$5', false)
