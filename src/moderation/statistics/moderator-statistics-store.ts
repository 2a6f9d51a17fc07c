// What each moderator decided in a period. Decisions without a person, and those that answered an appeal, are left out.

import { reading } from '../../platform/database/database.ts'
import type { Period } from './transparency-store.ts'

const BY_PEOPLE = `at >= :from and at < :until and automated = 0 and overturns is null`

export type ModeratorRow = { actor: string; decisions: number; restricting: number; overturned: number }

export const decisionsByModerator = reading<Period, ModeratorRow>('decisionsByModerator')`
  select actor, count(*) as decisions, count(ground) as restricting, count(overturned_by) as overturned
  from decision where ${BY_PEOPLE} group by actor order by decisions desc, actor`

/** The middle of what each took, from the first flag to the decision. PostgreSQL's average is a text. */
export const medianTimeByModerator = reading<Period, { actor: string; middle: number | string }>(
  'medianTimeByModerator',
)`
  select actor, avg(value) as middle from (
    select actor, at - flagged_at as value, row_number() over (partition by actor order by at - flagged_at) as place,
      count(*) over (partition by actor) as total
    from decision where ${BY_PEOPLE} and flagged_at is not null
  ) ranked where place in ((total + 1) / 2, (total + 2) / 2) group by actor order by actor`
