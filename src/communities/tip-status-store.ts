import { locking, type NoParameters, reading, writing } from '../platform/database/database.ts'
import { inList } from '../platform/database/row-list-store.ts'
import type { Result } from '../record/figures.ts'
import { RESULT_COLUMNS } from '../record/grade-store.ts'
import type { OutcomeResultColumns } from '../record/terms.ts'

// Several counts are locked in the order of outcomes: a settlement and a profile's deactivation may change the same ones.

/** From now on neither comments nor likes are counted for the outcomes; only outcomes ever tipped have this row. */
export const closeOutcomeCounts = writing<{ outcomeIds: string }>('closeOutcomeCounts')`
  with locked as materialized (select outcome_id from outcome_count where outcome_id ${inList('outcomeIds')}
    order by outcome_id for no key update)
  update outcome_count set num_live = 0, likes = 0, settled = 1
  from locked where outcome_count.outcome_id = locked.outcome_id`

/** Before closeOutcomeCounts: an outcome that was settled already is graded again. */
export const queueOutcomes = writing<{ outcomeIds: string }>('queueOutcomes')`
  insert into comment_work (outcome_id, position, count_position, regrade)
  select outcome_id, 0, 0, settled from outcome_count where outcome_id ${inList('outcomeIds')} order by outcome_id
  on conflict (outcome_id) do update set position = 0, count_position = 0, regrade = excluded.regrade`

/** A start time changes no count, but which tips of a settled outcome were in play. */
export const queueOutcomesOfEvents = writing<{ eventIds: string }>('queueOutcomesOfEvents')`
  insert into comment_work (outcome_id, position, count_position, regrade)
  select k.outcome_id, 0, case when k.settled = 1 then 0 end, k.settled
  from market m join outcome o on o.market_id = m.id join outcome_count k on k.outcome_id = o.id
  where m.event_id ${inList('eventIds')} order by k.outcome_id
  on conflict (outcome_id) do update set position = 0, regrade = excluded.regrade,
    count_position = coalesce(excluded.count_position, comment_work.count_position)`

export const addProfileToOutcomeCounts = writing<{ profileId: number; times: number }>('addProfileToOutcomeCounts')`
  with mine as materialized (select k.outcome_id, count(*) as tips, sum(k.likes) as likes from comment_count k
    where k.author_id = :profileId and k.listed = 'A' group by k.outcome_id),
  locked as materialized (select outcome_id from outcome_count where outcome_id in (select outcome_id from mine)
    order by outcome_id for no key update)
  update outcome_count set num_live = num_live + :times * mine.tips, likes = outcome_count.likes + :times * mine.likes
  from mine join locked on locked.outcome_id = mine.outcome_id
  where outcome_count.outcome_id = mine.outcome_id and settled = 0`

// ---- One batch of the work

export const anyWork = reading<NoParameters, { outcome_id: number }>('anyWork')`
  select outcome_id from comment_work order by outcome_id limit 1`

export const HAS_TIPS_TO_UPDATE = 'exists (select 1 from comment_work)'

/** How many comments are still to be updated, counted up to `most`. */
export const pendingComments = reading<{ most: number }, { comments: number }>('pendingComments')`
  select count(*) as comments from (
    select c.id from comment_work w cross join comment c
    where c.outcome_id = w.outcome_id and c.id > w.position limit :most) as some_of_them`

/** Outcomes whose tips are not all counted come first. */
export const nextWork = locking<
  NoParameters,
  { outcome_id: number; position: number; count_position: number | null; regrade: number }
>('nextWork')`
  select outcome_id, position, count_position, regrade from comment_work
  order by case when count_position is null then 1 else 0 end, outcome_id limit 1 for no key update skip locked`

/** Waits until the process that works on the first outcome has committed; no row: that was the last batch. */
export const awaitWork = locking<NoParameters, { outcome_id: number }>('awaitWork')`
  select outcome_id from comment_work order by outcome_id limit 1 for no key update`

type ResultRow = OutcomeResultColumns & { settled_at: number | null; start_time: number }

export const resultOfOutcome = reading<{ outcomeId: number }, ResultRow>('resultOfOutcome')`
  select ${RESULT_COLUMNS}, coalesce(o.settled_at, m.settled_at) as settled_at, e.start_time
  from outcome o join market m on m.id = o.market_id join event e on e.id = m.event_id where o.id = :outcomeId`

type Range = { outcomeId: number; after: number; last: number; status: string }

// ---- Counting

