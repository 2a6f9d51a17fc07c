import { describe, expect, test } from 'vitest'
import { budget, partOf, turns } from '../../src/platform/runtime/slots.ts'

test('of one key some run at once, the others in the order in which they came; other keys do not wait', async () => {
  const all = turns<string>({ atOnce: 2, longestWaitMs: 60_000 })
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
  const all = turns<string>({ atOnce: 1, longestWaitMs: 60_000 })
  for (let round = 0; round < 3; round++) {
    expect(all.begin('a')).toBe(true)
    all.end('a')
  }
})

test('who waits too long is refused, and takes no turn', async () => {
  const all = turns<string>({ atOnce: 1, longestWaitMs: 1 })
  expect(all.begin('a')).toBe(true)
  expect(await all.begin('a')).toBe(false)
  all.end('a')
  expect(all.begin('a')).toBe(true)
})

test('a large one is not overtaken by the small ones behind it', async () => {
  const all = turns<null>({ atOnce: 2 })
  expect(all.begin(null)).toBe(true)
  const granted: string[] = []
  const large = Promise.resolve(all.begin(null, 2)).then(() => granted.push('large'))
  const small = Promise.resolve(all.begin(null)).then(() => granted.push('small'))
  all.end(null)
  await large
  expect(granted).toEqual(['large'])
  all.end(null, 2)
  await small
  expect(granted).toEqual(['large', 'small'])
})

test('a large one that gives up lets those behind it begin', async () => {
  const all = turns<null>({ atOnce: 2, longestWaitMs: 5 })
  expect(all.begin(null)).toBe(true)
  expect(await Promise.all([all.begin(null, 2), all.begin(null)])).toEqual([false, true])
})

test('when too many wait, the next is refused at once', () => {
  const all = turns<null>({ atOnce: 1, mostWaiting: 1 })
  expect(all.begin(null)).toBe(true)
  expect(all.begin(null)).toBeInstanceOf(Promise)
  expect(all.begin(null)).toBe(false)
})

test('run gives its turn back after a failure, and says why it was refused', async () => {
  const all = turns<null>({ atOnce: 1, longestWaitMs: 1 })
  const fail = () => Promise.reject(new Error('failed'))
  await expect(all.run(null, fail)).rejects.toThrow('failed')
  expect(await all.run(null, () => 'done')).toBe('done')
  expect(all.begin(null)).toBe(true)
  const refused = all.run(
    null,
    () => 'done',
    () => new Error('refused'),
  )
  await expect(refused).rejects.toThrow('refused')
})

describe('a budget', () => {
  const refusal = (reason: string) => new Error(reason)

  test('refuses what is beyond all, and beyond what one holder gets', () => {
    const slots = budget(3, 2, refusal)
    slots.take('a', 2)
    expect(() => slots.take('a', 1)).toThrow('holder')
    slots.take('b', 1)
    expect(() => slots.take('c', 1)).toThrow('all')
    expect([slots.used(), slots.usedBy('a'), slots.usedBy('c')]).toEqual([3, 2, 0])
    slots.release('a', 2)
    slots.take('c', 2)
    expect([slots.used(), slots.usedBy('a')]).toEqual([3, 0])
  })

  test('counts what was taken without a holder as that of the one it is assigned to', () => {
    const slots = budget(3, 1, refusal)
    slots.take(null, 1)
    slots.assign('a', 1)
    slots.take(null, 1)
    expect(() => slots.assign('a', 1)).toThrow('holder')
    slots.release(null, 1)
    slots.release('a', 1)
    expect([slots.used(), slots.usedBy('a')]).toEqual([0, 0])
  })

  test('gives a part of it, and takes nothing of all where the part refuses', () => {
    const all = budget(3, 3, refusal)
    const part = partOf(all, budget(2, 1, refusal))
    part.take('a', 1)
    expect(() => part.take('a', 1)).toThrow('holder')
    expect(all.used()).toBe(1)
    all.take('b', 2)
    expect(() => part.take('c', 1)).toThrow('all')
    part.release('a', 1)
    expect(all.used()).toBe(2)
  })
})
