import { FLAG_REASONS } from '../../flags/reasons.ts'
import { GROUNDS } from '../../moderation/decisions/actions.ts'
import { readStatements, readTransparency } from '../../moderation/statistics/transparency.ts'
import { DAY_MS } from '../../platform/runtime/durations.ts'
import { isoTime, isoTimeOrNull } from '../../platform/runtime/iso-time.ts'
import * as s from '../server/fields.ts'
import { operatorOperation } from '../server/operation.ts'
import { notValid } from '../server/problem.ts'
import { dateOf, dayOfForm, timeOfQuery } from '../server/query-days.ts'
import { csvOf } from '../server/shown.ts'

export const periodQuery = s.allOptional({
  from: dayOfForm('The first day (UTC). Without it: 29 days before the last one.', '2026-03-01'),
  to: dayOfForm('The last day (UTC). Without it: today.', '2026-03-14'),
})
export type PeriodQuery = s.ValueOf<typeof periodQuery>

const hours = (description: string, example: number) =>
  s.orNull(s.number(0, Number.MAX_SAFE_INTEGER), description, example)

export const date = (example: string) => s.stringOf({ format: 'date' }, example)

export const transparency = s.namedObject('Transparency', {
  from: date('2026-03-01'),
  to: date('2026-03-14'),
  decisions: s.list(
    s.object({
      kind: s.oneOf(['profile', 'comment'], 'comment'),
      action: s.string('remove'),
      ground: s.orNull(s.oneOf(GROUNDS), 'null: it restricted nothing.', 'terms'),
      clause: s.orNull(s.string(), undefined, 'spam'),
      automated: s.boolean(false, 'Made without a person.'),
      count: s.count(12),
      overturned: s.count(1, 'How many of them were overturned by now.'),
    }),
  ),
  medianHoursToDecision: hours('From the first flag to the decision; null: nothing flagged was decided.', 3.5),
  flags: s.list(
    s.object({
      reason: s.orNull(s.oneOf(FLAG_REASONS), 'null: none was given.', 'spam'),
      count: s.count(31),
    }),
    'Flags that came in. A flag that was withdrawn is not counted.',
  ),
  appeals: s.object(
    {
      made: s.count(2),
      byAuthors: s.count(1),
      byReporters: s.count(1),
      open: s.count(0),
      upheld: s.count(1),
      overturned: s.count(1),
      medianHours: hours('From the appeal to its decision; null: none was decided.', 20),
    },
    {},
    'Appeals made in the period, as they are by now.',
  ),
})
export type Transparency = s.ValueOf<typeof transparency>

/** The columns of the file, in this order. */
export const statementColumns = s.object({
  decisionId: s.string('7'),
  decidedAt: s.time(),
  kind: s.string('comment'),
  action: s.string('remove'),
  ground: s.string('terms'),
  clause: s.string('spam'),
  title: s.string('Spam and advertising', 'The title of the clause.'),
  statement: s.string(
    'This content advertises or repeats itself.',
    'If it is the template of the clause. One that a moderator has worded may be about a person, and is left out.',
  ),
  automated: s.string('no'),
  flaggedAt: s.string('2026-03-14T12:09:26.535Z'),
  overturned: s.string('no'),
})

export const WRONG_PERIOD =
  'The period has a day that does not exist, ends before it begins, or is longer than 366 days.'

export const transparencyOperations = [
  operatorOperation({
    name: 'readTransparency',
    summary: 'Count decisions, flags and appeals of a period',
    description:
      'For a report on moderation: by ground and clause, automated or not, with the median hours. No personal data.',
    route: 'GET /moderation/transparency',
    role: 'moderator',
    query: periodQuery,
    answer: { 200: transparency },
    problems: { 422: WRONG_PERIOD },
    example: { query: { from: '2026-03-01', to: '2026-03-14' } },
    async handle({ database, now }, { query }) {
      const { days, ...period } = periodOf(query, now())
      return { ...days, ...(await readTransparency(database, period)) }
    },
  }),
  operatorOperation({
    name: 'exportStatements',
    summary: 'Export the restricting decisions of a period as CSV',
    description:
      'Oldest first, without personal data. Texts that a spreadsheet would take for a formula begin with an apostrophe.',
    route: 'GET /moderation/transparency/statements.csv',
    role: 'moderator',
    sendsCsv: true,
    query: periodQuery,
    answer: { 200: statementColumns },
    problems: { 422: WRONG_PERIOD },
    example: { query: { from: '2026-03-01', to: '2026-03-14' } },
    async handle({ database, now }, { query }) {
      const { from, until } = periodOf(query, now())
      const rows = readStatements(database, { from, until })
      return csvOf(statementColumns, rows, (row) => ({
        ...row,
        decisionId: String(row.id),
        decidedAt: isoTime(row.at),
        automated: yesNo(row.automated === 1),
        flaggedAt: isoTimeOrNull(row.flagged_at),
        overturned: yesNo(row.overturned_by !== null),
      }))
    },
  }),
]

const yesNo = (is: boolean) => (is ? 'yes' : 'no')

const MAX_DAYS = 366

export function periodOf({ from, to }: PeriodQuery, now: number) {
  const last = to === undefined ? Math.floor(now / DAY_MS) * DAY_MS : timeOfQuery('to', to)
  const first = from === undefined ? last - 29 * DAY_MS : timeOfQuery('from', from)
  if (first > last) throw notValid([{ pointer: 'query/from', detail: 'must not be after `to`' }])
  if (last - first >= MAX_DAYS * DAY_MS)
    throw notValid([{ pointer: 'query/from', detail: `must be at most ${MAX_DAYS - 1} days before \`to\`` }])
  return { from: first, until: last + DAY_MS, days: { from: dateOf(first), to: dateOf(last) } }
}
