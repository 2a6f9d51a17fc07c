// Which requests are in the audit trail: every change, every read of personal data, and every refusal.

import type { FastifyRequest } from 'fastify'
import { limitTransactions } from '../../audit/limit-transactions.ts'
import { type Caller, type Entry, requestTrail, type Trail } from '../../audit/trail.ts'
import { clientAddress } from '../../http/connection/proxies.ts'
import { NOBODY, type Operator } from '../../identity/operators/operator.ts'
import type { Database } from '../../platform/database/database.ts'
import { withoutLongNumbers } from '../../platform/masking/long-numbers.ts'
import { MINUTE_MS } from '../../platform/runtime/durations.ts'
import { windowCounts } from '../../platform/runtime/window-counts.ts'
import type { OperatorContext } from '../context.ts'
import type { OperatorAnswer, OperatorOperation } from './operation.ts'
import type { Problem } from './problem.ts'

export type RequestAudit = {
  trailOf(operation: OperatorOperation, request: FastifyRequest): Trail
  /** For changes outside the operations: signing in and out. */
  auditedDatabase(request: FastifyRequest, operator: Operator, action: string, detail: object): Database
  /** The only trace of a refused request. Internal errors are in the log. */
  recordRefusal(operation: OperatorOperation, request: FastifyRequest, problem: Problem): Promise<void>
  /** As `recordRefusal`, for a caller without valid credentials. */
  recordStrangerRefusal(request: FastifyRequest, entry: Entry): Promise<void>
}

export function requestAudit(context: OperatorContext): RequestAudit {
  const limited = { database: limitTransactions(context.database), now: context.now }
  const mayRecord = minuteBudget(context.now, MAX_STRANGERS_PER_MINUTE)

  function trailFor(request: FastifyRequest, operator: Caller['operator'], entry: Entry): Trail {
    const address = clientAddress(request.raw, context.config.trustedProxies)
    return requestTrail(limited, { operator, address }, entry)
  }

  function entryOf(operation: OperatorOperation, request: FastifyRequest): Entry {
    const path = request.params as Record<string, string>
    const { subjectState } = operation
    return {
      action: operation.name,
      subject: subjectOf(path),
      detail: validInput(operation, request),
      state: subjectState && ((transaction) => subjectState(transaction, path)),
    }
  }

  async function record(request: FastifyRequest, operator: Caller['operator'], entry: Entry): Promise<void> {
    try {
      await trailFor(request, operator, entry).recordAlone()
    } catch (error) {
      context.log.warn({ err: error, operation: entry.action }, 'a refusal could not be written to the audit trail')
    }
  }

  async function recordStrangerRefusal(request: FastifyRequest, entry: Entry): Promise<void> {
    const { granted, leftOut } = mayRecord()
    if (!granted) return
    const detail = leftOut === 0 ? entry.detail : { ...entry.detail, leftOut }
    await record(request, NOBODY, { ...entry, detail })
  }

  return {
    trailOf: (operation, request) => trailFor(request, request.operator ?? NOBODY, entryOf(operation, request)),
    auditedDatabase: (request, operator, action, detail) =>
      trailFor(request, operator, { action, subject: '', detail }).audited(),
    async recordRefusal(operation, request, { status, title }) {
      if (status >= 500) return
      const own = entryOf(operation, request)
      const subject = request.isValid && status !== 404 ? own.subject : subjectOf(request.params as object, shownPart)
      const entry = { ...own, subject, detail: { ...own.detail, refused: status, reason: title } }
      if (request.operator === undefined) await recordStrangerRefusal(request, entry)
      else await record(request, request.operator, entry)
    },
    recordStrangerRefusal,
  }
}

/** Adds the request's own entry where it is missing. The answer waits for it, so that no data is shown without an entry. */
export async function completeTrail(
  operation: OperatorOperation,
  trail: Trail,
  { body }: OperatorAnswer,
): Promise<void> {
  if (operation.background) return
  const isChange = operation.method !== 'GET'
  // A stream has entries about its parts, and one at its end about all of them.
  const isRecorded = trail.hasEntry() && operation.body !== 'stream'
  const { personalData } = operation
  const isPersonal = typeof personalData === 'function' ? personalData(body) : personalData === true
  if ((isChange && !isRecorded) || isPersonal) await trail.recordAlone()
}

/** Only input that passed the check against its schema: any other may contain anything, such as a card number. */
function validInput(operation: OperatorOperation, { isValid, body, query }: FastifyRequest): object {
  if (!isValid) return {}
  const hasBody = operation.body !== undefined && operation.body !== 'stream'
  const hasQuery = operation.query !== undefined
  return { ...(hasBody ? { body } : {}), ...(hasQuery ? { query: shownQuery(query as object) } : {}) }
}

/** What was searched for may be the number of a card; all else has a pattern. */
function shownQuery(query: object): object {
  return 'q' in query && typeof query.q === 'string' ? { ...query, q: withoutLongNumbers(query.q) } : query
}

function subjectOf(path: object, shown = (part: string) => part): string {
  return Object.values(path).map(shown).join('/')
}

const UUID = /^[\da-f-]{36}$/i

/** A part of the path that was not checked or names no subject may be the number of a card. */
function shownPart(part: string): string {
  return UUID.test(part) ? part : withoutLongNumbers(part)
}

/** Anybody who reaches the listener can be refused, so this limits how much they can write. */
const MAX_STRANGERS_PER_MINUTE = 60

function minuteBudget(now: () => number, most: number) {
  const granted = windowCounts(MINUTE_MS, now)
  let leftOut = 0
  return (): { granted: boolean; leftOut: number } => {
    if (granted.of('') === most) return { granted: false, leftOut: ++leftOut }
    granted.add('')
    const before = leftOut
    leftOut = 0
    return { granted: true, leftOut: before }
  }
}
