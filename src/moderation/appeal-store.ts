import type { SubjectKind } from '../flags/store.ts'
import { type NoParameters, reading, writing } from '../platform/database/database.ts'
import { DECISION_COLUMNS, type DecisionRow } from './decision-store.ts'
import type { AppealState, Party } from './own-decision-store.ts'

/** An appeal with the decision that it is against. */
export type AppealRow = DecisionRow & {
  appeal_id: number
  kind: SubjectKind
  former: string | null
  /** A later decision has done the same again. */
  is_repeated: number
  party: Party
  profile_id: number
  customer_id: number
  text: string
  made_at: number
  state: AppealState
  reply: string
  answered_by: string | null
  decided_at: number | null
}

const APPEAL_COLUMNS = `a.id as appeal_id, a.party, a.profile_id, p.customer_id, a.text, a.made_at, a.state, a.reply,
  a.actor as answered_by, a.decided_at, d.kind, d.former, ${DECISION_COLUMNS},
  case when exists (select 1 from decision later where later.kind = d.kind and later.subject_id = d.subject_id
    and later.id > d.id and later.action = d.action and later.changed = 1) then 1 else 0 end as is_repeated`
const APPEAL_JOINS = 'join decision d on d.id = a.decision_id join profile p on p.id = a.profile_id'

/** `madeAt` and `id` are those of the last appeal of the page before. */
export type AppealPage = { madeAt: number; id: number; limit: number }

/** Oldest first. The constant is the longest page and one more, as in moderation/store.ts. */
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
