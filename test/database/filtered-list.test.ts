import { expect, test } from 'vitest'
import { filteredPage } from '../../src/platform/database/filtered-list.ts'

const rows = [9, 8, 7].map((at) => ({ at, id: at * 10 }))
const positionOf = ({ at, id }: { at: number; id: number }) => [at, id]

test('a full page goes on after its last row, wherever the window ends', () => {
  const page = filteredPage(rows, 2, { at: 1, id: 10 }, positionOf)
  expect(page).toEqual({ rows: rows.slice(0, 2), next: [8, 80], searchedUntil: null })
})

test('a page whose window was looked through goes on after the window, and says how far it goes', () => {
  expect(filteredPage(rows, 3, { at: 1, id: 10 }, positionOf)).toEqual({ rows, next: [1, 10], searchedUntil: 1 })
  expect(filteredPage([], 3, { at: 1, id: 10 }, positionOf)).toEqual({ rows: [], next: [1, 10], searchedUntil: 1 })
})

test('a list that ends in the window has no next page', () => {
  expect(filteredPage(rows, 3, undefined, positionOf)).toEqual({ rows, next: null, searchedUntil: null })
})
