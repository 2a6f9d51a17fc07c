// What must hold in the tables of communities whenever no work is in progress.

import { type Database, type NoParameters, writing } from '../../src/platform/database/database.ts'

const counted = (status: string) => `(select count(*) from comment c left join counted_status k on k.comment_id = c.id
  where c.author_id = p.profile_id and c.state = 'live' and coalesce(k.status, c.status) = '${status}')`

/** Holds at any time, also while comments are being updated after a settlement. */
const PROFILE_COUNTS = `select p.profile_id as id from profile_count p
  where p.num_live <> ${counted('A')} or p.num_winning <> ${counted('W')}`

const STORED_SUMS = `select profile_id, in_play, day, sport_id, band, num_won, num_lost, num_void, num_withdrawn, staked,
  profit, odds, return_squares, num_closing, closing, num_beaten from record_sum`
const GRADE_SUMS = `select profile_id, in_play, day, sport_id, band, sum(case when grade = 'W' then 1 else 0 end),
  sum(case when grade = 'L' then 1 else 0 end), sum(case when grade = 'V' then 1 else 0 end), sum(withdrawn), sum(stake),
  sum(profit), sum(odds), sum(return_square), count(closing), coalesce(sum(closing), 0),
  sum(case when closing > 0 then 1 else 0 end)
  from tip_grade group by profile_id, in_play, day, sport_id, band`

const VIOLATIONS: Record<string, string> = {
  'like counts equal the likes': `
    select k.comment_id as id from comment_count k
    where k.likes <> (select count(*) from comment_like l where l.comment_id = k.comment_id)`,
  'comment and comment_count have the same list': `
    select c.id from comment c join comment_count k on k.comment_id = c.id
    where coalesce(c.listed, '') <> coalesce(k.listed, '')`,
  'a comment has the status of its outcome’s result': `
    select c.id from comment c join outcome o on o.id = c.outcome_id
    where c.status <> case when o.result in ('win', 'half-win') then 'W'
      when o.result in ('lose', 'half-lose', 'place') then 'L' when o.result in ('void', 'push') then 'V' else 'A' end`,
  'a comment has the start time of its event': `
    select c.id from comment c join outcome o on o.id = c.outcome_id join market m on m.id = o.market_id
    join event e on e.id = m.event_id where c.start_order <> -e.start_time`,
  'an event is settled when all of its markets are': `
    select e.id from event e where exists (select 1 from market m where m.event_id = e.id)
      and case when e.settled_at is null then 1 else 0 end
        <> case when exists (select 1 from market m where m.event_id = e.id and m.settled_at is null) then 1 else 0 end`,
  'profiles count their live and winning comments': PROFILE_COUNTS,
  'profiles count their followers and followings, as far as they are shown': `
    select p.profile_id as id from profile_count p
    where p.num_followers <> (select count(*) from follow f where f.followee_id = p.profile_id and f.shown = 1)
       or p.num_followings <> (select count(*) from follow f where f.follower_id = p.profile_id and f.shown = 1)`,
  'nobody follows across a block': `
    select f.id from follow f join profile_block b on b.profile_id = f.follower_id and b.other_id = f.followee_id`,
  'a block has two sides': `
    select b.id from profile_block b where not exists (select 1 from profile_block c
      where c.profile_id = b.other_id and c.other_id = b.profile_id and c.own = 1 - b.own)`,
  // A mute that has ended leaves its end behind, which is before any later time.
  'a follow has the end of its mute': `
    select f.id from follow f left join profile_mute m on m.profile_id = f.follower_id and m.other_id = f.followee_id
    where f.muted_until <> coalesce(m.until, case when f.muted_until < 9007199254740991 then f.muted_until else 0 end)`,
  'outcomes count their live comments by active profiles, and the likes of these': `
    select n.outcome_id as id from outcome_count n
    where n.num_live <> (select count(*) from comment c join profile p on p.id = c.author_id
        where c.outcome_id = n.outcome_id and c.listed = 'A' and p.status = 'A')
      or n.likes <> (select coalesce(sum(k.likes), 0) from comment_count k join profile p on p.id = k.author_id
        where k.outcome_id = n.outcome_id and k.listed = 'A' and p.status = 'A')`,
  'the queue counts the flags that nobody has decided on': `
    select r.subject_id as id from review r where r.kind = 'comment' and r.flags <> (
      select count(*) from flag f where f.kind = 'comment' and f.subject_id = r.subject_id and f.decided = 0)`,
  'the queue weighs the flags that nobody has decided on': `
    select subject_id as id from (
      select kind, subject_id, weight, trusted from review except
      select kind, subject_id, sum(weight), sum(trusted) from flag where decided = 0 group by kind, subject_id) as wrong`,
  'an open flag has the weight of its reporter, unless it waits for it': `
    select f.subject_id as id from flag f join reporter r on r.profile_id = f.profile_id
    where f.decided = 0 and (f.weight <> r.weight or f.trusted <> r.trusted)
      and not exists (select 1 from reporter_work w where w.profile_id = f.profile_id)`,
  'the sums of records equal their grades': `
    select profile_id as id from (${GRADE_SUMS} except ${STORED_SUMS}) as missing
    union all select profile_id from (${STORED_SUMS} except ${GRADE_SUMS}) as surplus`,
  'a tip has a grade exactly when it counts and is settled': `
    select c.id from comment c join outcome o on o.id = c.outcome_id
    left join tip_grade g on g.profile_id = c.author_id and g.comment_id = c.id
    where (g.comment_id is not null) <> (o.result is not null
      and (c.record_num is not null or c.record_sp = 1 and o.sp_num is not null)
      and not exists (select 1 from comment d
        where d.author_id = c.author_id and d.outcome_id = c.outcome_id and d.id < c.id))`,
  'a grade is withdrawn with its tip': `
    select c.id from comment c join tip_grade g on g.profile_id = c.author_id and g.comment_id = c.id
    where g.withdrawn <> case c.state when 'live' then 0 else 1 end`,
  'no comment waits for an update': 'select outcome_id as id from comment_work',
  'a comment is counted under its own status': 'select comment_id as id from counted_status',
}

/** The ids that violate each invariant; empty when all hold. */
export async function brokenInvariants(database: Database): Promise<Record<string, number[]>> {
  const broken: Record<string, number[]> = {}
  for (const [index, [name, sql]] of Object.entries(VIOLATIONS).entries()) {
    const ids = await idsOf(database, `invariant${index}`, sql)
    if (ids.length > 0) broken[name] = ids
  }
  return broken
}

/** The profiles whose counts differ from what is recorded as counted. */
export function wronglyCountedProfiles(database: Database): Promise<number[]> {
  return idsOf(database, 'wronglyCountedProfiles', PROFILE_COUNTS)
}

async function idsOf(database: Database, name: string, sql: string): Promise<number[]> {
  const rows = await database.query(writing<NoParameters, { id: number }>(name, sql), {})
  return rows.map(({ id }) => id)
}
