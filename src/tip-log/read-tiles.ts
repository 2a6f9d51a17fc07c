import type { Database, Statement } from '../platform/database/database.ts'
import { type TileRow, tileKeyList } from './store.ts'
import type { Tile, TileKey } from './tiles.ts'

export async function readTiles(
  database: Database,
  statement: Statement<{ rows: string }, TileRow>,
  keys: readonly TileKey[],
): Promise<Tile[]> {
  if (keys.length === 0) return []
  const rows = await database.query(statement, { rows: tileKeyList.of(keys) })
  return rows.map(({ level, number, hashes }) => ({ level, number, hashes: Buffer.from(hashes, 'base64') }))
}
