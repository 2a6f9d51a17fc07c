// The feed: many changes of the catalogue, bets, movements and customers in one stream.

import type { Trail } from '../../audit/trail.ts'
import type { JsonSchema } from '../../http/representation/json-schema.ts'
import type { Operator } from '../../identity/operators/operator.ts'
import { type Database, UniqueViolation } from '../../platform/database/database.ts'
import { Refused } from '../../platform/runtime/refused.ts'
import { putBet } from '../../sportsbook/bet.ts'
import { putEvent, putMarket, putOutcome, putSport } from '../../sportsbook/catalogue-changes.ts'
import { type AppliedLine, emptyReport, type FeedKind, type FeedKinds, importFeed } from '../../sportsbook/feed.ts'
import { type Results, settleMarket } from '../../sportsbook/settlement.ts'
import type { OperatorContext } from '../context.ts'
import { customerState, saveCustomer } from '../customers/operations.ts'
import { type CustomerBody, customerBody } from '../customers/schemas.ts'
import { mayCall } from '../server/call-roles.ts'
import { operatorOperation } from '../server/operation.ts'
import { movementKind, movementLine } from '../wallets/movement-operations.ts'
import * as schemas from './schemas.ts'

const EXAMPLE_LINES = [
  { put: 'sport', id: 41, data: { name: 'Snooker', communities: true } },
  { put: 'bet', id: 70041, data: { customerId: 1, outcomeIds: [80033] } },
  {
    put: 'movement',
    id: 'bet-70041-winnings',
    data: { customerId: 1, kind: 'winnings', amount: '5.00', betId: 70041 },
  },
]

export const feedOperations = [
  operatorOperation({
    name: 'importFeed',
    summary: 'Import a feed of many changes',
    description:
      'Each line is `{"put": kind, "id": …, "data": {…}}`; the kinds are sport, event, market, outcome, bet, ' +
      'settlement, movement and customer. Lines are applied in order as they arrive; a refused line does not stop the others. ' +
      'Lines of the kinds customer and movement need the role accounts, all others feed.',
    route: 'POST /feed',
    role: 'feed or accounts',
    audit: ({ detail }) => (detail.lines === undefined ? 'imported a feed' : 'imported lines of a feed'),
    body: 'stream',
    answer: { 200: schemas.feedReport },
    example: {
      body: EXAMPLE_LINES.map((line) => `${JSON.stringify(line)}\n`).join(''),
      answer: { lines: 3, applied: { sport: 1, bet: 1, movement: 1 }, refused: 0, refusals: [] },
    },
    async handle(context, { operator, stream, validator, trail }) {
      const { database, log, now, tipStatus } = context
      const kinds = kindsFor(operator, feedKinds(context, validator, trail))
      const record = (transaction: Database, lines: readonly AppliedLine[]) =>
        trail.record(transaction, { action: 'importFeed', subject: '', detail: linesInAudit(lines) })
      const report = emptyReport()
      try {
        await importFeed(stream, report, { database, log, now, kinds, record, updateTips: () => tipStatus.begin() })
      } catch (error) {
        // Refused lines have no other entry. If this one cannot be written either, the first failure is reported.
        trail.note(`${summaryOf(report)}, then the import failed`)
        await trail.recordAlone().catch(() => {})
        throw error
      }
      trail.note(summaryOf(report))
      return report
    },
  }),
]

/** Lines of a kind that the operator may not send are refused, each with the reason. */
function kindsFor(operator: Operator, kinds: FeedKinds): FeedKinds {
  const allowed = Object.entries(kinds).map(([kind, row]): [string, FeedKind] => {
    const needed = kind === 'customer' || kind === 'movement' ? 'accounts' : 'feed'
    if (mayCall(operator, { role: needed, method: 'POST' })) return [kind, row]
    const problem = `Lines of kind ${kind} need the role ${needed}; the token "${operator.name}" has ${operator.role}.`
    return [kind, { ...row, read: () => ({ problem }) }]
  })
  return Object.fromEntries(allowed)
}

function summaryOf({ lines, refused }: schemas.FeedReport): string {
  return `${lines} lines, ${refused} refused`
}

/** Which lines a transaction applied, and to what. */
function linesInAudit(lines: readonly AppliedLine[]): object {
  const ids = [...Map.groupBy(lines, ({ kindName }) => kindName)].map(([kind, ofKind]) => [
    kind,
    ofKind.map(({ id }) => `${id}`),
  ])
  return { lines: { from: lines[0]?.line, to: lines.at(-1)?.line }, applied: Object.fromEntries(ids) }
}

type CustomerLine = { id: number; line: number; data: CustomerBody }

/** Has an audit entry of its own, as putCustomer would have. */
async function putCustomerLine(
  context: OperatorContext,
  trail: Trail,
  { id, line, data }: CustomerLine,
): Promise<void> {
  const entry = { action: 'putCustomer', subject: `${id}`, detail: { body: data, feedLine: line } }
  const database = trail.audited({ ...entry, state: (transaction) => customerState(transaction, id) })
  try {
    await saveCustomer({ ...context, database }, id, data)
  } catch (error) {
    if (error instanceof Refused || error instanceof UniqueViolation) {
      const refusal = error instanceof Refused && error.kind !== 'conflict' ? INVALID : CONFLICT
      await trail.recordAlone({ ...entry, detail: { ...entry.detail, ...refusal } })
    }
    throw error
  }
}

/** As in the entry of a refused call. */
const CONFLICT = { refused: 409, reason: 'Conflict' }
const INVALID = { refused: 422, reason: 'The request is not valid' }

function feedKinds(
  context: OperatorContext,
  validator: (schema: JsonSchema) => FeedKind['read'],
  trail: Trail,
): FeedKinds {
  return {
    customer: {
      read: validator(customerBody),
      applyAlone: (id, data: CustomerBody, line) => putCustomerLine(context, trail, { id, line, data }),
    },
    movement: movementKind(context, validator(movementLine)),
    sport: { read: validator(schemas.sportBody), change: putSport },
    event: { read: validator(schemas.eventBody), change: putEvent },
    market: { read: validator(schemas.marketBody), change: putMarket },
    outcome: { read: validator(schemas.outcomeBody), change: putOutcome },
    bet: { read: validator(schemas.betBody), change: putBet },
    settlement: {
      read: validator(schemas.settlementBody),
      change: (marketId, { results }: { results: Results }) => settleMarket(marketId, results),
    },
  }
}
