// What callers read of the log.

import { Fault } from '../faults.ts'
import type { Context } from '../platform/context.ts'
import type { Database } from '../platform/database/database.ts'
import { isoTime } from '../platform/runtime/iso-time.ts'
import { points, textHashOf, tipLeaf } from './leaf.ts'
import { consistencyRanges, inclusionRanges, type Range } from './merkle.ts'
import { readTiles } from './read-tiles.ts'
import type { LogCheckpoint, LogEntry, LogKey, ProvenEntry } from './shapes.ts'
import type { CheckpointRow, EntryRow, KeyRow, LeafRow } from './store.ts'
import * as sql from './store.ts'
import { rootInTiles, tilesOf } from './tiles.ts'

export async function getCheckpoint({ database }: Context): Promise<LogCheckpoint> {
  return toCheckpoint(await readCheckpoint(database))
}

async function readCheckpoint(database: Database): Promise<CheckpointRow> {
  const row = await database.one(sql.newestCheckpoint, {})
  if (row === undefined) throw new Fault('unavailable', undefined, { retryAfter: 1 })
  return row
}

/** Every entry that names the tip, with its inclusion path. */
export async function proveTip({ database }: Context, commentId: number) {
  const checkpoint = await readCheckpoint(database)
  const { size } = checkpoint
  // What was appended after the checkpoint was read is not proven by it.
  const rows = (await database.query(sql.entriesOfTip, { commentId })).filter(({ position }) => position < size)
  if (rows.length === 0) throw new Fault('noComment', 'commentId')
  const ranges = rows.map(({ position }) => inclusionRanges(position, size))
  const pathOf = await hashesOf(database, ranges.flat())
  const entry = rows.map((row, index): ProvenEntry => {
    const isShown = row.state === 'live' && row.author_status === 'A'
    return {
      index: row.position,
      leaf: leafOf(row),
      path: pathOf(ranges[index] as Range[]),
      salt: isShown && row.salt !== null ? row.salt : undefined,
    }
  })
  return { checkpoint: toCheckpoint(checkpoint), entry }
}

/** Proves that the tree of `second` leaves begins with that of `first` leaves. */
export async function proveConsistency(
  { database }: Pick<Context, 'database'>,
  { first, second }: { first: number; second: number },
) {
  const { size } = await readCheckpoint(database)
  if (second < 0 || second > size) throw new Fault('invalid', 'second')
  if (first < 0 || first > second) throw new Fault('invalid', 'first')
  const ranges = consistencyRanges(first, second)
  const pathOf = await hashesOf(database, ranges)
  return { first, second, path: pathOf(ranges) }
}

export type PageRequest = { readonly start: number; readonly count: number; readonly leavesOnly: boolean }
export type Page = { readonly entry: LogEntry[] }

/** null: there are none from here on. `tips`: those whose present status is shown. */
export async function readPage(
  database: Database,
  { start, count, leavesOnly }: PageRequest,
): Promise<{ page: Page; tips: ReadonlySet<number> } | null> {
  if (start < 0) return null
  if (leavesOnly) {
    const rows = await database.query(sql.leavesFrom, { start, count })
    return rows.length === 0 ? null : { page: { entry: rows.map(toLeafEntry) }, tips: new Set() }
  }
  const rows = await database.query(sql.entriesFrom, { start, count })
  if (rows.length === 0) return null
  const tips = rows.filter(({ kind }) => kind === 'tip').map(({ comment_id }) => comment_id)
  return { page: { entry: rows.map(toEntry) }, tips: new Set(tips) }
}

export async function listKeys({ database }: Context): Promise<{ key: LogKey[] }> {
  return { key: (await database.query(sql.publicKeys, {})).map(toKey) }
}

/** Reads the tiles for the roots of the ranges, and writes such roots as a path. */
async function hashesOf(database: Database, ranges: readonly Range[]): Promise<(path: readonly Range[]) => string> {
  const rootOf = rootInTiles(await readTiles(database, sql.tilesByKey, tilesOf(ranges)))
  return (path) => path.map((range) => rootOf(range).toString('base64')).join(' ')
}

/** Written from the comment as it is now. */
function leafOf(row: LeafRow): string {
  if (row.kind !== 'tip') return row.data ?? ''
  return tipLeaf(row, row.number ?? 0, row.text_hash ?? textHashOf(row.salt ?? '', row.text ?? ''))
}

export function toLeafEntry(row: LeafRow): LogEntry {
  return { index: row.position, leaf: leafOf(row) }
}

export function toEntry(row: EntryRow): LogEntry {
  const own = toLeafEntry(row)
  if (row.kind !== 'tip') return own
  return {
    ...own,
    status: row.status ?? undefined,
    state: row.state ?? undefined,
    grade: row.grade ?? undefined,
    staked: row.stake === null ? undefined : `${row.stake}`,
    profit: row.profit === null ? undefined : points(row.profit),
    inPlay: row.in_play === null ? undefined : row.in_play === 1,
  }
}

function toCheckpoint({ key_id, time, ...row }: CheckpointRow): LogCheckpoint {
  return { ...row, time: isoTime(time), keyId: key_id }
}

function toKey({ id, public_key, created_at, retired_at }: KeyRow): LogKey {
  return {
    id,
    algorithm: 'Ed25519',
    publicKey: public_key,
    created: isoTime(created_at),
    retired: retired_at === null ? undefined : isoTime(retired_at),
  }
}
