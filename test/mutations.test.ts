import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { MUTATIONS, withoutGuard } from './mutations.ts'

test.each(MUTATIONS)('the mutation finds its guard: $guard', (mutation) => {
  const text = readFileSync(new URL(`../${mutation.file}`, import.meta.url), 'utf8')
  expect(withoutGuard(text, mutation)).not.toBeNull()
})

test('each guard has a unique name', () => {
  expect(new Set(MUTATIONS.map(({ guard }) => guard)).size).toBe(MUTATIONS.length)
})
