import { expect, test } from 'vitest'
import { boundedCache } from '../../src/platform/runtime/cache.ts'

function cacheAt(start: number) {
  const clock = { now: start }
  return { clock, cache: boundedCache<string, string>(3, 1_000, () => clock.now) }
}

test('an entry expires after its time to live', () => {
  const { clock, cache } = cacheAt(5_000)
  cache.set('a', 'one')
  clock.now += 999
  expect(cache.get('a')).toBe('one')
  clock.now += 1
  expect(cache.get('a')).toBeUndefined()
})

test('an entry with its own expiry lives no longer than that, nor than others', () => {
  const { clock, cache } = cacheAt(5_000)
  cache.set('sooner', 'one', 5_300)
  cache.set('later', 'two', 50_000)
  clock.now = 5_299
  expect(cache.get('sooner')).toBe('one')
  clock.now = 5_300
  expect(cache.get('sooner')).toBeUndefined()
  clock.now = 5_999
  expect(cache.get('later')).toBe('two')
  clock.now = 6_000
  expect(cache.get('later')).toBeUndefined()
})

test('a clock that was set back makes no entry live longer', () => {
  const { clock, cache } = cacheAt(5_000)
  cache.set('a', 'one')
  clock.now = 4_999
  expect(cache.get('a')).toBeUndefined()
})

test('a full cache evicts its oldest entry', () => {
  const { cache } = cacheAt(5_000)
  for (const key of ['a', 'b', 'c', 'a', 'd']) cache.set(key, key)
  expect(['a', 'b', 'c', 'd'].map(cache.get)).toEqual(['a', undefined, 'c', 'd'])
})

test('a removed entry is gone', () => {
  const { cache } = cacheAt(5_000)
  cache.set('a', 'one')
  cache.forget('a')
  expect(cache.get('a')).toBeUndefined()
})
