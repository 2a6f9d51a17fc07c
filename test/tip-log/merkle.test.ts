// The tree against the definitions of RFC 6962, section 2.1, written out as they stand there.

import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  consistencyRanges,
  EMPTY_ROOT,
  inclusionRanges,
  leafHash,
  type Range,
  treeOf,
  verifyConsistency,
  verifyInclusion,
} from '../../src/tip-log/merkle.ts'
import { addLeaves, growingTiles, rootInTiles, type Tile, tilesOf } from '../../src/tip-log/tiles.ts'

const sha256 = (...parts: (Buffer | string)[]): Buffer =>
  parts.reduce((sum, part) => sum.update(part), createHash('sha256')).digest()

/** MTH of section 2.1. */
function mth(d: readonly string[]): Buffer {
  if (d.length === 0) return sha256()
  if (d.length === 1) return sha256(Buffer.from([0]), d[0] as string)
  const k = split(d.length)
  return sha256(Buffer.from([1]), mth(d.slice(0, k)), mth(d.slice(k)))
}

function split(n: number): number {
  let k = 1
  while (k * 2 < n) k *= 2
  return k
}

/** PATH of section 2.1.1. */
function path(m: number, d: readonly string[]): Buffer[] {
  if (d.length === 1) return []
  const k = split(d.length)
  if (m < k) return [...path(m, d.slice(0, k)), mth(d.slice(k))]
  return [...path(m - k, d.slice(k)), mth(d.slice(0, k))]
}

/** PROOF and SUBPROOF of section 2.1.2. */
function proof(m: number, d: readonly string[]): Buffer[] {
  return subproof(m, d, true)
}

function subproof(m: number, d: readonly string[], b: boolean): Buffer[] {
  if (m === d.length) return b ? [] : [mth(d)]
  const k = split(d.length)
  if (m <= k) return [...subproof(m, d.slice(0, k), b), mth(d.slice(k))]
  return [...subproof(m - k, d.slice(k), false), mth(d.slice(0, k))]
}

const leavesOf = (size: number) => Array.from({ length: size }, (_, index) => `leaf ${index}`)

/** The tiles after the leaves were added in batches of these sizes. */
function tilesAfter(batches: readonly number[], store = new Map<string, Tile>()): Map<string, Tile> {
  let size = 0
  const leaves = leavesOf(batches.reduce((sum, one) => sum + one, 0))
  for (const batch of batches) {
    const growing = growingTiles(size).map(({ level, number }) => store.get(`${level} ${number}`) as Tile)
    for (const tile of addLeaves(size, leaves.slice(size, size + batch), growing)) {
      store.set(`${tile.level} ${tile.number}`, tile)
    }
    size += batch
  }
  return store
}

function rootsFrom(store: ReadonlyMap<string, Tile>, ranges: readonly Range[]): Buffer[] {
  const needed = tilesOf(ranges).map(({ level, number }) => store.get(`${level} ${number}`) as Tile)
  return ranges.map(rootInTiles(needed))
}

const batches = fc.array(fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 700 })), {
  minLength: 1,
  maxLength: 6,
})
const anyTree = batches.chain((sizes) => {
  const size = sizes.reduce((sum, one) => sum + one, 0)
  return fc.record({
    batches: fc.constant(sizes),
    index: fc.integer({ min: 0, max: size - 1 }),
    first: fc.integer({ min: 1, max: size }),
  })
})

test('the empty tree has the hash of nothing', () => {
  expect(EMPTY_ROOT.toString('hex')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  expect(treeOf([])).toEqual({ size: 0, root: EMPTY_ROOT })
})

test('roots and proofs from tiles are those of the RFC, however the leaves were cut into batches', () => {
  fc.assert(
    fc.property(anyTree, ({ batches: sizes, index, first }) => {
      const store = tilesAfter(sizes)
      const size = sizes.reduce((sum, one) => sum + one, 0)
      const leaves = leavesOf(size)
      const root = mth(leaves)
      expect(treeOf(leaves.map(leafHash))).toEqual({ size, root })
      expect(rootsFrom(store, [[0, size]])).toEqual([root])
      const inclusion = rootsFrom(store, inclusionRanges(index, size))
      expect(inclusion).toEqual(path(index, leaves))
      expect(verifyInclusion({ index, size, leaf: leaves[index] as string, path: inclusion }, root)).toBe(true)
      const consistency = rootsFrom(store, consistencyRanges(first, size))
      expect(consistency).toEqual(proof(first, leaves))
      const before = { size: first, root: mth(leaves.slice(0, first)) }
      expect(verifyConsistency(before, { size, root }, consistency)).toBe(true)
    }),
    { numRuns: 20 },
  )
})

test('every proof of every small tree', () => {
  for (let size = 1; size <= 40; size++) {
    const leaves = leavesOf(size)
    const tree = { size, root: mth(leaves) }
    for (let index = 0; index < size; index++) {
      const proven = { index, size, leaf: leaves[index] as string, path: path(index, leaves) }
      expect(verifyInclusion(proven, tree.root)).toBe(true)
      expect(verifyInclusion({ ...proven, leaf: 'another' }, tree.root)).toBe(false)
      expect(verifyInclusion({ ...proven, index: (index + 1) % (size + 1) }, tree.root)).toBe(false)
      expect(verifyInclusion({ ...proven, path: [...proven.path, EMPTY_ROOT] }, tree.root)).toBe(false)
    }
    for (let first = 1; first <= size; first++) {
      const before = { size: first, root: mth(leaves.slice(0, first)) }
      const hashes = proof(first, leaves)
      expect(verifyConsistency(before, tree, hashes)).toBe(true)
      expect(verifyConsistency({ ...before, root: EMPTY_ROOT }, tree, hashes)).toBe(false)
      expect(verifyConsistency(before, { ...tree, root: EMPTY_ROOT }, hashes)).toBe(false)
      for (let wrong = 0; wrong < hashes.length; wrong++) {
        expect(verifyConsistency(before, tree, hashes.with(wrong, EMPTY_ROOT))).toBe(false)
      }
    }
  }
})

test('a tree is consistent with the empty one, and with none that is larger', () => {
  const tree = { size: 3, root: mth(leavesOf(3)) }
  expect(verifyConsistency({ size: 0, root: EMPTY_ROOT }, tree, [])).toBe(true)
  expect(verifyConsistency(tree, { size: 2, root: mth(leavesOf(2)) }, [])).toBe(false)
})

test('a tree of 5,000 leaves has four levels of tiles', () => {
  const store = tilesAfter([4_000, 1_000])
  expect([...store.keys()]).toContain('3 0')
  expect(rootsFrom(store, [[0, 5_000]])).toEqual([mth(leavesOf(5_000))])
})
