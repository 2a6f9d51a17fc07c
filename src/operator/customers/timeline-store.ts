// What a customer did, for operators: lists by the customer or its profile, newest first.

import { REVIEWED_STATE } from '../../communities/store.ts'
import type { SubjectKind } from '../../flags/store.ts'
import type { DecisionAction } from '../../moderation/decisions/actions.ts'
import { reading } from '../../platform/database/database.ts'
import { inList } from '../../platform/database/row-list-store.ts'
import type { Result } from '../../record/figures.ts'
import type { TipStatus } from '../../record/result-status.ts'
import type { ReviewedTipState } from '../../record/tip-state.ts'

type OfCustomer = { customerId: number; before: number; limit: number }
/** `until`: before this time. */
type Until = { until: number }
type OfProfile = { profileId: number; before: number; limit: number }

export type BetRow = { id: number; placed_at: number; cash_outs: string | null }

export const betsOfCustomerBefore = reading<OfCustomer & Until, BetRow>('betsOfCustomerBefore')`
  select id, placed_at, cash_outs from bet where customer_id = :customerId and id < :before
    and placed_at < :until order by id desc limit :limit`

export type BetLegRow = {
  bet_id: number
  outcome_id: number
  outcome_name: string
  market_name: string
  event_name: string
  start_time: number
  result: Result | null
  price_num: number | null
  price_den: number | null
}

export const legsOfBets = reading<{ ids: string }, BetLegRow>('legsOfBets')`
  select b.bet_id, b.outcome_id, o.name as outcome_name, m.name as market_name, e.name as event_name, e.start_time, o.result,
    b.price_num, b.price_den
  from bet_outcome b join outcome o on o.id = b.outcome_id join market m on m.id = o.market_id
    join event e on e.id = m.event_id
  where b.bet_id ${inList('ids')} order by b.bet_id, b.outcome_id`

export type TipRow = {
  id: number
  text: string
  state: ReviewedTipState
  status: TipStatus
  featured: number
  created_at: number
  likes: number
  outcome_name: string
  market_name: string
  event_name: string
  start_time: number
}

/** In any state. */
export const tipsOfProfileBefore = reading<OfProfile & Until, TipRow>('tipsOfProfileBefore')`
  select c.id, c.text, ${REVIEWED_STATE}, c.status, c.featured, c.created_at, k.likes, o.name as outcome_name,
    m.name as market_name, e.name as event_name, e.start_time
  from comment c join comment_count k on k.comment_id = c.id join outcome o on o.id = c.outcome_id
    join market m on m.id = o.market_id join event e on e.id = m.event_id
  where c.author_id = :profileId and c.id < :before and c.created_at < :until order by c.id desc limit :limit`

// ---- Flags, by their subject: comments first, the newest before the others, then profiles.

export type FlagRow = { subject_id: number; profile_id: number; created_at: number; decided: number }

/** Flags by one profile on subjects of a kind. */
export const flagsGivenBefore = reading<OfProfile & Until & { kind: string }, FlagRow>('flagsGivenBefore')`
  select subject_id, profile_id, created_at, decided from flag
  where profile_id = :profileId and kind = :kind and subject_id < :before and created_at < :until
  order by subject_id desc limit :limit`

export const flagsOnProfileAfter = reading<Until & { profileId: number; after: number; limit: number }, FlagRow>(
  'flagsOnProfileAfter',
)`
  select subject_id, profile_id, created_at, decided from flag
  where kind = 'profile' and subject_id = :profileId and profile_id > :after and created_at < :until
  order by profile_id limit :limit`

/** From one comment on, and from one flagger on where the comment is the same. Reads at most all tips of the profile. */
export const flagsOnTipsOf = reading<
  Until & { profileId: number; upTo: number; after: number; limit: number },
  FlagRow
>('flagsOnTipsOf')`
  select f.subject_id, f.profile_id, f.created_at, f.decided
  from comment c join flag f on f.kind = 'comment' and f.subject_id = c.id
  where c.author_id = :profileId and c.id <= :upTo and (c.id < :upTo or f.profile_id > :after) and f.created_at < :until
  order by c.id desc, f.profile_id limit :limit`

// ---- Further sources of the timeline

export type DecisionOnProfile = {
  id: number
  kind: SubjectKind
  subject_id: number
  action: DecisionAction
  actor: string
  at: number
}

/** On the profile and on its tips. Sorted by an expression: walking all decisions by id would read those of everybody. */
export const decisionsAboutBefore = reading<OfProfile, DecisionOnProfile>('decisionsAboutBefore')`
  select id, kind, subject_id, action, actor, at from (
    select id, kind, subject_id, action, actor, at from decision
    where kind = 'profile' and subject_id = :profileId and id < :before
    union all
    select d.id, d.kind, d.subject_id, d.action, d.actor, d.at
    from comment c join decision d on d.kind = 'comment' and d.subject_id = c.id
    where c.author_id = :profileId and d.id < :before) about
  order by id + 0 desc limit :limit`

/** Only sessions that are still stored: one is deleted some time after its end. */
export const sessionStartsBefore = reading<OfCustomer, { created_at: number; sessions: number }>('sessionStartsBefore')`
  select created_at, count(*) as sessions from session where customer_id = :customerId and created_at < :before
  group by created_at order by created_at desc limit :limit`
