import { Readable } from 'node:stream'
import { readStatements, readTransparency } from '../../moderation/transparency.ts'
import { csvFile } from '../../platform/runtime/csv.ts'
import { DAY_MS } from '../../platform/runtime/durations.ts'
import { isoTime, isoTimeOrNull } from '../../platform/runtime/iso-time.ts'
import { operatorOperation } from '../server/operation.ts'
import { notValid } from '../server/problem.ts'
import { dateOf, timeOfQuery } from '../server/query-days.ts'
import { type PeriodQuery, periodQuery, statementColumns, transparency } from './transparency-schemas.ts'

const WRONG_PERIOD = 'The period has a day that does not exist, ends before it begins, or is longer than 366 days.'

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
      const file = csvFile(rows, Object.keys(statementColumns.properties), (row) => [
        String(row.id),
        isoTime(row.at),
        row.kind,
        row.action,
        row.ground,
        row.clause,
        row.title,
        row.statement,
        yesNo(row.automated === 1),
        isoTimeOrNull(row.flagged_at),
        yesNo(row.overturned_by !== null),
      ])
      return Readable.from(file)
    },
  }),
]

const yesNo = (is: boolean) => (is ? 'yes' : 'no')

const MAX_DAYS = 366

function periodOf({ from, to }: PeriodQuery, now: number) {
  const last = to === undefined ? Math.floor(now / DAY_MS) * DAY_MS : timeOfQuery('to', to)
  const first = from === undefined ? last - 29 * DAY_MS : timeOfQuery('from', from)
  if (first > last) throw notValid([{ pointer: 'query/from', detail: 'must not be after `to`' }])
  if (last - first >= MAX_DAYS * DAY_MS)
    throw notValid([{ pointer: 'query/from', detail: `must be at most ${MAX_DAYS - 1} days before \`to\`` }])
  return { from: first, until: last + DAY_MS, days: { from: dateOf(first), to: dateOf(last) } }
}
