// The SQL of grades and their sums. A range is a batch of comments on one outcome (communities/tip-status.ts), whose
// comments and whose authors' counts are locked: grades and sums of a profile change only under that lock.

import { reading, writing } from '../platform/database/database.ts'
import { bigint, integer, orNull, type RowOf, rowList, text } from '../platform/database/table-store.ts'
import { SUM_COLUMNS } from './summary.ts'
import type { TermColumns } from './terms.ts'

type Range = { outcomeId: number; after: number; last: number }

const OF_RANGE = 'c.outcome_id = :outcomeId and c.id > :after and c.id <= :last'
const HAS_TERMS = '(c.record_num is not null or c.record_sp = 1)'
const IS_IN_PLAY = 'case when c.created_at >= :startTime then 1 else 0 end'

/** The columns of an outcome o with how it was settled. */
export const RESULT_COLUMNS = `o.result, o.dead_heat_num, o.dead_heat_den, o.place_dead_heat_num, o.place_dead_heat_den, o.rule4,
  o.sp_num, o.sp_den, o.closing_num, o.closing_den`

export const differentTerms = reading<Range & { startTime: number }, TermColumns & { in_play: number }>(
  'differentTerms',
)`
  select distinct c.record_num, c.record_den, c.record_sp, c.each_way_num, c.each_way_den, ${IS_IN_PLAY} as in_play
  from comment c where ${OF_RANGE} and ${HAS_TERMS}`

/** The figures of tips with the same terms. 0 in place of null, so that rows can be joined. */
export const figuresList = rowList({
  record_num: bigint,
  record_den: bigint,
  each_way_num: bigint,
  each_way_den: bigint,
  in_play: integer,
  band: integer,
  grade: text,
  stake: integer,
  profit: bigint,
  odds: bigint,
  return_square: bigint,
  closing: orNull(bigint),
})
export type FiguresRow = RowOf<typeof figuresList>

/** Only an author's first tip on an outcome counts, also if two were created at the same time. */
export const IS_FIRST_ON_OUTCOME = `not exists (
  select 1 from comment d where d.author_id = c.author_id and d.outcome_id = c.outcome_id and d.id < c.id)`

export const insertGrades = writing<Range & { startTime: number; day: number; rows: string }>('insertGrades')`
  with figures as materialized (${figuresList.select})
  insert into tip_grade (profile_id, comment_id, sport_id, band, day, in_play, grade, stake, profit, odds, return_square,
    closing, withdrawn)
  select c.author_id, c.id, c.sport_id, f.band, cast(:day as integer), f.in_play, f.grade, f.stake, f.profit, f.odds,
    f.return_square, f.closing, case c.state when 'live' then 0 else 1 end
  from comment c join figures f
    on f.record_num = coalesce(c.record_num, 0) and f.record_den = coalesce(c.record_den, 0)
    and f.each_way_num = coalesce(c.each_way_num, 0) and f.each_way_den = coalesce(c.each_way_den, 0)
    and f.in_play = ${IS_IN_PLAY}
  where ${OF_RANGE} and ${HAS_TERMS} and ${IS_FIRST_ON_OUTCOME}`

/** The key and the sums of the range's grades. */
const SUMS_OF_RANGE = `select g.profile_id, g.in_play, g.day, g.sport_id, g.band,
    sum(case g.grade when 'W' then 1 else 0 end) as num_won, sum(case g.grade when 'L' then 1 else 0 end) as num_lost,
    sum(case g.grade when 'V' then 1 else 0 end) as num_void, sum(g.withdrawn) as num_withdrawn,
    sum(g.stake) as staked, sum(g.profit) as profit, sum(g.odds) as odds, sum(g.return_square) as return_squares,
    count(g.closing) as num_closing, coalesce(sum(g.closing), 0) as closing,
    sum(case when g.closing > 0 then 1 else 0 end) as num_beaten
  from comment c join tip_grade g on g.profile_id = c.author_id and g.comment_id = c.id
  where ${OF_RANGE}
  group by g.profile_id, g.in_play, g.day, g.sport_id, g.band`

export const addGradesToSums = writing<Range>('addGradesToSums')`
  insert into record_sum (profile_id, in_play, day, sport_id, band, ${SUM_COLUMNS.join(', ')})
  ${SUMS_OF_RANGE}
  on conflict (profile_id, in_play, day, sport_id, band) do update set
    ${SUM_COLUMNS.map((sum) => `${sum} = record_sum.${sum} + excluded.${sum}`).join(', ')}`

// ---- Grading again

export const subtractGradesFromSums = writing<Range>('subtractGradesFromSums')`
  update record_sum set ${SUM_COLUMNS.map((sum) => `${sum} = record_sum.${sum} - old.${sum}`).join(', ')}
  from (${SUMS_OF_RANGE}) as old
  where record_sum.profile_id = old.profile_id and record_sum.in_play = old.in_play and record_sum.day = old.day
    and record_sum.sport_id = old.sport_id and record_sum.band = old.band`

export const deleteGrades = writing<Range>('deleteGrades')`
  delete from tip_grade where (profile_id, comment_id) in (select c.author_id, c.id from comment c where ${OF_RANGE})`

export const deleteEmptySums = writing<Range>('deleteEmptySums')`
  delete from record_sum where num_won + num_lost + num_void = 0
    and profile_id in (select c.author_id from comment c where ${OF_RANGE})`

// ---- Tips that are withdrawn or restored

const GRADE_OF = `select g.profile_id, g.in_play, g.day, g.sport_id, g.band
  from comment c join tip_grade g on g.profile_id = c.author_id and g.comment_id = c.id where c.id = :id`

export const setGradeWithdrawn = writing<{ id: number; withdrawn: 0 | 1 }>('setGradeWithdrawn')`
  update tip_grade set withdrawn = :withdrawn
  where profile_id = (select author_id from comment where id = :id) and comment_id = :id`

export const countWithdrawnGrade = writing<{ id: number; times: 1 | -1 }>('countWithdrawnGrade')`
  update record_sum set num_withdrawn = record_sum.num_withdrawn + :times from (${GRADE_OF}) as g
  where record_sum.profile_id = g.profile_id and record_sum.in_play = g.in_play and record_sum.day = g.day
    and record_sum.sport_id = g.sport_id and record_sum.band = g.band`
