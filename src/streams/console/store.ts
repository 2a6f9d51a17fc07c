import { isSignedIn } from '../../identity/operators/console-session-store.ts'
import { type NoParameters, reading, writing } from '../../platform/database/database.ts'

export type PresenceKind = 'profile' | 'comment' | 'deposit'

// ---- What waits. Each is counted up to 1000, along its index; endpoints of webhooks are few.

export type WaitingRow = {
  profiles: number
  comments: number
  held: number
  appeals: number
  deposits: number
  withdrawals: number
  disputes: number
  unapplied: number
  webhooks: number
}

const MAX_COUNTED = 1000
const counted = (from: string) => `(select count(*) from (select 1 from ${from} limit ${MAX_COUNTED}) as counted)`
const inQueue = (kind: string) =>
  counted(`review where kind = '${kind}' and weight > 0 order by weight desc, subject_id`)

export const waitingCounts = reading<NoParameters, WaitingRow>('waitingCounts')`
  select ${inQueue('profile')} as profiles, ${inQueue('comment')} as comments,
    ${counted('comment where held = 1 order by id')} as held,
    ${counted(`appeal where state = 'open' order by made_at, id`)} as appeals,
    ${counted(`deposit where state = 'REVIEW' order by number desc`)} as deposits,
    ${counted(`withdrawal where state = 'REQUESTED' order by id`)} + ${counted(`withdrawal where state = 'REVIEW' order by id`)}
      as withdrawals,
    ${counted(`dispute where ended_at is null and evidence = 'open' and answer_by is not null order by changed_at, id`)} as disputes,
    ${counted(`gateway_notification where outcome in ('contradiction', 'failed') and settled_at is null order by id`)} as unapplied,
    (select count(*) from webhook_endpoint where deleted_at is null
      and (failing_since is not null or disabled_reason is not null)) as webhooks`

export const MAX_NEWEST = 20

const newestOf = (kind: string) =>
  `select * from (select kind, flagged_at as at from review where kind = '${kind}' and weight > 0 order by flagged_at desc
   limit ${MAX_NEWEST}) ${kind}s`

const NEWEST_APPEALS = `select * from (select 'appeal' as kind, made_at as at from appeal where state = 'open'
   order by made_at desc, id desc limit ${MAX_NEWEST}) appeals`

const NEWEST_DEPOSITS = `select * from (select 'deposit' as kind, review_at as at from deposit where state = 'REVIEW'
   order by review_at desc, number desc limit ${MAX_NEWEST}) deposits`

/** When the newest subjects of both queues were first flagged, the newest appeals made, and the newest deposits put into review. */
export const newestWaiting = reading<NoParameters, { kind: PresenceKind | 'appeal'; at: number }>('newestWaiting')`
  select kind, at from (${newestOf('profile')} union all ${newestOf('comment')} union all ${NEWEST_APPEALS}
    union all ${NEWEST_DEPOSITS}) newest order by at desc`

// ---- Who looks at what

export type PresenceRow = { operator: string; kind: PresenceKind; item_id: string }

/** One tab a row; a person has few. Those whose token or session has ended are no longer there. */
export const presentSince = reading<{ since: number; now: number; idleSince: number }, PresenceRow>('presentSince')`
  select distinct operator, kind, item_id from presence p where seen_at > :since and ${isSignedIn('p.operator')}
  order by kind, item_id, operator limit 200`

export const setPresence = writing<{ tab: string; operator: string; kind: PresenceKind; itemId: string; now: number }>(
  'setPresence',
)`
  insert into presence (tab, operator, kind, item_id, seen_at) values (:tab, :operator, :kind, :itemId, :now)
  on conflict (tab) do update set operator = excluded.operator, kind = excluded.kind, item_id = excluded.item_id,
    seen_at = excluded.seen_at`

export const deletePresence = writing<{ tab: string }>('deletePresence')`delete from presence where tab = :tab`

export const deletePresenceBefore = writing<{ before: number }>('deletePresenceBefore')`
  delete from presence where seen_at <= :before`
