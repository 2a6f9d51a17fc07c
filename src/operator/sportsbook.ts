// What the sportsbook's own systems tell: the catalogue, its settlements, the bets.

import type { Trail } from '../audit/trail.ts'
import type { Context } from '../context.ts'
import { type Database, UniqueViolation } from '../database/database.ts'
import type { Operator } from '../operator-access/operator.ts'
import { Refused } from '../runtime/refused.ts'
import { type BetInput, putBet } from '../sportsbook/bet.ts'
import {
  changeEvent,
  changeMarket,
  changeOutcome,
  type EventChange,
  type EventInput,
  type MarketChange,
  type MarketInput,
  type OutcomeChange,
  type OutcomeInput,
  type PutResult,
  putEvent,
  putMarket,
  putOutcome,
  putSport,
  type SportInput,
} from '../sportsbook/catalogue.ts'
import {
  type AppliedLine,
  emptyReport,
  type FeedKind,
  type FeedKinds,
  type FeedReport,
  importFeed,
} from '../sportsbook/feed.ts'
import { type Results, settleMarket } from '../sportsbook/settlement.ts'
import { type CustomerBody, customerBody, customerState, tellCustomer } from './customers.ts'
import {
  id,
  type JsonSchema,
  mayCall,
  type OperatorAnswer,
  type OperatorOperation,
  object,
  operatorOperation,
  text,
} from './frame/operation.ts'

const name = text(1, 200)
const status: JsonSchema = { type: 'string', enum: ['active', 'suspended'] }
const time: JsonSchema = { type: 'string', format: 'date-time' }
const part: JsonSchema = { type: 'integer', minimum: 1, maximum: 1_000_000_000 }
const price: JsonSchema = { anyOf: [object({ num: part, den: part }, ['num', 'den']), { type: 'null' }] }
const no: JsonSchema = { type: 'boolean', default: false }
const activeUnlessTold: JsonSchema = { ...status, default: 'active' }

const outcomeFields = { name, status: activeUnlessTold, startingPrice: no, price }
const outcomes: JsonSchema = {
  type: 'array',
  maxItems: 1000,
  default: [],
  items: object({ id, ...outcomeFields }, ['id', 'name']),
}
const marketFields = { name, status: activeUnlessTold, outcomes }
const markets: JsonSchema = {
  type: 'array',
  maxItems: 1000,
  default: [],
  items: object({ id, ...marketFields }, ['id', 'name']),
}

const bodies = {
  sport: object({ name, communities: no }, ['name']),
  event: object({ sportId: id, name, startTime: time, status: activeUnlessTold, markets }, [
    'sportId',
    'name',
    'startTime',
  ]),
  market: object({ eventId: id, ...marketFields }, ['eventId', 'name']),
  outcome: object({ marketId: id, ...outcomeFields }, ['marketId', 'name']),
  bet: object(
    { customerId: id, outcomeIds: { type: 'array', items: id, minItems: 1, maxItems: 100 }, placedAt: time },
    ['customerId', 'outcomeIds'],
  ),
  settlement: object(
    {
      results: {
        type: 'object',
        minProperties: 1,
        maxProperties: 1000,
        propertyNames: { pattern: '^[0-9]{1,15}$' },
        additionalProperties: { enum: ['win', 'lose', 'void'] },
      },
    },
    ['results'],
  ),
}

export const sportsbookOperations: OperatorOperation[] = [
  operatorOperation<SportInput>({
    name: 'putSport',
    summary: 'A sport, and whether tips can be made on it',
    method: 'PUT',
    path: '/sports/{id}',
    role: 'feed',
    body: bodies.sport,
    handle: (context, { path, body }) => put(context, path.id, (tx, sportId) => putSport(tx, sportId, body)),
  }),
  operatorOperation<EventInput>({
    name: 'putEvent',
    summary: 'An event with its markets and outcomes; those not named stay as they are',
    method: 'PUT',
    path: '/events/{id}',
    role: 'feed',
    body: bodies.event,
    handle: (context, { path, body }) => put(context, path.id, (tx, eventId) => putEvent(tx, eventId, body)),
  }),
  operatorOperation<EventChange>({
    name: 'changeEvent',
    summary: 'Suspend or reopen an event, move or rename it',
    method: 'PATCH',
    path: '/events/{id}',
    role: 'feed',
    body: object({ name, status, startTime: time }),
    handle: (context, { path, body }) => change(context, (tx) => changeEvent(tx, Number(path.id), body)),
  }),
  operatorOperation<MarketChange>({
    name: 'changeMarket',
    summary: 'Suspend or reopen a market, or rename it',
    method: 'PATCH',
    path: '/markets/{id}',
    role: 'feed',
    body: object({ name, status }),
    handle: (context, { path, body }) => change(context, (tx) => changeMarket(tx, Number(path.id), body)),
  }),
  operatorOperation<OutcomeChange>({
    name: 'changeOutcome',
    summary: 'The price of an outcome, suspend or reopen it, or rename it',
    method: 'PATCH',
    path: '/outcomes/{id}',
    role: 'feed',
    body: object({ name, status, startingPrice: { type: 'boolean' }, price }),
    handle: (context, { path, body }) => change(context, (tx) => changeOutcome(tx, Number(path.id), body)),
  }),
  operatorOperation<{ results: Results }>({
    name: 'settleMarket',
    summary: 'The results of a market’s outcomes; again with other results corrects the first',
    method: 'POST',
    path: '/markets/{id}/settlement',
    role: 'feed',
    body: bodies.settlement,
    async handle(context, { path, body }) {
      const counts = await applied(context, (tx) => settleMarket(tx, Number(path.id), body.results, context.now()))
      return { status: 200, body: counts }
    },
  }),
  operatorOperation<BetInput>({
    name: 'putBet',
    summary: 'A bet that a customer has placed, with its outcomes',
    method: 'PUT',
    path: '/bets/{id}',
    role: 'feed',
    body: bodies.bet,
    handle: (context, { path, body }) => put(context, path.id, (tx, betId) => putBet(tx, betId, body, context.now())),
  }),
  operatorOperation({
    name: 'importFeed',
    summary: 'Newline-delimited JSON, each line {"put": kind, "id": …, "data": {…}}, applied in order',
    method: 'POST',
    path: '/feed',
    role: 'feed or accounts',
    body: 'stream',
    async handle(context, { operator, stream, validator, trail }) {
      const { database, log, tipStatus: standing } = context
      const kinds = kindsFor(operator, feedKinds(context, validator, trail))
      const record = (transaction: Database, lines: readonly AppliedLine[]) =>
        trail.record(transaction, { action: 'importFeed', subject: '', detail: linesInAudit(lines) })
      const report = emptyReport()
      const surroundings = { database, log, kinds, record, afterBatch: () => standing.begin() }
      try {
        await importFeed(stream, report, surroundings)
      } catch (error) {
        // Refused lines have no other entry. Where this one cannot be written either, the first failure is the one to tell.
        trail.note(`${inShort(report)}, then it broke off`)
        await trail.recordAlone().catch(() => {})
        throw error
      }
      trail.note(inShort(report))
      return { status: 200, body: report }
    },
  }),
]

