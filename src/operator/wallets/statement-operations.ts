// The statement of a customer's account, for operators.

import { allRows } from '../../platform/database/all-rows.ts'
import type { Database } from '../../platform/database/database.ts'
import { DAY_MS } from '../../platform/runtime/durations.ts'
import { isoTime } from '../../platform/runtime/iso-time.ts'
import { formatMoney } from '../../platform/runtime/money.ts'
import {
  aboutBet,
  rangeOf,
  readLines,
  readLinesNewest,
  readRange,
  type StatementRange,
  typeOf,
} from '../../wallets/account/statement.ts'
import type { StatementLineRow } from '../../wallets/account/store.ts'
import type { OperatorContext } from '../context.ts'
import { noCustomer } from '../customers/operations.ts'
import * as s from '../server/fields.ts'
import { operatorOperation } from '../server/operation.ts'
import { pageOf, paging, positionOf } from '../server/pages.ts'
import { notValid } from '../server/problem.ts'
import { dateOf, dayOfForm, timeOfQuery } from '../server/query-days.ts'
import { csvOf } from '../server/shown.ts'

const days = {
  from: dayOfForm('The first day (UTC). Without it: three months before the last.', '2026-01-01'),
  to: dayOfForm('The last day (UTC). Without it: today.', '2026-03-14'),
}

const lineColumns = s.object({
  line: s.string('17', 'Its number among all lines of the account, from 1.'),
  at: s.time(),
  type: s.string('stake'),
  debit: s.string('5.00', 'What it took from the account; or empty.'),
  credit: s.string('', 'What it added to the account; or empty.'),
  balance: s.amount('20.00', 'After the line.'),
  paymentId: s.string('', 'The deposit that it belongs to; or empty.'),
  reference: s.string('bet-70040-stake', 'The sportsbook’s own; or empty.'),
  betId: s.string('70040', 'Or empty.'),
  about: s.string(
    'Slow Waltz, York race 3',
    'The first selection of a bet with its event, and how many more; or empty.',
  ),
})
type Line = s.ValueOf<typeof lineColumns>

const statementPage = s.namedObject('Statement', {
  from: dayOfForm('The first day.', '2026-01-01'),
  to: dayOfForm('The last day.', '2026-03-14'),
  currency: s.string('GBP'),
  opening: s.amount('25.00', 'The balance before the first line of these days.'),
  closing: s.amount('20.00', 'The balance after the last line of these days.'),
  netDeposits: s.amount('100.00', 'Deposits less what went back, since the account was opened.'),
  ...s.page(s.named('StatementLine', lineColumns)).properties,
})

const NO_DAY = '`from` or `to` is a day that does not exist, or `from` is after `to`.'

export const statementOperations = [
  operatorOperation({
    name: 'readCustomerStatement',
    summary: 'Read the statement of a customer’s account',
    route: 'GET /customers/{id}/statement',
    role: 'accounts or cashier',
    audit: 'read the statement of customer {id}',
    query: s.allOptional({
      ...days,
      order: s.oneOf(['oldest', 'newest'], 'newest', 'Which line is first. Without it: the oldest.'),
      ...paging,
    }),
    answer: { 200: statementPage },
    problems: { 422: NO_DAY },
    example: { query: { limit: 20 } },
    async handle(context, { path, query: { cursor, limit, order, ...days } }) {
      const { from, until } = daysOf(context, days)
      const [end] = positionOf(cursor, [0]) as [number]
      const { lines, ...range } = await rangeOfCustomer(context, path.id, { from, until })
      const rows =
        order === 'newest'
          ? await readLinesNewest(context.database, end === 0 ? lines : { ...lines, last: end - 1 }, limit + 1)
          : await readLines(context.database, lines, Math.max(end, lines.before), limit + 1)
      const page = pageOf(rows, limit, ({ line }) => [line])
      return {
        from: dateOf(from),
        to: dateOf(until - DAY_MS),
        ...range,
        items: page.rows.map(toLine),
        cursor: page.cursor,
      }
    },
  }),
  operatorOperation({
    name: 'exportCustomerStatement',
    summary: 'Export the statement of a customer’s account as CSV, oldest line first',
    route: 'GET /customers/{id}/statement.csv',
    role: 'accounts or cashier',
    audit: 'exported the statement of customer {id}',
    sendsCsv: true,
    query: s.allOptional(days),
    answer: { 200: lineColumns },
    problems: { 422: NO_DAY },
    example: { query: { from: '2026-01-01' } },
    async handle(context, { path, query }) {
      const { lines } = await rangeOfCustomer(context, path.id, daysOf(context, query))
      return csvOf(lineColumns, allLines(context.database, lines), toLine)
    },
  }),
]

function daysOf({ now }: OperatorContext, { from, to }: { from?: string; to?: string }) {
  const time = (name: 'from' | 'to', text: string | undefined) => (text === undefined ? null : timeOfQuery(name, text))
  const range = rangeOf({ from: time('from', from), to: time('to', to) }, now())
  if (range.from < range.until) return range
  throw notValid([{ pointer: 'query/from', detail: 'must not be after `to`' }])
}

async function rangeOfCustomer(
  { database }: OperatorContext,
  id: number,
  range: { from: number; until: number },
): Promise<StatementRange> {
  const found = await readRange(database, id, range)
  if (found === undefined) throw noCustomer(id)
  return found
}

function allLines(database: Database, lines: StatementRange['lines']): AsyncGenerator<StatementLineRow> {
  const read = (after: number, limit: number) => readLines(database, lines, after, limit)
  return allRows(lines.before, ({ line }: StatementLineRow) => line, read)
}

function toLine(row: StatementLineRow): Line {
  const amount = BigInt(row.amount)
  return {
    line: `${row.line}`,
    at: isoTime(row.at),
    type: typeOf(row.kind),
    debit: amount < 0n ? formatMoney(-amount) : '',
    credit: amount > 0n ? formatMoney(amount) : '',
    balance: formatMoney(BigInt(row.balance_after ?? '0')),
    paymentId: row.payment_id ?? '',
    reference: row.reference ?? '',
    betId: row.bet_id === null ? '' : `${row.bet_id}`,
    about: aboutBet(row) ?? '',
  }
}
