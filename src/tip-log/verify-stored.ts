// Verifies the log of a database that nobody writes to, such as a backup.

import { readEvents } from '../event-log/event.ts'
import type { Database } from '../platform/database/database.ts'
import { idListOf } from '../platform/database/row-list-store.ts'
import { tipKinds } from '../record/event-kinds.ts'
import { proveConsistency, toEntry } from './log.ts'
import { tipLogProgress } from './projection-store.ts'
import { type CheckpointRow, entriesFrom, newestCheckpoint, publicKeys, tipsInSettlement } from './store.ts'
import { type LogSource, verifyLog } from './verify.ts'
import type { VerifiedEntry } from './verify-leaves.ts'

const ONCE = { times: 0, pause: async () => {} }

/** What is wrong. Empty: nothing. */
export async function verifyStoredLog(database: Database): Promise<string[]> {
  const progress = await database.one(tipLogProgress, {})
  if (progress === undefined) return ['The row of the log (table tip_log) is missing.']
  const checkpoint = await database.one(newestCheckpoint, {})
  const [beyond] = await database.query(entriesFrom, { start: checkpoint?.size ?? 0, count: 1 })
  const added = beyond === undefined ? [] : [`Entry ${beyond.position} is beyond the signed end of the log.`]
  if (checkpoint === undefined) return added
  const source = storedLog(database, checkpoint)
  const { problems, leaves } = await verifyLog(source, { seen: null, patience: ONCE, progress: () => {} })
  const onTheirWay = await tipsOnTheirWay(database, progress.position, leaves.differing())
  const excused = new Set(onTheirWay.map(leaves.differenceOf))
  return [...problems.filter((problem) => !excused.has(problem)), ...added]
}

function storedLog(database: Database, { key_id: keyId, ...checkpoint }: CheckpointRow): LogSource {
  return {
    checkpoint: async () => ({ ...checkpoint, keyId }),
    async keys() {
      const rows = await database.query(publicKeys, {})
      return rows.map(({ id, public_key, retired_at }) => ({ id, publicKey: public_key, retired: retired_at }))
    },
    async consistency(first, second) {
      const { path } = await proveConsistency({ database }, { first, second })
      return path === '' ? [] : path.split(' ').map((hash) => Buffer.from(hash, 'base64'))
    },
    entries: async (start, count) =>
      (await database.query(entriesFrom, { start, count })).map((row): VerifiedEntry => {
        const { inPlay, ...entry } = toEntry(row)
        return { ...entry, inPlay: inPlay === undefined ? undefined : inPlay ? 'Y' : 'N' }
      }),
  }
}

const BATCH = 1000

/** The tips among these that a later entry of the log will be about: they differ from it only until then. */
async function tipsOnTheirWay(database: Database, position: number, differing: readonly string[]): Promise<string[]> {
  if (differing.length === 0) return []
  const waiting = new Set<string>()
  for (let after = position; ; ) {
    const { events, next } = await readEvents(database, { after, limit: BATCH, kinds: tipKinds })
    for (const { subject_id } of events) waiting.add(subject_id)
    if (next <= after) break
    after = next
  }
  const unsettled = await database.query(tipsInSettlement, { commentIds: idListOf(new Set(differing.map(Number))) })
  for (const { comment_id } of unsettled) waiting.add(`${comment_id}`)
  return differing.filter((id) => waiting.has(id))
}
