// What a recount of a record reads.

import { reading } from '../platform/database/database.ts'
import type { Grade } from './figures.ts'
import { IS_FIRST_ON_OUTCOME, RESULT_COLUMNS } from './grade-store.ts'
import { SUM_COLUMNS, type TipSums } from './summary.ts'
import type { OutcomeResultColumns, TermColumns } from './terms.ts'
import type { TipState } from './tip-state.ts'

export type RecountedTip = TermColumns &
  OutcomeResultColumns & {
    id: number
    sport_id: number
    state: TipState
    created_at: number
    start_time: number
    settled_at: number | null
    is_first: number
    /** The batches of a settlement have not come to all tips on the outcome. */
    is_pending: number
  }

/** Selects tips with terms or not, settled or not. */
export const tipsToRecount = reading<{ profileId: number }, RecountedTip>('tipsToRecount')`
  select c.id, c.sport_id, c.state, c.created_at, c.record_num, c.record_den, c.record_sp, c.each_way_num, c.each_way_den,
    e.start_time, ${RESULT_COLUMNS}, coalesce(o.settled_at, m.settled_at) as settled_at,
    case when ${IS_FIRST_ON_OUTCOME} then 1 else 0 end as is_first,
    case when (select w.count_position from comment_work w where w.outcome_id = o.id) is null then 0 else 1 end as is_pending
  from comment c join outcome o on o.id = c.outcome_id join market m on m.id = o.market_id join event e on e.id = m.event_id
  where c.author_id = :profileId`

export type GradeRow = {
  comment_id: number
  in_play: number
  day: number
  sport_id: number
  band: number
  grade: Grade
  stake: number
  profit: number
  odds: number
  return_square: number
  closing: number | null
  withdrawn: number
}

export const gradesOfProfile = reading<{ profileId: number }, GradeRow>('gradesOfProfile')`
  select comment_id, in_play, day, sport_id, band, grade, stake, profit, odds, return_square, closing, withdrawn
  from tip_grade where profile_id = :profileId`

export type StoredSum = TipSums & { in_play: number; day: number; sport_id: number; band: number }

/** In the order of days. */
export const sumsOfProfile = reading<{ profileId: number }, StoredSum>('sumsOfProfile')`
  select in_play, day, sport_id, band, ${SUM_COLUMNS.join(', ')} from record_sum
  where profile_id = :profileId order by in_play, day`