/** Lines of a kind that the token is not for are refused, each with the reason. */
function kindsFor(operator: Operator, kinds: FeedKinds): FeedKinds {
  const allowed = Object.entries(kinds).map(([kind, row]): [string, FeedKind] => {
    const needed = kind === 'customer' ? 'accounts' : 'feed'
    if (mayCall(operator, { role: needed, method: 'POST' })) return [kind, row]
    const problem = `Lines of kind ${kind} need the role ${needed}; the token "${operator.name}" has ${operator.role}.`
    return [kind, { ...row, read: () => ({ problem }) }]
  })
  return Object.fromEntries(allowed)
}

function inShort({ lines, refused }: FeedReport): string {
  return `${lines} lines, ${refused} refused`
}

/** Which lines of the feed a transaction applied, and to what. */
function linesInAudit(lines: readonly AppliedLine[]): object {
  const ids = [...Map.groupBy(lines, ({ kindName }) => kindName)].map(([kind, ofKind]) => [
    kind,
    ofKind.map(({ id }) => `${id}`),
  ])
  return { lines: { from: lines[0]?.line, to: lines.at(-1)?.line }, applied: Object.fromEntries(ids) }
}

/** A line about a customer is in the audit trail by itself, as the same call of its own would be. */
async function putCustomerLine(context: Context, trail: Trail, { id, line, data }: CustomerLine): Promise<void> {
  const entry = { action: 'putCustomer', subject: `${id}`, detail: { body: data, feedLine: line } }
  const database = trail.audited({ ...entry, state: (transaction) => customerState(transaction, id) })
  try {
    await tellCustomer({ ...context, database }, id, data)
  } catch (error) {
    if (error instanceof Refused || error instanceof UniqueViolation) {
      const refusal = error instanceof Refused && error.kind !== 'conflict' ? INVALID : CONFLICT
      await trail.recordAlone({ ...entry, detail: { ...entry.detail, ...refusal } })
    }
    throw error
  }
}

/** As a refused call has it. */
const CONFLICT = { refused: 409, reason: 'Conflict' }
const INVALID = { refused: 422, reason: 'The request is not valid' }

type CustomerLine = { id: number; line: number; data: CustomerBody }

function feedKinds(context: Context, validator: (schema: JsonSchema) => FeedKind['read'], trail: Trail): FeedKinds {
  return {
    customer: {
      read: validator(customerBody),
      alone: true,
      apply: (_database, id, data: CustomerBody, line) => putCustomerLine(context, trail, { id, line, data }),
    },
    sport: { read: validator(bodies.sport), apply: putSport },
    event: { read: validator(bodies.event), apply: putEvent },
    market: {
      read: validator(bodies.market),
      apply: (tx, marketId, data: MarketInput & { eventId: string }) => putMarket(tx, marketId, data),
    },
    outcome: {
      read: validator(bodies.outcome),
      apply: (tx, outcomeId, data: OutcomeInput & { marketId: string }) => putOutcome(tx, outcomeId, data),
    },
    bet: {
      read: validator(bodies.bet),
      apply: (tx, betId, data: BetInput) => putBet(tx, betId, data, context.now()),
    },
    settlement: {
      read: validator(bodies.settlement),
      apply: (tx, marketId, data: { results: Results }) => settleMarket(tx, marketId, data.results, context.now()),
    },
  }
}

async function put(
  context: Context,
  id: string | undefined,
  work: (transaction: Database, id: number) => Promise<PutResult>,
): Promise<OperatorAnswer> {
  const made = await applied(context, (transaction) => work(transaction, Number(id)))
  return { status: made === 'made' ? 201 : 200, body: { id } }
}

async function change(context: Context, work: (transaction: Database) => Promise<void>): Promise<OperatorAnswer> {
  await applied(context, work)
  return { status: 204 }
}

/** In one transaction; the comments that it concerns begin to follow before the answer. */
async function applied<T>(context: Context, work: (transaction: Database) => Promise<T>): Promise<T> {
  const result = await context.database.transaction(work)
  await context.tipStatus.begin()
  return result
}
