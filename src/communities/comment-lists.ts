// The SQL of comment lists, built from three choices: the authors (one author here; all whom a profile follows in
// feed-lists.ts), the order, and whether only of one sport.
//
// All orders are descending: R by id, L by likes and id, E by start_order (the negated start time) and id. Each has its indexes.
//
// A list reads the column `listed`, which is updated in batches after a settlement (tip-status.ts). Until the batches are
// done, the settled outcomes are *pending*: each has a row in comment_work, and each row of a list reports that there are
// any (`pending`). The list is then read again with its second text, which skips the comments of pending outcomes in the
// index and reads them from the catalogue instead. So a settlement shows at once, and lists cost nothing for it otherwise.

import { reading, type Statement } from '../platform/database/database.ts'
import type { ProfileStatus } from '../profiles/store.ts'
import { isVisible } from '../profiles/visibility-store.ts'
import { statusOfColumn } from '../record/result-status.ts'
import { type CommentRow, commentColumns } from './store.ts'

export type SortOrder = 'R' | 'L' | 'E'
export type Listed = 'A' | 'W'

/** A block of a list as a caller requests it. */
export type ListQuery = {
  status: Listed
  sortOrder: SortOrder
  sportId: number | null
  blockSize: number
  blockNum: number
}

/** The sort keys of a row: a cursor into its list. */
type SortKeys = { k1: number; k2?: number }

/** There is at least one row: an empty list still reports whether outcomes are pending. */
export type ListRow = (({ [K in keyof CommentRow]: CommentRow[K] } & SortKeys) | { id: null }) & {
  pending: number | boolean
}

type Order = { table: string; id: string; keys: readonly string[] }

export const orders: Record<SortOrder, Order> = {
  R: { table: 'comment', id: 'id', keys: ['id'] },
  L: { table: 'comment_count', id: 'comment_id', keys: ['likes', 'comment_id'] },
  E: { table: 'comment', id: 'id', keys: ['start_order', 'id'] },
}

/** The same keys for a comment of a pending outcome, from the catalogue. */
const keysFromCatalogue: Record<SortOrder, readonly string[]> = {
  R: ['c.id'],
  L: ['k.likes', 'c.id'],
  E: ['-w.start_time', 'c.id'],
}

const NOT_PENDING = 'and not exists (select 1 from comment_work w where w.outcome_id = x.outcome_id)'

export type Choice = { order: SortOrder; ofSport: boolean; pending: boolean }

export function condition({ ofSport, pending }: Choice): string {
  return `x.listed = :listed ${ofSport ? 'and x.sport_id = :sport' : ''} ${pending ? NOT_PENDING : ''}`
}

export function descending(keys: readonly string[], alias: string): string {
  return keys.map((key) => `${alias}.${key} desc`).join(', ')
}

/** `x.likes as k1, x.comment_id as k2` */
export function aliased(keys: readonly string[], alias = ''): string {
  return keys.map((key, index) => `${alias}${key} as k${index + 1}`).join(', ')
}

export function keyAliases(keys: readonly string[]): string[] {
  return keys.map((_, index) => `k${index + 1}`)
}

/**
 * The pending outcomes with their result and start time. Looked up one by one instead of joined: PostgreSQL overestimates
 * their number, and would read all outcomes.
 */
export const WORK = `work as materialized (
    select w.outcome_id, (select o.result from outcome o where o.id = w.outcome_id) as result,
      (select e.start_time from outcome o join market m on m.id = o.market_id join event e on e.id = m.event_id
       where o.id = w.outcome_id) as start_time
    from comment_work w)`

/** The comments of pending outcomes (WORK); `whose` joins them to authors. Starts from WORK, because it has few rows. */
export function fromCatalogue({ order, ofSport }: Choice, whose: string): string {
  return `select c.id, ${aliased(keysFromCatalogue[order])}
    from work w cross join ${whose}
    join comment_count k on k.comment_id = c.id
    where c.state = 'live' ${ofSport ? 'and c.sport_id = :sport' : ''}
      and ${statusOfColumn('w.result')} = :listed`
}

/** The rows of a page of ids, read by primary key; `page` has id, k1 and, in two orders, k2. `also`: further columns. */
export function rowsOf(pages: string, keys: readonly string[], viewer: string, also = ''): string {
  return `with ${pages}
    select list_state.*, ${keyAliases(keys)
      .map((key) => `page.${key}`)
      .join(', ')}, ${commentColumns(viewer)}
    from (select exists (select 1 from comment_work) as pending${also}) list_state
    left join page on true
    left join comment c on c.id = page.id left join comment_count k on k.comment_id = c.id
    left join outcome o on o.id = c.outcome_id left join market m on m.id = o.market_id
    left join event e on e.id = m.event_id
    order by ${descending(keyAliases(keys), 'page')}`
}

// ---- Feeds

/**
 * The follows whose authors are in the feed, from one index. There is no follow across a block, so that only mutes are left
 * to look at, and the end of a mute is a column of the follow.
 */
export const OF_READER = 'f.follower_id = :reader and f.shown = 1 and f.muted_until <= :now'

// ---- One author's comments

type AuthorListQuery = {
  author: number
  listed: string
  limit: number
  offset: number
  viewer: number
  /** Only read by lists of one sport. */
  sport: number | null
}

/** `author_status` null: there is no such profile, or the viewer does not see it. */
type AuthorList = Statement<AuthorListQuery, ListRow & { author_status: ProfileStatus | null }>

function authorList(choice: Choice): AuthorList {
  const { table, id, keys } = orders[choice.order]
  const listed = `select x.${id} as id, ${aliased(keys, 'x.')} from ${table} x
    where x.author_id = :author and ${condition(choice)}`
  const source = choice.pending
    ? `(${listed} union all
       ${fromCatalogue(choice, 'comment c')} and c.author_id = :author and c.outcome_id = w.outcome_id) as with_pending`
    : `(${listed}) as listed`
  const page = `${choice.pending ? `${WORK}, ` : ''}page as (select * from ${source} order by ${keyAliases(keys)
    .map((key) => `${key} desc`)
    .join(', ')} limit :limit offset :offset)`
  const status = `, (select p.status from profile p where p.id = :author and ${isVisible(':viewer', 'p.id')}) as author_status`
  return reading(nameOf('authorList', choice), rowsOf(page, keys, ':viewer', status))
}

export function nameOf(list: string, { order, ofSport, pending }: Choice): string {
  return `${list}${order}${ofSport ? 'OfSport' : ''}${pending ? 'Pending' : ''}`
}

type Variants<S> = Record<SortOrder, { all: S; ofSport: S }>

export function variants<S>(make: (choice: Choice) => S, pending: boolean): Variants<S> {
  const both = (order: SortOrder) => ({
    all: make({ order, ofSport: false, pending }),
    ofSport: make({ order, ofSport: true, pending }),
  })
  return { R: both('R'), L: both('L'), E: both('E') }
}

export const authorLists = variants(authorList, false)
export const authorListsPending = variants(authorList, true)
