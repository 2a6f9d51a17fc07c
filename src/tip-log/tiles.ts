// The hashes of the tree, in tiles: level 0 has the hashes of leaves, level 1 the roots of complete tiles of level 0, and so
// on. A batch rewrites the last tile of each level; a proof reads a few tiles.

import { completeParts, leafHash, nodeHash, type Range, rootOf } from './merkle.ts'

export type Tile = { readonly level: number; readonly number: number; readonly hashes: Buffer }
export type TileKey = Pick<Tile, 'level' | 'number'>

/** Narrow: a proof hashes what is inside its tiles, and costs a tenth of what it does with 256. */
const WIDTH = 16
const HASH_BYTES = 32

/** The last tile of each level of a tree, unless it is complete: those that the next leaf may change. */
export function growingTiles(size: number): TileKey[] {
  const keys: TileKey[] = []
  for (let level = 0, count = size; count > 0; level++, count = Math.floor(count / WIDTH)) {
    if (count % WIDTH > 0) keys.push({ level, number: Math.floor(count / WIDTH) })
  }
  return keys
}

/** The tiles that adding the leaves changes. `growing`: those that `growingTiles` names. */
export function addLeaves(size: number, leaves: readonly string[], growing: readonly Tile[]): Tile[] {
  const changed: Tile[] = []
  let added = leaves.map(leafHash)
  for (let level = 0, before = size; added.length > 0; level++, before = Math.floor(before / WIDTH)) {
    const completed: Buffer[] = []
    let number = Math.floor(before / WIDTH)
    let hashes = hashesOf(growing.find((tile) => tile.level === level && tile.number === number))
    for (let index = 0; index < added.length; ) {
      const taken = added.slice(index, index + WIDTH - hashes.length)
      index += taken.length
      hashes = [...hashes, ...taken]
      changed.push({ level, number, hashes: Buffer.concat(hashes) })
      if (hashes.length < WIDTH) break
      completed.push(rootOfHashes(hashes))
      hashes = []
      number++
    }
    added = completed
  }
  return changed
}

/** The tiles from which the roots of the ranges can be computed, each once. */
export function tilesOf(ranges: readonly Range[]): TileKey[] {
  const found = new Map<string, TileKey>()
  for (const part of ranges.flatMap(completeParts)) {
    const { level, from } = placeOf(part)
    const key = { level, number: Math.floor(from / WIDTH) }
    found.set(`${level} ${key.number}`, key)
  }
  return [...found.values()]
}

/** The root of a range, from the tiles that `tilesOf` names. */
export function rootInTiles(tiles: readonly Tile[]): (range: Range) => Buffer {
  const byKey = new Map(tiles.map((tile) => [`${tile.level} ${tile.number}`, hashesOf(tile)]))
  const complete = (part: Range): Buffer => {
    const { level, from, to } = placeOf(part)
    const number = Math.floor(from / WIDTH)
    const hashes = byKey.get(`${level} ${number}`)?.slice(from - number * WIDTH, to - number * WIDTH) ?? []
    if (hashes.length < to - from) throw new Error(`tile ${number} of level ${level} lacks hashes of the log`)
    return rootOfHashes(hashes)
  }
  return (range) => rootOf(range, complete)
}

/** Where the hashes of a complete part are: on the highest level on which it has one or more of its own. */
function placeOf([from, to]: Range): { level: number; from: number; to: number } {
  let [level, unit] = [0, 1]
  while (unit * WIDTH <= to - from) {
    level++
    unit *= WIDTH
  }
  return { level, from: from / unit, to: to / unit }
}

function hashesOf(tile: Tile | undefined): Buffer[] {
  const hashes = tile?.hashes ?? Buffer.alloc(0)
  return Array.from({ length: hashes.length / HASH_BYTES }, (_, index) =>
    hashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES),
  )
}

/** The number of hashes must be a power of two. */
function rootOfHashes(hashes: readonly Buffer[]): Buffer {
  const [only] = hashes
  if (hashes.length === 1) return only as Buffer
  const middle = hashes.length / 2
  return nodeHash(rootOfHashes(hashes.slice(0, middle)), rootOfHashes(hashes.slice(middle)))
}
