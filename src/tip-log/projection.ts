// The projection that appends tips, settlements and withdrawals to the log, with its tree and the signed checkpoint.

import { randomBytes } from 'node:crypto'
import { dataOf, readEvents } from '../event-log/event.ts'
import type { Projection } from '../event-log/projection.ts'
import type { EventRow } from '../event-log/store.ts'
import type { Database } from '../platform/database/database.ts'
import { idListOf } from '../platform/database/row-list-store.ts'
import { tipKinds } from '../record/event-kinds.ts'
import { writeCheckpoint } from './keys.ts'
import { settlementLeaf, stateLeaf, type TipRow, textHashOf, tipLeaf } from './leaf.ts'
import type { LogState, NewEntry, SettledTip } from './projection-store.ts'
import * as sql from './projection-store.ts'
import { readTiles } from './read-tiles.ts'
import { tileList } from './store.ts'
import { addLeaves, growingTiles, rootInTiles, type Tile } from './tiles.ts'

type TipEvent = EventRow<typeof tipKinds>

/** The state of the tip after the event. */
const STATES: { readonly [kind: string]: string } = {
  'tip.deactivated': 'deactivated',
  'tip.removed': 'removed',
  'tip.restored': 'live',
}

/** Small, because in the embedded engine every other writer waits for a batch, some 15 ms. */
const BATCH: Record<Database['engine'], number> = { sqlite: 200, postgres: 500 }

export function tipLogProjection(now: () => number): Projection<{ position: number }, LogState> {
  return {
    work: 'appending to the log of tips',
    everyMs: 1_000,
    progress: sql.tipLogProgress,
    lock: sql.lockTipLog,
    advance: sql.advanceTipLog,
    async apply(transaction, log) {
      const limit = BATCH[transaction.engine]
      const { events, next } = await readEvents(transaction, { after: log.position, limit, kinds: tipKinds })
      const leaves = events.length === 0 ? [] : await writeEntries(transaction, log.size, events)
      if (leaves.length > 0) await writeTree(transaction, log, leaves, now())
      return { position: next }
    },
  }
}

/** Returns the new leaves. */
async function writeEntries(transaction: Database, size: number, events: readonly TipEvent[]): Promise<string[]> {
  const created = await readTips(transaction, idsOf(events, 'tip.created'))
  const settled = await readSettlements(transaction, idsOf(events, 'tip.settled', 'tip.corrected'))
  const isLogged = await knownTips(transaction, events, created)
  const numbers = await readNumbers(transaction, created)
  const entries: NewEntry[] = []
  const leaves: string[] = []
  const add = (leaf: string, entry: Omit<NewEntry, 'position'>) => {
    entries.push({ position: size + entries.length, ...entry })
    leaves.push(leaf)
  }
  for (const event of events) {
    const comment_id = Number(event.subject_id)
    // Tips from before the log, and what becomes of them, are not in it.
    if (!isLogged.has(comment_id)) continue
    const tip = event.kind === 'tip.created' ? created.get(comment_id) : undefined
    if (tip !== undefined) {
      const number = (numbers.get(tip.author_id) ?? 0) + 1
      numbers.set(tip.author_id, number)
      const salt = randomBytes(16).toString('hex')
      const leaf = tipLeaf(tip, number, textHashOf(salt, tip.text))
      add(leaf, { kind: 'tip', comment_id, number, salt, data: null })
      continue
    }
    const change = changeOf(event, settled)
    if (change === null) continue
    const { kind, data } = change
    add(data, { kind, comment_id, number: null, salt: null, data })
  }
  if (entries.length > 0) await transaction.run(sql.insertEntries, { rows: sql.entryList.of(entries) })
  if (created.size > 0) {
    const rows = [...numbers].map(([profile_id, tips]) => ({ profile_id, tips }))
    await transaction.run(sql.setTipsOfProfiles, { rows: sql.profileTipsList.of(rows) })
  }
  return leaves
}

/** null: the result was corrected meanwhile. The event of the correction follows, and its entry has the new figures. */
function changeOf(event: TipEvent, settled: ReadonlyMap<number, SettledTip>) {
  const tip = Number(event.subject_id)
  const state = STATES[event.kind]
  if (state !== undefined) return { kind: 'state', data: stateLeaf(tip, state, event.at) } as const
  const row = settled.get(tip)
  if (row === undefined || (event.kind !== 'tip.settled' && event.kind !== 'tip.corrected')) return null
  if (row.is_outdated === 1 || row.result !== dataOf(event).result) return null
  return { kind: 'settlement', data: settlementLeaf(row) } as const
}

function idsOf(events: readonly TipEvent[], ...kinds: readonly TipEvent['kind'][]): Set<number> {
  return new Set(events.filter(({ kind }) => kinds.includes(kind)).map(({ subject_id }) => Number(subject_id)))
}

async function readTips(transaction: Database, ids: ReadonlySet<number>) {
  if (ids.size === 0) return new Map<number, TipRow & { text: string }>()
  const tips = await transaction.query(sql.newTips, { commentIds: idListOf(ids) })
  return new Map(tips.map((tip) => [tip.comment_id, tip]))
}

async function readSettlements(transaction: Database, ids: ReadonlySet<number>): Promise<Map<number, SettledTip>> {
  if (ids.size === 0) return new Map()
  const rows = await transaction.query(sql.settledTips, { commentIds: idListOf(ids) })
  return new Map(rows.map((row) => [row.comment_id, row]))
}

/** The tips that are in the log, and those that the batch adds. */
async function knownTips(
  transaction: Database,
  events: readonly TipEvent[],
  created: ReadonlyMap<number, unknown>,
): Promise<Set<number>> {
  const known = new Set(created.keys())
  const others = new Set(events.map(({ subject_id }) => Number(subject_id)).filter((id) => !known.has(id)))
  if (others.size === 0) return known
  for (const { comment_id } of await transaction.query(sql.loggedTips, { commentIds: idListOf(others) })) {
    known.add(comment_id)
  }
  return known
}

/** How many tips the authors have in the log. */
async function readNumbers(transaction: Database, created: ReadonlyMap<number, TipRow>): Promise<Map<number, number>> {
  if (created.size === 0) return new Map()
  const profileIds = idListOf(new Set([...created.values()].map(({ author_id }) => author_id)))
  const rows = await transaction.query(sql.tipsOfProfiles, { profileIds })
  return new Map(rows.map(({ profile_id, tips }) => [profile_id, tips]))
}

async function writeTree(transaction: Database, log: LogState, leaves: readonly string[], time: number): Promise<void> {
  const growing = await readTiles(transaction, sql.tilesToGrow, growingTiles(log.size))
  const changed = addLeaves(log.size, leaves, growing)
  const size = log.size + leaves.length
  const root = rootInTiles(latest([...growing, ...changed]))([0, size]).toString('base64')
  const rows = changed.map((tile) => ({ ...tile, hashes: tile.hashes.toString('base64') }))
  await transaction.run(sql.setTiles, { rows: tileList.of(rows) })
  await writeCheckpoint(transaction, { origin: log.origin as string, size, root, time })
}

/** Each tile as it is last in the list. */
function latest(tiles: readonly Tile[]): Tile[] {
  return [...new Map(tiles.map((tile) => [`${tile.level} ${tile.number}`, tile])).values()]
}
