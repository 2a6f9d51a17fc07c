// The SQL of a profile's record and of the ranking. 0 in place of a sport or a band selects all.

import { reading } from '../platform/database/database.ts'
import { inList } from '../platform/database/row-list-store.ts'
import { type ProfileRow, type ProfileStatus, profileColumns } from '../profiles/store.ts'
import { isVisible, isVisibleInList, mayPlay } from '../profiles/visibility-store.ts'
import type { Grade, Result } from './figures.ts'
import { type RecordSums, SUM_COLUMNS, type TipSums } from './summary.ts'
import type { FractionColumns } from './terms.ts'
import type { TipState } from './tip-state.ts'

/** Days after `after` (-1: all). */
export type Selection = { inPlay: 0 | 1; after: number; sportId: number; band: number }

/** `+`: not by an index, because the rows of a profile lie side by side in SQLite. */
function isSelected(alias: string, unindexed: '' | '+' = ''): string {
  return `${unindexed}${alias}.in_play = :inPlay and ${unindexed}${alias}.day > :after
    and ${isAllOr('sportId', 'bigint', `${alias}.sport_id`)} and ${isAllOr('band', 'integer', `${alias}.band`)}`
}

/** "in (0, column)" would build a list for each row in SQLite. */
function isAllOr(parameter: string, type: string, column: string): string {
  return `(cast(:${parameter} as ${type}) = 0 or ${column} = :${parameter})`
}

// ---- One profile

/** `grades`: of each tip its grade and day, in the order of settlement, as in `W20772 L20773`. null: there are none. */
export type RecordRow = { [sum in (typeof ADDED_UP)[number]]: number | null } & {
  grades: string | null
  num_live: number
  status: ProfileStatus
}

/** The others follow from the grades. */
const ADDED_UP = [
  'num_withdrawn',
  'staked',
  'profit',
  'odds',
  'return_squares',
  'num_closing',
  'closing',
  'num_beaten',
] as const

/**
 * All in one statement, which costs one round trip. Reads the grades, not their sums: the order of grades is needed
 * anyway, and both together cost half as much again. No row: there is no such profile, or the viewer does not see it.
 */
export const recordOf = reading<Selection & { id: number; viewer: number }, RecordRow>('recordOf')`
  select cast(sum(g.withdrawn) as bigint) as num_withdrawn, cast(sum(g.stake) as bigint) as staked,
    cast(sum(g.profit) as bigint) as profit, cast(sum(g.odds) as bigint) as odds,
    cast(sum(g.return_square) as bigint) as return_squares, count(g.closing) as num_closing,
    cast(sum(g.closing) as bigint) as closing, cast(sum(case when g.closing > 0 then 1 else 0 end) as bigint) as num_beaten,
    string_agg(g.grade || g.day, ' ' order by g.day, g.comment_id) as grades, k.num_live, p.status
  from profile p join profile_count k on k.profile_id = p.id left join tip_grade g on g.profile_id = p.id and ${isSelected('g', '+')}
  where p.id = :id and ${isVisible(':viewer', 'p.id')} group by p.id, k.profile_id`

// ---- Its tips

export type RecordTipRow = FractionColumns<'record' | 'each_way' | 'dead_heat' | 'place_dead_heat' | 'sp'> & {
  comment_id: number
  grade: Grade
  day: number
  stake: number
  profit: number
  record_sp: number
  closing: number | null
  withdrawn: number
  bet_id: number
  created_at: number
  text: string
  state: TipState
  result: Result
  rule4: number
  outcome_id: number
  outcome_name: string
  market_id: number
  market_name: string
  event_id: number
  event_name: string
  sport_id: number
  cash_outs: string | null
}

/** The newest settlement first, `grade` '': all. Keys by index first, rows after, as in followersOf. */
export const recordTipsOf = reading<
  { id: number; viewer: number; inPlay: 0 | 1; grade: Grade | ''; limit: number; offset: number },
  RecordTipRow
