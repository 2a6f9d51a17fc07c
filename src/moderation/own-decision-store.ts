// The SQL of what a profile reads about decisions, and of its appeals. A decision that restricts has a ground.

import type { SubjectKind } from '../flags/store.ts'
import { locking, reading, writing } from '../platform/database/database.ts'
import { OWNER_NOT_ERASED } from '../profiles/store.ts'
import type { DecisionAction } from './actions.ts'
import type { Ground } from './grounds.ts'

export const PARTIES = ['author', 'reporter'] as const
export type Party = (typeof PARTIES)[number]
export const APPEAL_STATES = ['open', 'upheld', 'overturned', 'withdrawn'] as const
export type AppealState = (typeof APPEAL_STATES)[number]

/** The columns of the appeal are null where there is none. */
export type OwnDecisionRow = {
  id: number
  party: Party
  kind: SubjectKind
  subject_id: number
  action: DecisionAction
  ground: Ground | null
  clause: string | null
  statement: string
  at: number
  automated: number
  overturned_by: number | null
  appeal_id: number | null
  text: string | null
  state: AppealState | null
  reply: string | null
  made_at: number | null
  decided_at: number | null
}

/** `keep`, `feature` and `unfeature` are hidden from the author, as if they did not exist. */
const SHOWN_TO_AUTHOR = "action not in ('keep', 'feature', 'unfeature')"

/**
 * The decisions on the profile's own content, and those that upheld or rejected its flags (verdict 0: neither), newest first. Both indexes are in the order of
 * ids and are merged: ids first, rows after, as in followersOf.
 */
export const decisionsConcerning = reading<{ id: number; limit: number; offset: number }, OwnDecisionRow>(
  'decisionsConcerning',
)`
  select d.id, b.party, d.kind, d.subject_id, d.action, d.ground, d.clause, d.statement, d.at, d.automated,
    d.overturned_by, a.id as appeal_id, a.text, a.state, a.reply, a.made_at, a.decided_at
  from (select * from
         (select id, 'author' as party from decision
          where profile_id = :id and ${SHOWN_TO_AUTHOR}
          union all
          select decision_id as id, 'reporter' as party from flag
          where profile_id = :id and decision_id is not null and verdict <> 0
          order by id desc limit :limit offset :offset) block
        limit 100) b
  join decision d on d.id = b.id left join appeal a on a.decision_id = d.id and a.profile_id = :id
  order by d.id desc`

/** Waits for an overturning of the decision, and holds it off until the appeal is written. */
export const lockDecisionToAppeal = locking<
  { decisionId: number; profileId: number },
  { is_author: number; is_reporter: number; ground: Ground | null; at: number; overturned_by: number | null }
>('lockDecisionToAppeal')`
  select d.ground, d.at, d.overturned_by,
    case when d.profile_id = profile.id and d.${SHOWN_TO_AUTHOR} then 1 else 0 end as is_author,
    case when exists (select 1 from flag f where f.kind = d.kind and f.subject_id = d.subject_id
      and f.profile_id = profile.id and f.decision_id = d.id and f.verdict <> 0) then 1 else 0 end as is_reporter
  from decision d cross join profile
  where d.id = :decisionId and profile.id = :profileId and ${OWNER_NOT_ERASED} for share of d`

export const insertAppeal = writing<{
  decisionId: number
  profileId: number
  party: Party
  text: string
  now: number
}>('insertAppeal')`
  insert into appeal (decision_id, profile_id, party, text, made_at)
  values (:decisionId, :profileId, :party, :text, :now)
  on conflict (decision_id, profile_id) do nothing`

// ---- Personal data

/** Appeals that nobody has decided end with the personal data of whoever made them. */
export const eraseAppealsOf = writing<{ profileId: number }>('eraseAppealsOf')`
  update appeal set text = '', reply = '', state = case when state = 'open' then 'withdrawn' else state end
  where profile_id = :profileId`
