// The feed: newline-delimited JSON, each line `{"put": kind, "id": …, "data": {…}}`, applied in order. Every line is an
// upsert, so a feed that was interrupted can be sent again from any line before the interruption.
//
// Lines are applied in batches, each in one transaction (change.ts). The next batch is read while one is applied.

import type { Logger } from 'pino'
import { type Database, UniqueViolation } from '../platform/database/database.ts'
import { Refused } from '../platform/runtime/refused.ts'
import { applyChanges, type Change, repeatUntilFound } from './change.ts'
import { type Line, linesOf } from './lines.ts'

/** How the lines of one kind are read and applied. */
export type FeedKind = {
  /** Returns the data with its defaults, or the problem. */
  readonly read: (data: unknown) => { value: unknown } | { problem: string }
} & (
  | { readonly change: (id: number, data: never) => Change }
  /**
   * Applied to all lines of the kind in a batch together, before the changes; a result for each. Their ids are texts.
   * `onCommitted` is called once, with the results of the transaction that committed.
   */
  | { readonly applyTogether: ApplyTogether; readonly onCommitted: OnCommitted }
  /** Opens its own transactions, with their audit entries, so that it is never part of a batch. */
  | { readonly applyAlone: (id: number, data: never, line: number) => Promise<unknown> }
)
type ApplyTogether = (transaction: Database, lines: readonly TextLine[]) => Promise<readonly unknown[]>
type OnCommitted = (lines: readonly TextLine[], results: readonly unknown[]) => void
export type TextLine = { readonly id: string; readonly data: never }
export type FeedKinds = { readonly [kind: string]: FeedKind }

export type FeedReport = {
  lines: number
  applied: { [kind: string]: number }
  refused: number
  /** The first ones; `refused` counts them all. */
  refusals: { line: number; reason: string }[]
}

type Entry = { readonly line: number; readonly kindName: string; readonly id: number | string }
type ChangeEntry = Entry & { readonly change: Change }
type TextEntry = Entry & { readonly text: TextLine }
type BatchEntry = ChangeEntry | TextEntry
type LoneEntry = Entry & { readonly applyAlone: () => Promise<unknown> }
type Problem = { readonly line: number; readonly problem: string }

/**
 * Lines of one transaction: enough to share its cost, few enough that other writers do not wait long. In PostgreSQL only
 * writers of the same rows wait.
 */
export const BATCH = { sqlite: 300, postgres: 500 }
/** Long lines, which may hold thousands of rows, fill a batch sooner. */
const BATCH_CHARACTERS = 1024 * 1024
/** Visible ASCII, as in an Idempotency-Key. */
export const TEXT_ID = /^[\x21-\x7e]{1,64}$/
const TEXT_ID_WORDS = '"id" must be a text of 1 to 64 visible ASCII characters.'
const LISTED_REFUSALS = 1_000
const REPORT_EVERY_MS = 5_000

type FeedContext = {
  database: Database
  log: Logger
  now: () => number
  kinds: FeedKinds
  /** Called as the last step of a transaction, with the lines it applied. Kinds with `applyAlone` do this themselves. */
  record: (transaction: Database, lines: readonly AppliedLine[]) => Promise<void>
  /** Called after a batch that changed the status of tips. */
  updateTips: () => Promise<void>
}

export type AppliedLine = Entry

export function emptyReport(): FeedReport {
  return { lines: 0, applied: {}, refused: 0, refusals: [] }
}

/** Fills the report line by line, so that the caller has it also when the stream is interrupted. */
export async function importFeed(
  stream: AsyncIterable<Buffer>,
  report: FeedReport,
  context: FeedContext,
): Promise<void> {
  const { database, kinds, log } = context
  let batch: (BatchEntry | Problem)[] = []
  let characters = 0
  let applying: Promise<void> = Promise.resolve()
  let reportAt = performance.now() + REPORT_EVERY_MS

  async function flush(): Promise<void> {
    const ready = batch
    batch = []
    characters = 0
    await applying
    applying = applyBatch(ready, report, context)
    // Awaited with the next batch, or at the end.
    applying.catch(() => {})
  }

  try {
    for await (const lines of linesOf(stream)) {
      for (const line of lines) {
        report.lines = line.number
        const entry = readEntry(line, kinds)
        if (entry === 'blank') continue
        if ('applyAlone' in entry) {
          await flush()
          await applying
          await applyLone(entry, report)
          continue
        }
        batch.push(entry)
        characters += line.text?.length ?? 0
        if (batch.length >= BATCH[database.engine] || characters >= BATCH_CHARACTERS) await flush()
      }
      if (performance.now() < reportAt) continue
      reportAt = performance.now() + REPORT_EVERY_MS
      log.info({ lines: report.lines, refused: report.refused }, 'feed in progress')
    }
    await flush()
  } finally {
    await applying
    // Left over only when the stream was interrupted.
    for (const entry of batch) if ('problem' in entry) refuse(report, entry.line, entry.problem)
  }
  log.info({ lines: report.lines, applied: report.applied, refused: report.refused }, 'feed done')
}

