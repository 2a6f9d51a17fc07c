// Writes the log of tips as a service would have left it that was started when the first of them was created: tips and
// withdrawals in the order of ids, then settlements.

import { type Database, reading } from '../../src/platform/database/database.ts'
import { beginTipLog, writeCheckpoint } from '../../src/tip-log/keys.ts'
import {
  type SettlementRow,
  settlementLeaf,
  stateLeaf,
  type TipRow,
  textHashOf,
  tipLeaf,
} from '../../src/tip-log/leaf.ts'
import {
  awaitTipLog,
  entryList,
  insertEntries,
  type NewEntry,
  profileTipsList,
  setTiles,
  setTipsOfProfiles,
} from '../../src/tip-log/projection-store.ts'
import { TIP_COLUMNS, tileList } from '../../src/tip-log/store.ts'
import { addLeaves, growingTiles, rootInTiles, type Tile } from '../../src/tip-log/tiles.ts'

/** Ids of comments in one transaction. */
const BATCH = 10_000

type IdRange = { first: number; last: number }

type TipToLog = TipRow & { text: string; state: string }

const tipsBetween = reading<IdRange, TipToLog>(
  'tipsBetween',
  `select c.id as comment_id, ${TIP_COLUMNS}, c.text, c.state from comment c where c.id between :first and :last order by c.id`,
)

const settlementsBetween = reading<IdRange, SettlementRow>(
  'settlementsBetween',
  `select c.id as comment_id, o.result, o.dead_heat_num, o.dead_heat_den, o.place_dead_heat_num, o.place_dead_heat_den,
     o.rule4, o.sp_num, o.sp_den, o.closing_num, o.closing_den, o.settled_at, g.grade, g.stake, g.profit, g.in_play
   from comment c join outcome o on o.id = c.outcome_id
   left join tip_grade g on g.profile_id = c.author_id and g.comment_id = c.id
   where c.id between :first and :last and o.result is not null order by c.id`,
)

type NewLeaf = { leaf: string; entry: Omit<NewEntry, 'position'> }

export async function fillTipLog(database: Database, range: IdRange, now: number): Promise<void> {
  await beginTipLog(database, now)
  const numbers = new Map<number, number>()
  let tree: Tree = { size: 0, edge: [] }
  for (const batch of batchesOf(range)) {
    const tips = (await database.query(tipsBetween, batch)).flatMap((tip) => newTip(tip, numbers))
    tree = await append(database, tree, tips)
  }
  for (const batch of batchesOf(range)) {
    tree = await append(database, tree, (await database.query(settlementsBetween, batch)).map(newSettlement))
  }
  await finish(database, tree, { numbers, now })
}

function batchesOf({ first, last }: IdRange): IdRange[] {
  return Array.from({ length: Math.ceil((last - first + 1) / BATCH) }, (_, index) => {
    const begin = first + index * BATCH
    return { first: begin, last: Math.min(last, begin + BATCH - 1) }
  })
}

/** With its withdrawal. */
function newTip(tip: TipToLog, numbers: Map<number, number>): NewLeaf[] {
  const { comment_id, author_id, text, state, created_at } = tip
  const number = (numbers.get(author_id) ?? 0) + 1
  numbers.set(author_id, number)
  const salt = comment_id.toString(16).padStart(32, '0')
  const leaf = tipLeaf(tip, number, textHashOf(salt, text))
  const created: NewLeaf = { leaf, entry: { kind: 'tip', comment_id, number, salt, data: null } }
  return state === 'live' ? [created] : [created, stored('state', comment_id, stateLeaf(comment_id, state, created_at))]
}

function newSettlement(row: SettlementRow): NewLeaf {
  return stored('settlement', row.comment_id, settlementLeaf(row))
}

function stored(kind: 'state' | 'settlement', comment_id: number, leaf: string): NewLeaf {
  return { leaf, entry: { kind, comment_id, number: null, salt: null, data: leaf } }
}

/** `edge`: the tiles that the last batch has changed or that the next one may change. */
type Tree = { size: number; edge: Tile[] }

async function append(database: Database, { size, edge }: Tree, added: readonly NewLeaf[]): Promise<Tree> {
  if (added.length === 0) return { size, edge }
  const growing = growingTiles(size).flatMap(
    ({ level, number }) => edge.find((tile) => tile.level === level && tile.number === number) ?? [],
  )
  const leaves = added.map(({ leaf }) => leaf)
  const changed = addLeaves(size, leaves, growing)
  const entries = added.map(({ entry }, index) => ({ position: size + index, ...entry }))
  const tiles = changed.map((tile) => ({ ...tile, hashes: tile.hashes.toString('base64') }))
  await database.transaction(async (transaction) => {
    await transaction.run(insertEntries, { rows: entryList.of(entries) })
    await transaction.run(setTiles, { rows: tileList.of(tiles) })
  })
  const isReplaced = (one: Tile) => changed.some(({ level, number }) => level === one.level && number === one.number)
  return { size: size + added.length, edge: [...growing.filter((tile) => !isReplaced(tile)), ...changed] }
}

async function finish(
  database: Database,
  { size, edge }: Tree,
  { numbers, now }: { numbers: ReadonlyMap<number, number>; now: number },
): Promise<void> {
  const rows = [...numbers].map(([profile_id, tips]) => ({ profile_id, tips }))
  const root = rootInTiles(edge)([0, size]).toString('base64')
  await database.transaction(async (transaction) => {
    await transaction.run(setTipsOfProfiles, { rows: profileTipsList.of(rows) })
    const log = await transaction.one(awaitTipLog, {})
    await writeCheckpoint(transaction, { origin: log?.origin as string, size, root, time: now })
  })
}
