// The Merkle tree of RFC 6962: hashes, inclusion paths, consistency proofs, and their verification. A tree of n leaves is
// split at the largest power of two below n, so that every subtree on the left is complete.

import { hash } from 'node:crypto'

/** Covers the first leaf up to but not including the second. */
export type Range = readonly [from: number, to: number]

/** The hash of the complete subtree that covers the leaves of the range. */
export type RangeHash = (range: Range) => Buffer

export const EMPTY_ROOT: Buffer = hash('sha256', '', 'buffer')

const LEAF = Buffer.from([0])
const NODE = Buffer.from([1])

export function leafHash(leaf: string): Buffer {
  return hash('sha256', Buffer.concat([LEAF, Buffer.from(leaf)]), 'buffer')
}

export function nodeHash(left: Buffer, right: Buffer): Buffer {
  return hash('sha256', Buffer.concat([NODE, left, right]), 'buffer')
}

/** The largest power of two below `size`, which is 2 or more. Not by bits: they end at 32. */
export function leftSize(size: number): number {
  let left = 1
  while (left * 2 < size) left *= 2
  return left
}

/** The root of the range, from complete subtrees. */
export function rootOf([from, to]: Range, complete: RangeHash): Buffer {
  if (from === to) return EMPTY_ROOT
  return completeParts([from, to])
    .map(complete)
    .reduceRight((right, left) => nodeHash(left, right))
}

/** The complete subtrees that a range of a tree consists of, from left to right. */
export function completeParts([from, to]: Range): Range[] {
  const parts: Range[] = []
  for (let begin = from; begin < to; ) {
    const size = to - begin
    const half = size === 1 ? 1 : leftSize(size)
    const end = begin + (half * 2 === size ? size : half)
    parts.push([begin, end])
    begin = end
  }
  return parts
}

/** The ranges whose roots, in this order, are the inclusion path of leaf `index` in a tree of `size` leaves. */
export function inclusionRanges(index: number, size: number): Range[] {
  const path: Range[] = []
  let [from, to] = [0, size]
  while (to - from > 1) {
    const middle = from + leftSize(to - from)
    if (index < middle) {
      path.unshift([middle, to])
      to = middle
    } else {
      path.unshift([from, middle])
      from = middle
    }
  }
  return path
}

/** The ranges whose roots are the proof that the tree of `second` leaves begins with the tree of `first` leaves. */
export function consistencyRanges(first: number, second: number): Range[] {
  if (first === 0 || first === second) return []
  const proof: Range[] = []
  let [from, to] = [0, second]
  while (to !== first) {
    const middle = from + leftSize(to - from)
    if (first <= middle) {
      proof.unshift([middle, to])
      to = middle
    } else {
      proof.unshift([from, middle])
      from = middle
    }
  }
  return from === 0 ? proof : [[from, to], ...proof]
}

export type InclusionProof = {
  readonly index: number
  readonly size: number
  readonly leaf: string
  readonly path: readonly Buffer[]
}

export function verifyInclusion({ index, size, leaf, path }: InclusionProof, root: Buffer): boolean {
  if (!(index >= 0 && index < size)) return false
  const ranges = inclusionRanges(index, size)
  if (ranges.length !== path.length) return false
  const reached = path.reduce(
    (own, sibling, level) => ((ranges[level] as Range)[0] > index ? nodeHash(own, sibling) : nodeHash(sibling, own)),
    leafHash(leaf),
  )
  return reached.equals(root)
}

export type Tree = { readonly size: number; readonly root: Buffer }

/** Recomputes both roots from the proof. Everything is consistent with the empty tree. */
export function verifyConsistency(first: Tree, second: Tree, proof: readonly Buffer[]): boolean {
  if (first.size > second.size) return false
  if (first.size === 0) return proof.length === 0 && first.root.equals(EMPTY_ROOT)
  if (first.size === second.size) return proof.length === 0 && first.root.equals(second.root)
  const ranges = consistencyRanges(first.size, second.size)
  if (ranges.length !== proof.length) return false
  const known = new Map(ranges.map((range, index) => [`${range}`, proof[index] as Buffer]))
  // The first tree is itself a complete subtree of the second one: its root is not part of the proof.
  if (!ranges.some(([, to]) => to === first.size)) known.set(`0,${first.size}`, first.root)
  const rootBy = (range: Range): Buffer => {
    const given = known.get(`${range}`)
    if (given !== undefined) return given
    const [from, to] = range
    const middle = from + leftSize(to - from)
    return nodeHash(rootBy([from, middle]), rootBy([middle, to]))
  }
  return rootBy([0, first.size]).equals(first.root) && rootBy([0, second.size]).equals(second.root)
}

/** The tree of the first `size` leaves, from the hashes of leaves. */
export function treeOf(hashes: readonly Buffer[], size = hashes.length): Tree {
  const complete = ([from, to]: Range): Buffer => {
    if (to - from === 1) return hashes[from] as Buffer
    const middle = (from + to) / 2
    return nodeHash(complete([from, middle]), complete([middle, to]))
  }
  return { size, root: rootOf([0, size], complete) }
}
