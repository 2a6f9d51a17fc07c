import { expect, test } from 'vitest'
import { leadsToRoot } from '../../showcase/src/verify-proof.ts'
import { inclusionRanges, leafHash, type Range, treeOf } from '../../src/tip-log/merkle.ts'

const lines = Array.from({ length: 37 }, (_, index) => `tip id=${index} – “line”`)
const hashes = lines.map(leafHash)

function proofOf(index: number, size: number) {
  const rootOf = ([from, to]: Range) => treeOf(hashes.slice(from, to)).root.toString('base64')
  const path = inclusionRanges(index, size).map(rootOf).join(' ')
  return { index, leaf: lines[index] as string, path }
}

test.each([1, 2, 3, 7, 8, 9, 37])('each line of a log of %i leads to its root', async (size) => {
  const root = treeOf(hashes, size).root.toString('base64')
  for (let index = 0; index < size; index++) expect(await leadsToRoot(proofOf(index, size), { size, root })).toBe(true)
})

test('a line that was changed, moved or taken from another log does not', async () => {
  const root = treeOf(hashes, 37).root.toString('base64')
  const proof = proofOf(5, 37)
  expect(await leadsToRoot({ ...proof, leaf: `${proof.leaf} ` }, { size: 37, root })).toBe(false)
  expect(await leadsToRoot({ ...proof, index: 6 }, { size: 37, root })).toBe(false)
  expect(await leadsToRoot({ ...proof, path: proof.path.split(' ').slice(1).join(' ') }, { size: 37, root })).toBe(
    false,
  )
  const earlier = treeOf(hashes, 36).root.toString('base64')
  expect(await leadsToRoot(proof, { size: 37, root: earlier })).toBe(false)
  expect(await leadsToRoot(proofOf(5, 36), { size: 37, root })).toBe(false)
})
