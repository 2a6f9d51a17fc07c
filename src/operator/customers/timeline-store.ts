// What a customer did, for operators: lists by the customer or its profile, newest first.

import { REVIEWED_STATE } from '../../communities/store.ts'
import { decisions } from '../../moderation/decisions/decision-store.ts'
import { reading } from '../../platform/database/database.ts'
import { inList } from '../../platform/database/row-list-store.ts'
import type { RowOf } from '../../platform/database/table-store.ts'
import type { Result } from '../../record/figures.ts'
import type { TipStatus } from '../../record/result-status.ts'
import type { ReviewedTipState } from '../../record/tip-state.ts'

type OfCustomer = { customerId: number; before: number; limit: number }
/** `until`: before this time. */
type Until = { until: number }
type OfProfile = { profileId: number; before: number; limit: number }

/** Of an outcome o, with its market m and event e. */
const NAMES = 'o.name as outcome, m.name as market, e.name as event, e.start_time as starts_at'

export type BetRow = { id: number; placed_at: number; cash_outs: string | null }

export const betsOfCustomerBefore = reading<OfCustomer & Until, BetRow>('betsOfCustomerBefore')`
  select id, placed_at, cash_outs from bet where customer_id = :customerId and id < :before
    and placed_at < :until order by id desc limit :limit`

export type BetLegRow = {
  bet_id: number
  outcome_id: number
  outcome: string
  market: string
  event: string
  starts_at: number
  result: Result | null
  price_num: number | null
  price_den: number | null
}

export const legsOfBets = reading<{ ids: string }, BetLegRow>('legsOfBets')`
  select b.bet_id, b.outcome_id, ${NAMES}, o.result, b.price_num, b.price_den
  from bet_outcome b join outcome o on o.id = b.outcome_id join market m on m.id = o.market_id
    join event e on e.id = m.event_id
  where b.bet_id ${inList('ids')} order by b.bet_id, b.outcome_id`

export type TipRow = {
  id: number
  text: string
  state: ReviewedTipState
  status: TipStatus
  featured: number
  at: number
  likes: number
  outcome: string
  market: string
  event: string
  starts_at: number
}

/** In any state. */
export const tipsOfProfileBefore = reading<OfProfile & Until, TipRow>('tipsOfProfileBefore')`
  select c.id, c.text, ${REVIEWED_STATE}, c.status, c.featured, c.created_at as at, k.likes, ${NAMES}
  from comment c join comment_count k on k.comment_id = c.id join outcome o on o.id = c.outcome_id
    join market m on m.id = o.market_id join event e on e.id = m.event_id
  where c.author_id = :profileId and c.id < :before and c.created_at < :until order by c.id desc limit :limit`

// ---- Flags, by their subject: comments first, the newest before the others, then profiles.

export type FlagRow = { id: number; by_profile_id: number; at: number; decided: number }
const FLAG = 'f.subject_id as id, f.profile_id as by_profile_id, f.created_at as at, f.decided'

/** Flags by one profile on subjects of a kind. */
export const flagsGivenBefore = reading<OfProfile & Until & { kind: string }, FlagRow>('flagsGivenBefore')`
  select ${FLAG} from flag f
  where f.profile_id = :profileId and f.kind = :kind and f.subject_id < :before and f.created_at < :until
  order by f.subject_id desc limit :limit`

export const flagsOnProfileAfter = reading<Until & { profileId: number; after: number; limit: number }, FlagRow>(
  'flagsOnProfileAfter',
)`
  select ${FLAG} from flag f
  where f.kind = 'profile' and f.subject_id = :profileId and f.profile_id > :after and f.created_at < :until
  order by f.profile_id limit :limit`

/** From one comment on, and from one flagger on where the comment is the same. Reads at most all tips of the profile. */
export const flagsOnTipsOf = reading<
  Until & { profileId: number; upTo: number; after: number; limit: number },
  FlagRow
>('flagsOnTipsOf')`
  select ${FLAG} from comment c join flag f on f.kind = 'comment' and f.subject_id = c.id
  where c.author_id = :profileId and c.id <= :upTo and (c.id < :upTo or f.profile_id > :after) and f.created_at < :until
  order by c.id desc, f.profile_id limit :limit`

// ---- Further sources of the timeline

const made = decisions.pick('id, kind, subject_id, action, actor, at')

/** On the profile and on its tips. Sorted by an expression: walking all decisions by id would read those of everybody. */
export const decisionsAboutBefore = reading<OfProfile, RowOf<typeof made>>('decisionsAboutBefore')`
  select ${made.columns()} from (
    select ${made.columns()} from decision
    where kind = 'profile' and subject_id = :profileId and id < :before
    union all
    select ${made.columns('d')}
    from comment c join decision d on d.kind = 'comment' and d.subject_id = c.id
    where c.author_id = :profileId and d.id < :before) about
  order by id + 0 desc limit :limit`

/** Only sessions that are still stored: one is deleted some time after its end. */
export const sessionStartsBefore = reading<OfCustomer, { created_at: number; sessions: number }>('sessionStartsBefore')`
  select created_at, count(*) as sessions from session where customer_id = :customerId and created_at < :before
  group by created_at order by created_at desc limit :limit`
