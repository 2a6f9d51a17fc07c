import { expect, test } from 'vitest'
import { turns } from '../../src/platform/runtime/turns.ts'

test('of one key some run at once, the others in the order in which they came; other keys do not wait', async () => {
  const all = turns<string>(2, 60_000)
  expect([all.begin('a'), all.begin('a')]).toEqual([true, true])
  const granted: string[] = []
  const waiting = ['third', 'fourth'].map(async (name) => {
    if (await all.begin('a')) granted.push(name)
  })
  expect(all.begin('b')).toBe(true)
  all.end('a')
  await waiting[0]
  expect(granted).toEqual(['third'])
  all.end('a')
  await waiting[1]
  expect(granted).toEqual(['third', 'fourth'])
})

test('what has ended leaves its turn to the next', async () => {
  const all = turns<string>(1, 60_000)
  for (let round = 0; round < 3; round++) {
    expect(all.begin('a')).toBe(true)
    all.end('a')
  }
})

test('who waits too long is refused, and takes no turn', async () => {
  const all = turns<string>(1, 1)
  expect(all.begin('a')).toBe(true)
  expect(await all.begin('a')).toBe(false)
  all.end('a')
  expect(all.begin('a')).toBe(true)
})