/** Locks out deactivations of the batch's comments until it is committed; they may be liked. */
export const lockForCounting = locking<{ outcomeId: number; after: number; limit: number }, { id: number }>(
  'lockForCounting',
)`
  select id from comment where outcome_id = :outcomeId and id > :after order by id limit :limit for share`

const COUNTED_OTHERWISE = `from comment c left join counted_status k on k.comment_id = c.id
  where c.outcome_id = :outcomeId and c.id > :after and c.id <= :last and coalesce(k.status, c.status) <> :status`

/** Ordered by id, so that two batches cannot deadlock. Grades and sums of the record are under this lock too. */
export const lockProfileCounts = locking<{ outcomeId: number; after: number; last: number }, { profile_id: number }>(
  'lockProfileCounts',
)`
  select profile_id from profile_count
  where profile_id in (select c.author_id from comment c
    where c.outcome_id = :outcomeId and c.id > :after and c.id <= :last)
  order by profile_id for no key update`

/** 1 if the comment is counted under the status, else 0. */
function isCountedAs(status: string): string {
  return `case when coalesce(k.status, c.status) = '${status}' then 1 else 0 end`
}

export const updateProfileCounts = writing<Range>('updateProfileCounts')`
  update profile_count set num_live = num_live + moved.live, num_winning = num_winning + moved.winning
  from (select c.author_id, sum(case when :status = 'A' then 1 else 0 end - ${isCountedAs('A')}) as live,
          sum(case when :status = 'W' then 1 else 0 end - ${isCountedAs('W')}) as winning
        ${COUNTED_OTHERWISE} and c.state = 'live' group by c.author_id) as moved
  where profile_count.profile_id = moved.author_id`

/**
 * Runs before setCountedStatus. Reports all comments, live or not, and when they are graded again also those whose
 * status stays.
 */
export const reportSettledTips = writing<Range & { result: Result; regrade: number; now: number }>('reportSettledTips')`
  insert into new_event (kind, subject_type, subject_id, profile_id, at, data)
  select case coalesce(k.status, c.status) when 'A' then 'tip.settled' else 'tip.corrected' end, 'comment',
    cast(c.id as text), c.author_id, cast(:now as bigint),
    '{"outcomeId":"' || c.outcome_id || '","result":"' || cast(:result as text) || '"}'
  from comment c left join counted_status k on k.comment_id = c.id
  where c.outcome_id = :outcomeId and c.id > :after and c.id <= :last
    and (coalesce(k.status, c.status) <> :status or :regrade = 1)
  order by c.id`

/** Sets the status of all comments, live or not: a removed comment that is restored is counted again under it. */
export const setCountedStatus = writing<Range>('setCountedStatus')`
  insert into counted_status (comment_id, status) select c.id, :status ${COUNTED_OTHERWISE}
  on conflict (comment_id) do update set status = excluded.status`

export const advanceCounting = writing<{ outcomeId: number; position: number }>('advanceCounting')`
  update comment_work set count_position = :position where outcome_id = :outcomeId`

export const finishCounting = writing<{ outcomeId: number }>('finishCounting')`
  update comment_work set count_position = null where outcome_id = :outcomeId`

// ---- Listing

/** Locks out likes and deactivations of the batch's comments until it is committed. */
export const lockForListing = locking<{ outcomeId: number; after: number; limit: number }, { id: number }>(
  'lockForListing',
)`
  select id from comment where outcome_id = :outcomeId and id > :after order by id limit :limit for no key update`

export const updateListed = writing<Range>('updateListed')`
  update comment_count set listed = case when :status in ('A', 'W') then :status end
  where comment_id in (select c.id from comment c
    where c.outcome_id = :outcomeId and c.id > :after and c.id <= :last and c.state = 'live' and c.status <> :status)`

export const updateComments = writing<Range & { start_order: number }>('updateComments')`
  update comment set status = :status, start_order = :start_order,
    listed = case when state = 'live' and :status in ('A', 'W') then :status end
  where outcome_id = :outcomeId and id > :after and id <= :last and (status <> :status or start_order <> :start_order)`

/** From now on comment.status is what they are counted under. */
export const deleteCountedStatus = writing<{ outcomeId: number; after: number; last: number }>('deleteCountedStatus')`
  delete from counted_status where comment_id in (select c.id from comment c
    where c.outcome_id = :outcomeId and c.id > :after and c.id <= :last)`

export const advanceListing = writing<{ outcomeId: number; position: number }>('advanceListing')`
  update comment_work set position = :position where outcome_id = :outcomeId`

export const finishWork = writing<{ outcomeId: number }>('finishWork')`
  delete from comment_work where outcome_id = :outcomeId`
