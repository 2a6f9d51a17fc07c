import { hash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { estimatedBits, hashOf, matcherOf } from '../../src/platform/runtime/secrets.ts'

const secret = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 })

test('a matcher accepts its own secret and no other, before and after the first match', () => {
  fc.assert(
    fc.property(secret, fc.array(secret), (right, others) => {
      const isRight = matcherOf(hashOf(right))
      const near = [`${right}x`, `x${right}`, right.slice(1), right.slice(0, -1), `${right}\0`, `${right}\u{1f3c7}`, '']
      const wrong = [...others, ...near].filter((other) => other !== right)
      for (const turn of ['never seen', 'seen']) {
        expect(wrong.map(isRight), turn).not.toContain(true)
        expect(isRight(right), turn).toBe(true)
      }
    }),
  )
})

test.each(['', 'a', 'aéb', '€', '🏇', 'a'.repeat(200)])(
  '"%s" matches neither its prefixes nor its suffixes',
  (right) => {
    const isRight = matcherOf(hashOf(right))
    expect(isRight(right)).toBe(true)
    for (const more of ['a', 'é', '€', '🏇', 'aaaaa']) {
      expect(isRight(right + more)).toBe(false)
      expect(isRight(more + right + more)).toBe(false)
    }
    expect(isRight(right)).toBe(true)
  },
)

test('random tokens of 32 characters are rated hard to guess, words and patterns easy', () => {
  for (let seed = 0; seed < 500; seed++) {
    const random = hash('sha256', `${seed}`, 'buffer')
    expect(estimatedBits(random.subarray(0, 16).toString('hex'))).toBeGreaterThan(64)
    expect(estimatedBits(random.subarray(0, 24).toString('base64url'))).toBeGreaterThan(64)
  }
  expect(estimatedBits('passwordpasswordpasswordpassword')).toBeLessThan(20)
  expect(estimatedBits('9876543210zyxwvutsrqponmlkjihgfedcba')).toBeLessThan(20)
})
