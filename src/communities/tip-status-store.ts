import { statement } from '../database/database.ts'

/** From now on neither comments nor likes are counted for the outcome; only outcomes ever tipped have this row. */
export const closeOutcomeCount = statement<[outcomeId: number]>(
  'closeOutcomeCount',
  'update outcome_count set num_live = 0, likes = 0, settled = 1 where outcome_id = $1',
)

export const queueOutcome = statement<[outcomeId: number]>(
  'queueOutcome',
  `insert into comment_work (outcome_id, position) values ($1, 0)
   on conflict (outcome_id) do update set position = 0`,
)

export const queueOutcomesOfEvent = statement<[eventId: number]>(
  'queueOutcomesOfEvent',
  `insert into comment_work (outcome_id, position)
   select k.outcome_id, 0 from market m join outcome o on o.market_id = m.id join outcome_count k on k.outcome_id = o.id
   where m.event_id = $1
   on conflict (outcome_id) do update set position = 0`,
)

export const addProfileToOutcomeCounts = statement<[profileId: number, times: number]>(
  'addProfileToOutcomeCounts',
  `update outcome_count set num_live = num_live + $2 * mine.tips, likes = outcome_count.likes + $2 * mine.likes
   from (select k.outcome_id, count(*) as tips, sum(k.likes) as likes from comment_count k
         where k.author_id = $1 and k.listed = 'A' group by k.outcome_id) as mine
   where outcome_count.outcome_id = mine.outcome_id and settled = 0`,
)

// ---- One batch of the work

export const anyWork = statement<[], { outcome_id: number }>(
  'anyWork',
  'select outcome_id from comment_work order by outcome_id limit 1',
)

/** How many comments are still to follow, counted up to `most`. */
export const commentsToFollow = statement<[most: number], { comments: number }>(
  'commentsToFollow',
  `select count(*) as comments from (
     select c.id from comment_work w cross join comment c
     where c.outcome_id = w.outcome_id and c.id > w.position limit $1) as some_of_them`,
)

export const nextWork = statement<[], { outcome_id: number; position: number }>(
  'nextWork',
  'select outcome_id, position from comment_work order by outcome_id limit 1 for no key update skip locked',
)

/** Waits until whoever works on the first outcome has committed; no row: that was its last batch. */
export const awaitWork = statement<[], { outcome_id: number }>(
  'awaitWork',
  'select outcome_id from comment_work order by outcome_id limit 1 for no key update',
)

export const statusOfOutcome = statement<[outcomeId: number], { result: string | null; start_time: number }>(
  'standingOfOutcome',
  `select o.result, e.start_time from outcome o join market m on m.id = o.market_id join event e on e.id = m.event_id
   where o.id = $1`,
)

/** Holds off likes and deactivations of the batch's comments until it is written. */
export const lockBatch = statement<[outcomeId: number, after: number, limit: number], { id: number }>(
  'lockBatch',
  'select id from comment where outcome_id = $1 and id > $2 order by id limit $3 for no key update',
)

const CHANGING = `c.outcome_id = $1 and c.id > $2 and c.id <= $3 and c.state = 'live' and c.status <> $4`

/** In the order of ids, so that two batches never wait for each other in a circle. */
export const lockProfileCounts = statement<
  [outcomeId: number, after: number, last: number, status: string],
  { profile_id: number }
>(
  'lockProfileCounts',
  `select profile_id from profile_count where profile_id in (select c.author_id from comment c where ${CHANGING})
   order by profile_id for no key update`,
)

export const moveProfileCounts = statement<[outcomeId: number, after: number, last: number, status: string]>(
  'moveProfileCounts',
  `update profile_count set num_live = num_live + moved.live, num_winning = num_winning + moved.winning
   from (select c.author_id,
           sum(case when $4 = 'A' then 1 else 0 end - case when c.status = 'A' then 1 else 0 end) as live,
           sum(case when $4 = 'W' then 1 else 0 end - case when c.status = 'W' then 1 else 0 end) as winning
         from comment c where ${CHANGING} group by c.author_id) as moved
   where profile_count.profile_id = moved.author_id`,
)

export const moveListed = statement<[outcomeId: number, after: number, last: number, status: string]>(
  'moveListed',
  `update comment_count set listed = case when $4 in ('A', 'W') then $4 end
   where comment_id in (select c.id from comment c where ${CHANGING})`,
)

export const moveComments = statement<[outcomeId: number, after: number, last: number, status: string, sooner: number]>(
  'moveComments',
  `update comment set status = $4, sooner = $5,
     listed = case when state = 'live' and $4 in ('A', 'W') then $4 end
   where outcome_id = $1 and id > $2 and id <= $3 and (status <> $4 or sooner <> $5)`,
)

export const advanceWork = statement<[outcomeId: number, position: number]>(
  'advanceWork',
  'update comment_work set position = $2 where outcome_id = $1',
)

export const finishWork = statement<[outcomeId: number]>('finishWork', 'delete from comment_work where outcome_id = $1')
