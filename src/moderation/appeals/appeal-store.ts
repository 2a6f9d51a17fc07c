// The SQL of appeals: what a profile reads about decisions and appeals against, and what moderators decide. A decision that
// restricts has a ground.

import type { SubjectKind } from '../../flags/store.ts'
import { locking, type NoParameters, reading, writing } from '../../platform/database/database.ts'
import {
  bigint,
  oneOf,
  orNull,
  type ParametersOf,
  type RowOf,
  table,
  text,
} from '../../platform/database/table-store.ts'
import { OWNER_NOT_ERASED } from '../../profiles/store.ts'
import type { Ground } from '../decisions/actions.ts'
import { DECISION_COLUMNS, type DecisionRow, decisions } from '../decisions/decision-store.ts'

export const PARTIES = ['author', 'reporter'] as const
export type Party = (typeof PARTIES)[number]
export const APPEAL_OUTCOMES = ['upheld', 'overturned'] as const
export type AppealOutcome = (typeof APPEAL_OUTCOMES)[number]
export const APPEAL_STATES = ['open', ...APPEAL_OUTCOMES, 'withdrawn'] as const
export type AppealState = (typeof APPEAL_STATES)[number]

export const appeals = table('appeal', {
  id: bigint,
  decision_id: bigint,
  profile_id: bigint,
  party: oneOf(PARTIES),
  text,
  made_at: bigint,
  state: oneOf(APPEAL_STATES),
  reply: text,
  actor: orNull(text),
  decided_at: orNull(bigint),
})

const own = decisions.pick('id, kind, subject_id, action, ground, clause, statement, at, automated, overturned_by')
const ownAppeal = appeals.pick('text, state, reply, made_at, decided_at')
type OwnAppeal = RowOf<typeof ownAppeal>

/** The columns of the appeal are null where there is none. */
export type OwnDecisionRow = RowOf<typeof own> & { [Column in keyof OwnAppeal]: OwnAppeal[Column] | null } & {
  party: Party
  subject_text: string | null
  appeal_id: number | null
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
  select ${own.columns('d')}, b.party, case when d.kind = 'comment' then c.text when d.action in ('reset-name', 'reset-biography') then d.former end
      as subject_text, a.id as appeal_id, ${ownAppeal.columns('a')}
  from (select * from
         (select id, 'author' as party from decision
          where profile_id = :id and ${SHOWN_TO_AUTHOR}
          union all
          select decision_id as id, 'reporter' as party from flag
          where profile_id = :id and decision_id is not null and verdict <> 0
          order by id desc limit :limit offset :offset) block
        limit 100) b
  join decision d on d.id = b.id left join appeal a on a.decision_id = d.id and a.profile_id = :id
  left join comment c on d.kind = 'comment' and c.id = d.subject_id
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

const newAppeals = appeals.pick('decision_id, profile_id, party, text, made_at')
export const insertAppeal = writing<ParametersOf<typeof newAppeals>>('insertAppeal')`
  ${newAppeals.insert()} on conflict (decision_id, profile_id) do nothing`

// ---- Deciding an appeal

const reviewed = appeals.omit('id, decision_id, actor')

/** An appeal with the decision that it is against. */
export type AppealRow = DecisionRow &
  RowOf<typeof reviewed> & {
    appeal_id: number
    kind: SubjectKind
    former: string | null
    /** A later decision has done the same again. */
    is_repeated: number
    customer_id: number
    answered_by: string | null
  }

const APPEAL_COLUMNS = `a.id as appeal_id, ${reviewed.columns('a')}, p.customer_id,
  a.actor as answered_by, d.kind, d.former, ${DECISION_COLUMNS},
  case when exists (select 1 from decision later where later.kind = d.kind and later.subject_id = d.subject_id
    and later.id > d.id and later.action = d.action and later.changed = 1) then 1 else 0 end as is_repeated`
const APPEAL_JOINS = 'join decision d on d.id = a.decision_id join profile p on p.id = a.profile_id'

/** `madeAt` and `id` are those of the last appeal of the page before. */
export type AppealPage = { madeAt: number; id: number; limit: number }

/** Oldest first. The constant is the longest page and one more, as in moderation/decisions/store.ts. */
export const openAppealPage = reading<AppealPage, AppealRow>('openAppealPage')`
  select ${APPEAL_COLUMNS}
  from (select * from
         (select * from appeal where state = 'open'
            and (made_at, id) > (cast(:madeAt as bigint), cast(:id as bigint)) order by made_at, id limit :limit) page
        limit 101) a ${APPEAL_JOINS}
  order by a.made_at, a.id`

export const appealForReview = reading<{ id: number }, AppealRow>('appealForReview')`
  select ${APPEAL_COLUMNS} from appeal a ${APPEAL_JOINS} where a.id = :id`

const MAX_COUNTED = 1000

/** How many wait, counted up to MAX_COUNTED, and since when the oldest does. */
export const waitingAppeals = reading<NoParameters, { waiting: number; oldest: number | null }>('waitingAppeals')`
  select count(*) as waiting, min(made_at) as oldest
  from (select made_at from appeal where state = 'open' order by made_at, id limit ${MAX_COUNTED}) as counted`

type AppealDecision = { id: number; state: AppealState; reply: string; actor: string; now: number }

const DECIDE = 'update appeal set state = :state, reply = :reply, actor = :actor, decided_at = :now'

/** No row: somebody else has decided it. */
export const decideAppealRow = writing<AppealDecision>('decideAppealRow')`${DECIDE} where id = :id and state = 'open'`

/** The other open appeals against the decision. */
export const decideOtherAppeals = writing<Omit<AppealDecision, 'id'> & { decisionId: number }>('decideOtherAppeals')`
  ${DECIDE} where decision_id = :decisionId and state = 'open'`

/** Another token or person that may decide appeals: one is enough. */
export const otherModerator = reading<{ name: string; now: number }, { name: string }>('otherModerator')`
  select name from (
    select name from operator_token where role in ('admin', 'moderator') and name <> :name
      and revoked_at is null and (expires_at is null or expires_at > :now)
    union all
    select name from console_session where role in ('admin', 'moderator') and name <> :name and expires_at > :now
  ) as others order by name limit 1`

// ---- Personal data

/** Appeals that nobody has decided end with the personal data of whoever made them. */
export const eraseAppealsOf = writing<{ profileId: number }>('eraseAppealsOf')`
  update appeal set text = '', reply = '', state = case when state = 'open' then 'withdrawn' else state end
  where profile_id = :profileId`