>('recordTipsOf')`
  select b.comment_id, b.grade, b.day, b.stake, b.profit, b.closing, b.withdrawn, c.bet_id, c.created_at, c.text, c.state,
    c.record_num, c.record_den, c.record_sp, c.each_way_num, c.each_way_den, o.result, o.dead_heat_num, o.dead_heat_den,
    o.place_dead_heat_num, o.place_dead_heat_den, o.rule4, o.sp_num, o.sp_den, o.id as outcome_id, o.name as outcome_name,
    m.id as market_id, m.name as market_name, e.id as event_id, e.name as event_name, b.sport_id, t.cash_outs
  from (select * from
         (select g.* from tip_grade g cross join profile p
          where g.profile_id = :id and g.in_play = :inPlay and p.id = g.profile_id and p.status = 'A'
            and (cast(:grade as text) = '' or g.grade = :grade) and ${isVisible(':viewer', ':id')}
          order by g.day desc, g.comment_id desc limit :limit offset :offset) block
        limit 100) b
  join comment c on c.id = b.comment_id join outcome o on o.id = c.outcome_id join market m on m.id = o.market_id
  join event e on e.id = m.event_id left join bet t on t.id = c.bet_id
  order by b.day desc, b.comment_id desc`

// ---- The ranking

export type BoardSelection = { days: number; sportId: number; band: number }

function rankingOrder(alias: string): string {
  return `${alias}.low desc, ${alias}.num_settled desc, ${alias}.profile_id`
}

function boardColumns(alias: string): string {
  return [...SUM_COLUMNS, 'num_days', 'first_day', 'last_day'].map((column) => `${alias}.${column}`).join(', ')
}

/**
 * A range, and the order of the whole index: by an equality PostgreSQL would expect few rows, as most boards have, and sort all of
 * a large one (12 ms for 350 profiles, so 0.6).
 */
const OF_BOARD = `(r.days, r.sport_id, r.band) >= (:days, :sportId, :band) and (r.days, r.sport_id, r.band) <= (:days, :sportId, :band)`
const BOARD_ORDER = `r.days, r.sport_id, r.band, ${rankingOrder('r')}`

/** The first 20 whose profile is active and whose owner is neither erased nor excluded. */
export const recordRanking = reading<BoardSelection & { viewer: number; now: number }, ProfileRow & RecordSums>(
  'recordRanking',
)`
  select ${boardColumns('b')}, ${profileColumns(':viewer')}
  from (select r.* from record_board r cross join profile s cross join customer o
        where ${OF_BOARD}
          and s.id = r.profile_id and s.status = 'A' and o.id = s.customer_id and o.erased_at is null and ${mayPlay('o', ':now')}
          and ${isVisibleInList(':viewer', 'r.profile_id')}
        order by ${BOARD_ORDER} limit 20) b
  join profile p on p.id = b.profile_id join profile_count c on c.profile_id = p.id
  order by ${rankingOrder('b')}`

/** For operators: the first 100, with those that are not shown. */
export const boardEntries = reading<
  BoardSelection & { now: number },
  RecordSums & { profile_id: number; name: string | null; shown: number }
>('boardEntries')`
  select ${boardColumns('b')}, b.profile_id, p.name,
    case when p.status = 'A' and o.erased_at is null and ${mayPlay('o', ':now')} then 1 else 0 end as shown
  from (select r.* from record_board r where ${OF_BOARD} order by ${BOARD_ORDER} limit 100) b
  join profile p on p.id = b.profile_id join customer o on o.id = p.customer_id
  order by ${rankingOrder('b')}`

// ---- Charts

/** In the order of days. */
export const sumsOfRecord = reading<
  Selection & { id: number },
  TipSums & { day: number; sport_id: number; band: number }
>('sumsOfRecord')`
  select s.day, s.sport_id, s.band, ${SUM_COLUMNS.map((sum) => `s.${sum}`).join(', ')} from record_sum s
  where s.profile_id = :id and ${isSelected('s')} order by s.day`

export const sportNames = reading<{ ids: string }, { id: number; name: string }>('sportNames')`
  select id, name from sport where id ${inList('ids')}`
