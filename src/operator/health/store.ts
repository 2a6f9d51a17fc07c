import { type NoParameters, reading } from '../../platform/database/database.ts'

/** `oldest`: milliseconds since 1970; null: nothing waits, or its age is not known. */
export type QueueRow = { name: string; waiting: number; oldest: number | null }

export const MAX_COUNTED = 1000
const counted = (from: string) => `(select count(*) from (select 1 from ${from} limit ${MAX_COUNTED}) as counted)`

/** As in moderation/decisions/store.ts: what only muted reporters flagged does not wait. */
const inReview = (name: string, kind: string) => {
  const queue = `review where kind = '${kind}' and weight > 0`
  return `select '${name}' as name, ${counted(`${queue} order by weight desc, subject_id`)} as waiting,
     (select flagged_at from ${queue} order by flagged_at limit 1) as oldest`
}

/** Read by the index of states: few are in review. */
const moneyInReview = (name: string, table: string) =>
  `union all select '${name}', count(*), min(changed_at) from
     (select changed_at from ${table} where state = 'REVIEW' order by id limit ${MAX_COUNTED}) as counted`

/** What waits for people. */
export const reviewQueues = reading<NoParameters, QueueRow>('reviewQueues')`
  ${inReview('profileReview', 'profile')}
  union all ${inReview('commentReview', 'comment')}
  union all select 'depositReview', ${counted(`deposit where state = 'REVIEW' order by number desc`)},
    (select review_at from deposit where state = 'REVIEW' order by review_at, number limit 1)
  ${moneyInReview('refundReview', 'refund')}
  ${moneyInReview('withdrawalReview', 'withdrawal')}`

const behind = (name: string, from: string) =>
  `select '${name}' as name, (select coalesce(max(position), 0) from event_log) - r.position as waiting,
     (select e.at from event_log e where e.position > r.position order by e.position limit 1) as oldest
   from ${from} r`

/** How many events each reader of the log has still to read. */
export const eventReaders = reading<NoParameters, QueueRow>('eventReaders')`
  ${behind('notificationEvents', '(select position from notification_cursor where id = 1)')}
  union all ${behind('recordBoard', '(select position from record_board_progress where id = 1)')}
  union all ${behind('tipLog', '(select position from tip_log where id = 1)')}
  union all ${behind(
    'webhookEvents',
    '(select min(read_position) as position from webhook_endpoint where enabled = 1 having count(*) > 0)',
  )}`

/** Outcomes whose tips are being counted and listed. For an outcome that is graded again no time is known. */
export const tipStatusQueue = reading<NoParameters, QueueRow>('tipStatusQueue')`
  select 'tipStatus' as name, count(*) as waiting,
    min(case when w.regrade = 0 then
      (select coalesce(o.settled_at, m.settled_at) from outcome o join market m on m.id = o.market_id
       where o.id = w.outcome_id) end) as oldest
  from (select outcome_id, regrade from comment_work order by outcome_id limit ${MAX_COUNTED}) w`
