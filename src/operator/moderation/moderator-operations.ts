import { readModeratorStatistics } from '../../moderation/statistics/moderator-statistics.ts'
import * as s from '../server/fields.ts'
import { operatorOperation } from '../server/operation.ts'
import { date, periodOf, periodQuery, WRONG_PERIOD } from './transparency-operations.ts'

export const moderatorStatistics = s.namedObject('ModeratorStatistics', {
  from: date('2026-03-01'),
  to: date('2026-03-14'),
  moderators: s.list(
    s.object({
      name: s.string('ann', 'The token or the person.'),
      decisions: s.count(120),
      restricting: s.count(31, 'How many of them took something from an author.'),
      overturned: s.count(1, 'How many of them were overturned by now.'),
      medianMinutes: s.orNull(
        s.number(0, Number.MAX_SAFE_INTEGER),
        'From the first flag to the decision; null: nothing flagged was decided.',
        42.5,
      ),
    }),
    'Who decided most comes first.',
  ),
})
export type ModeratorStatistics = s.ValueOf<typeof moderatorStatistics>

export const moderatorOperations = [
  operatorOperation({
    name: 'readModeratorStatistics',
    summary: 'Count what each moderator decided in a period',
    description: 'Decisions without a person, and those that answered an appeal, are not counted.',
    route: 'GET /moderation/moderators',
    role: 'moderator',
    query: periodQuery,
    answer: { 200: moderatorStatistics },
    problems: { 422: WRONG_PERIOD },
    example: { query: { from: '2026-03-01', to: '2026-03-14' } },
    async handle({ database, now }, { query }) {
      const { days, ...period } = periodOf(query, now())
      return { ...days, moderators: await readModeratorStatistics(database, period) }
    },
  }),
]
