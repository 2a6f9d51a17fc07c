import { existsSync, readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { expect, test } from 'vitest'
import { editsOf, withoutGuard } from './mutations/mutation.ts'
import { MUTATIONS } from './mutations.ts'
import { ENGINE_SUITES, ONLY_IN_ALL } from './suites.ts'

test.each(MUTATIONS)('the mutation finds its guard: $guard', (mutation) => {
  for (const edit of editsOf(mutation)) {
    const text = readFileSync(new URL(`../${edit.file}`, import.meta.url), 'utf8')
    expect(withoutGuard(text, edit)).not.toBeNull()
  }
})

test('each fault that is put back is in the table of docs/invariants.md, and no other', () => {
  const table = readFileSync(new URL('../docs/invariants.md', import.meta.url), 'utf8').split('| fault | test')[1] ?? ''
  const rows = [...(table.split('\n- ')[0] ?? '').matchAll(/^ {2}\| (?!---)([^|]+) \|/gm)].map(([, fault]) => fault)
  const faults = MUTATIONS.filter(({ guard }) => guard.startsWith('fault: ')).map(({ guard }) => guard.slice(7))
  expect(rows.toSorted()).toEqual(faults.toSorted())
})

test('each guard has a unique name', () => {
  expect(new Set(MUTATIONS.map(({ guard }) => guard)).size).toBe(MUTATIONS.length)
})

test.each([...new Set(MUTATIONS.flatMap(({ suites }) => suites))])(
  '%s, which protects guards, runs at each change on SQLite',
  (suite) => {
    expect(existsSync(new URL(`../${suite}`, import.meta.url))).toBe(true)
    expect(ENGINE_SUITES.some((pattern) => matchesGlob(suite, pattern))).toBe(true)
    expect(ONLY_IN_ALL.filter((pattern) => matchesGlob(suite, pattern))).toEqual([])
  },
)