function readEntry({ number: line, text }: Line, kinds: FeedKinds): BatchEntry | LoneEntry | Problem | 'blank' {
  const refused = (problem: string): Problem => ({ line, problem })
  if (text === null) return refused('The line is too long (1 MiB at most) or not UTF-8.')
  if (text.trim() === '') return 'blank'
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return refused('The line is not JSON.')
  }
  if (typeof parsed !== 'object' || parsed === null) return refused('Write {"put": …, "id": …, "data": {…}}.')
  const { put, id: sentId, data } = parsed as { put?: unknown; id?: unknown; data?: unknown }
  const kind = typeof put === 'string' && Object.hasOwn(kinds, put) ? kinds[put] : undefined
  if (kind === undefined) return refused(`"put" must be one of ${Object.keys(kinds).join(', ')}.`)
  const isText = 'applyTogether' in kind
  if (isText && !(typeof sentId === 'string' && TEXT_ID.test(sentId))) return refused(TEXT_ID_WORDS)
  if (!isText && !/^[0-9]{1,15}$/.test(`${sentId}`)) return refused('"id" must be digits, 15 at most.')
  if (typeof data !== 'object' || data === null) return refused('"data" must be an object.')
  const read = kind.read(data)
  if ('problem' in read) return refused(read.problem)
  const value = read.value as never
  const kindName = put as string
  if (isText) return { line, kindName, id: sentId as string, text: { id: sentId as string, data: value } }
  const id = Number(sentId)
  return 'change' in kind
    ? { line, kindName, id, change: kind.change(id, value) }
    : { line, kindName, id, applyAlone: () => kind.applyAlone(id, value, line) }
}

async function applyBatch(batch: readonly (BatchEntry | Problem)[], report: FeedReport, context: FeedContext) {
  const entries = batch.filter((entry): entry is BatchEntry => !('problem' in entry))
  const refusals = entries.length === 0 ? new Map<number, string>() : await applyEntries(entries, context)
  // Counted after the commit, because the transaction may run more than once.
  for (const entry of batch) {
    const reason = 'problem' in entry ? entry.problem : refusals.get(entry.line)
    if (reason !== undefined) refuse(report, entry.line, reason)
    else if ('kindName' in entry) count(report, entry.kindName)
  }
}

/** Returns why some were refused, by line. */
async function applyEntries(entries: readonly BatchEntry[], context: FeedContext): Promise<Map<number, string>> {
  const { database, now, record, updateTips, kinds } = context
  const changes = entries.filter((entry) => 'change' in entry)
  const texts = Map.groupBy(
    entries.filter((entry) => 'text' in entry),
    ({ kindName }) => kindName,
  )
  const { refusals, outcomesWithTips, commits } = await repeatUntilFound(() =>
    database.transaction(async (transaction) => {
      const refusals = new Map<number, string>()
      const commits: (() => void)[] = []
      const note = (ofKind: readonly Entry[], results: readonly unknown[]) => {
        for (const [index, { line }] of ofKind.entries()) {
          const result = results[index]
          if (result instanceof Refused) refusals.set(line, result.message)
        }
      }
      for (const [kindName, ofKind] of texts) {
        const kind = kinds[kindName] as FeedKind & { applyTogether: ApplyTogether; onCommitted: OnCommitted }
        const lines = ofKind.map(({ text }) => text)
        const results = await kind.applyTogether(transaction, lines)
        note(ofKind, results)
        commits.push(() => kind.onCommitted(lines, results))
      }
      const ofChanges = changes.map(({ change }) => change)
      const { results, outcomesWithTips } = await applyChanges(transaction, ofChanges, now)
      note(changes, results)
      const applied = entries.filter(({ line }) => !refusals.has(line))
      if (applied.length > 0) await record(transaction, applied)
      return { refusals, outcomesWithTips, commits }
    }),
  )
  for (const committed of commits) committed()
  if (outcomesWithTips > 0) await updateTips()
  return refusals
}

async function applyLone({ line, kindName, applyAlone }: LoneEntry, report: FeedReport): Promise<void> {
  try {
    await applyAlone()
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
