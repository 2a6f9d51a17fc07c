// A *reporter* is a profile that has flagged. Decisions uphold or reject flags, and so show how often a reporter is right:
// a flag weighs (upheld + 1) / (upheld + rejected + 2), that of a muted reporter nothing. The queue is ordered by the sum of
// the weights of open flags, which each flag and each review store. When the weight of a reporter changes, the open flags
// follow afterwards in batches: each is a transaction that also moves the position in reporter_work forward, so that a
// killed process loses nothing, and a reporter with 100,000 open flags makes no decision slow.

import type { Logger } from 'pino'
import type { Database } from '../platform/database/database.ts'
import { inBatches } from '../platform/runtime/batches.ts'
import type { PeriodicTask, StartTask } from '../platform/runtime/periodic-task.ts'
import { leaveQueue, lockReview, type SubjectKind } from './store.ts'
import * as sql from './weight-store.ts'

/** How a decision judges the flags that it decides. */
export type Verdict = 'upheld' | 'rejected' | 'neither'

const VERDICTS: Record<Verdict, number> = { upheld: 1, rejected: -1, neither: 0 }

type Subject = { kind: SubjectKind; subjectId: number }

/** false: the subject has no open flags. The caller has locked the subject, so that no flag is added or withdrawn meanwhile. */
export async function lockOpenFlags(transaction: Database, subject: Subject): Promise<boolean> {
  const reporters = await transaction.query(sql.lockReporters, subject)
  if (reporters.length === 0) return false
  await transaction.one(lockReview, subject)
  return true
}

/** After `lockOpenFlags`. The subject leaves the queue. */
export async function decideOpenFlags(
  transaction: Database,
  subject: Subject,
  { decisionId, verdict }: { decisionId: number; verdict: Verdict },
): Promise<void> {
  const counts = { upheld: verdict === 'upheld' ? 1 : 0, rejected: verdict === 'rejected' ? 1 : 0 }
  if (verdict !== 'neither') await transaction.run(sql.countVerdicts, { ...subject, ...counts })
  await transaction.run(sql.decideFlags, { ...subject, decisionId, verdict: VERDICTS[verdict] })
  await transaction.run(leaveQueue, subject)
  if (verdict !== 'neither') await transaction.run(sql.queueReportersOfDecision, { decisionId })
}

/**
 * A decision was overturned: flags that it upheld count as rejected, and the other way round. The caller has locked the
 * decision's subject. Called once for a decision.
 */
export async function overturnVerdicts(transaction: Database, decisionId: number): Promise<void> {
  const reporters = await transaction.query(sql.lockReportersOfDecision, { decisionId })
  if (reporters.length === 0) return
  await transaction.run(sql.moveVerdicts, { decisionId })
  await transaction.run(sql.turnVerdicts, { decisionId })
  await transaction.run(sql.queueReportersOfDecision, { decisionId })
}

// ---- Batches

const EVERY_MS = 1_000

/** Flags per transaction. In the embedded engine every other writer waits for a batch. */
const BATCH: Record<Database['engine'], number> = { sqlite: 200, postgres: 1_000 }

export function startReweighing(database: Database, log: Logger, startTask: StartTask): PeriodicTask {
  return startTask((closing) => reweighFlagsOfReporters(database, closing), {
    everyMs: EVERY_MS,
    onFailure: (error) => log.warn({ err: error }, 'updating the weights of flags failed; it will be retried'),
  })
}

/** Runs until nothing is left. With `closing` it runs in the background, and pauses half of the time. */
export function reweighFlagsOfReporters(database: Database, closing?: AbortSignal): Promise<void> {
  const batch = async (): Promise<boolean> => {
    const next = await database.one(sql.nextReporter, {})
    if (next !== undefined) await database.transaction((transaction) => reweighBatch(transaction, next.profile_id))
    return next !== undefined
  }
  return inBatches(batch, 1, closing)
}

async function reweighBatch(transaction: Database, profileId: number): Promise<void> {
  const reporter = await transaction.one(sql.lockReporter, { profileId })
  const work = await transaction.one(sql.reporterWork, { profileId })
  // Another process has finished it.
  if (reporter === undefined || work === undefined) return
  const after = { profileId, kind: work.kind, subjectId: work.subject_id }
  const limit = BATCH[transaction.engine]
  const flags = await transaction.query(sql.openFlagsOf, { ...after, limit })
  const last = flags.at(-1)
  if (last !== undefined) {
    const range = { ...after, lastKind: last.kind, lastId: last.subject_id }
    // SQLite has one writer.
    if (transaction.engine === 'postgres') await transaction.query(sql.lockReviews, range)
    const { weight, trusted } = reporter
    await transaction.run(sql.reweighReviews, { ...range, weight, trusted })
    await transaction.run(sql.reweighFlags, { ...range, weight, trusted })
  }
  if (last === undefined || flags.length < limit) await transaction.run(sql.finishReporter, { profileId }, 'last')
  else await transaction.run(sql.advanceReporter, { profileId, kind: last.kind, subjectId: last.subject_id }, 'last')
}
