// The feed: newline-delimited JSON, each line `{"put": kind, "id": …, "data": {…}}`, applied in order. Every line is an
// upsert, so a feed that was interrupted can be sent again from any line before the interruption.

import type { Logger } from 'pino'
import { type Database, UniqueViolation } from '../database/database.ts'
import { Refused } from '../runtime/refused.ts'
import { type Line, linesOf } from './lines.ts'

/** How the lines of one kind are read and applied. */
export type FeedKind = {
  /** Returns the data with its defaults, or the problem. */
  readonly read: (data: unknown) => { value: unknown } | { problem: string }
  readonly apply: (transaction: Database, id: number, data: never, line: number) => Promise<unknown>
  /** It opens its own transactions, so it is never part of a batch. */
  readonly alone?: boolean
}
export type FeedKinds = { readonly [kind: string]: FeedKind }

export type FeedReport = {
  lines: number
  applied: { [kind: string]: number }
  refused: number
  /** The first ones; `refused` counts them all. */
  refusals: { line: number; reason: string }[]
}

type Entry = { line: number; kindName: string; kind: FeedKind; id: number; data: unknown }

/** Lines of one transaction: enough to share its cost, few enough that other writers do not wait long. */
const BATCH = 200
const LISTED_REFUSALS = 1_000
const REPORT_EVERY_MS = 5_000

type FeedContext = {
  database: Database
  log: Logger
  kinds: FeedKinds
  /** Called as the last step of a transaction, with the lines it applied. Kinds that are `alone` do this themselves. */
  record: (transaction: Database, lines: readonly AppliedLine[]) => Promise<void>
  afterBatch: () => Promise<void>
}

export type AppliedLine = { readonly line: number; readonly kindName: string; readonly id: number }

export function emptyReport(): FeedReport {
  return { lines: 0, applied: {}, refused: 0, refusals: [] }
}

/** Fills the report line by line, so that the caller has it also when the stream is interrupted. */
export async function importFeed(
  stream: AsyncIterable<Buffer>,
  report: FeedReport,
  context: FeedContext,
): Promise<void> {
  const { kinds, log } = context
  let batch: Entry[] = []
  let reportAt = performance.now() + REPORT_EVERY_MS
  const flush = async () => {
    if (batch.length > 0) await applyBatch(batch, report, context)
    batch = []
  }
  for await (const line of linesOf(stream)) {
    report.lines = line.number
    const entry = readEntry(line, kinds)
    if (entry === 'blank') continue
    if (typeof entry === 'string') refuse(report, line.number, entry)
    else {
      if (entry.kind.alone) await flush()
      batch.push(entry)
      if (entry.kind.alone || batch.length === BATCH) await flush()
    }
    if (performance.now() < reportAt) continue
    reportAt = performance.now() + REPORT_EVERY_MS
    log.info({ lines: report.lines, refused: report.refused }, 'feed in progress')
  }
  await flush()
  report.refusals.sort((one, other) => one.line - other.line)
  log.info({ lines: report.lines, applied: report.applied, refused: report.refused }, 'feed done')
}

function readEntry({ number, text }: Line, kinds: FeedKinds): Entry | 'blank' | string {
  if (text === null) return 'The line is too long (1 MiB at most) or not UTF-8.'
  if (text.trim() === '') return 'blank'
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return 'The line is not JSON.'
  }
  if (typeof parsed !== 'object' || parsed === null) return 'Write {"put": …, "id": …, "data": {…}}.'
  const { put, id, data } = parsed as { put?: unknown; id?: unknown; data?: unknown }
  const kind = typeof put === 'string' && Object.hasOwn(kinds, put) ? kinds[put] : undefined
  if (kind === undefined) return `"put" must be one of ${Object.keys(kinds).join(', ')}.`
  if (!/^[0-9]{1,15}$/.test(`${id}`)) return '"id" must be digits, 15 at most.'
  if (typeof data !== 'object' || data === null) return '"data" must be an object.'
  const read = kind.read(data)
  return 'problem' in read
    ? read.problem
    : { line: number, kindName: put as string, kind, id: Number(id), data: read.value }
}

async function applyBatch(batch: Entry[], report: FeedReport, context: FeedContext) {
  const { database, record, afterBatch } = context
  if (batch.length === 1) await applyAlone(batch[0] as Entry, report, context)
  else {
    try {
      // Counted after the commit, because the transaction may run more than once.
      const refusals = await database.transaction(async (transaction) => {
        const refused = await applyAll(transaction, batch)
        const applied = batch.filter(({ line }) => !refused.has(line))
        if (applied.length > 0) await record(transaction, applied)
        return refused
      })
      for (const { kindName, line } of batch) {
        const reason = refusals.get(line)
        if (reason === undefined) count(report, kindName)
        else refuse(report, line, reason)
      }
    } catch (error) {
      // Another writer created one of the rows meanwhile. Applied one by one, each line finds the existing row.
      if (!(error instanceof UniqueViolation)) throw error
      for (const entry of batch) await applyAlone(entry, report, context)
    }
  }
  await afterBatch()
}

async function applyAll(transaction: Database, batch: Entry[]): Promise<Map<number, string>> {
  const refusals = new Map<number, string>()
  for (const { line, kind, id, data } of batch) {
    try {
      await kind.apply(transaction, id, data as never, line)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      refusals.set(line, error.message)
    }
  }
  return refusals
}

async function applyAlone(entry: Entry, report: FeedReport, { database, record }: FeedContext): Promise<void> {
  const { line, kindName, kind, id, data } = entry
  try {
    if (kind.alone) await kind.apply(database, id, data as never, line)
    else
      await database.transaction(async (transaction) => {
        await kind.apply(transaction, id, data as never, line)
        await record(transaction, [entry])
      })
    count(report, kindName)
  } catch (error) {
    if (error instanceof Refused) refuse(report, line, error.message)
    else if (error instanceof UniqueViolation)
      refuse(report, line, 'Another row has the same unique value, such as the user name. Send another value.')
    else throw error
  }
}

function count(report: FeedReport, kind: string): void {
  report.applied[kind] = (report.applied[kind] ?? 0) + 1
}

function refuse(report: FeedReport, line: number, reason: string): void {
  report.refused++
  if (report.refusals.length < LISTED_REFUSALS) report.refusals.push({ line, reason })
}
