import type { FlagReason } from '../../flags/reasons.ts'
import type { SubjectKind } from '../../flags/store.ts'
import { reading } from '../../platform/database/database.ts'
import type { RowOf } from '../../platform/database/table-store.ts'
import type { AppealState, Party } from '../appeals/appeal-store.ts'
import type { DecisionAction, Ground } from '../decisions/actions.ts'
import { decisions } from '../decisions/decision-store.ts'

/** Milliseconds since 1970; `until` is not part of it. */
export type Period = { from: number; until: number }

export type DecisionCount = {
  kind: SubjectKind
  action: DecisionAction
  ground: Ground | null
  clause: string | null
  automated: number
  count: number
  overturned: number
}

export const decisionCounts = reading<Period, DecisionCount>('decisionCounts')`
  select kind, action, ground, clause, count(overturned_by) as overturned, automated, count(*) as count
  from decision where at >= :from and at < :until
  group by kind, action, ground, clause, automated order by kind, action, ground, clause, automated`

/** The middle one of an odd number, the mean of the two in the middle of an even one; null if there is none. */
const median = (value: string, from: string) => `select avg(value) as middle from (
    select ${value} as value, row_number() over (order by ${value}) as place, count(*) over () as total from ${from}
  ) ranked where place in ((total + 1) / 2, (total + 2) / 2)`

/** From the first flag since the decision before. PostgreSQL's average is a text. */
export const medianDecisionTime = reading<Period, { middle: number | string | null }>(
  'medianDecisionTime',
  median('at - flagged_at', 'decision where at >= :from and at < :until and flagged_at is not null'),
)

export const flagCounts = reading<Period, { reason: FlagReason | null; count: number }>('flagCounts')`
  select reason, count(*) as count from flag where created_at >= :from and created_at < :until group by reason order by reason`

export const appealCounts = reading<Period, { party: Party; state: AppealState; appeals: number }>('appealCounts')`
  select party, state, count(*) as appeals from appeal where made_at >= :from and made_at < :until
  group by party, state order by party, state`

export const medianAppealTime = reading<Period, { middle: number | string | null }>(
  'medianAppealTime',
  median('decided_at - made_at', 'appeal where made_at >= :from and made_at < :until and decided_at is not null'),
)

const statements = decisions.pick(
  'id, kind, action, ground, clause, statement, automated, at, flagged_at, overturned_by',
)
export type StatementRow = RowOf<typeof statements> & { ground: Ground; clause: string }

/** `at` and `id` are those of the last one of the batch before. */
export const statementsBatch = reading<{ at: number; id: number; until: number; limit: number }, StatementRow>(
  'statementsBatch',
)`
  select ${statements.columns()} from decision
  where at >= :at and at < :until and (at, id) > (cast(:at as bigint), cast(:id as bigint)) and ground is not null
  order by at, id limit :limit`
