import { globSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import * as suites from './suites.ts'

const cwd = fileURLToPath(new URL('..', import.meta.url))

/** One for each alternative in braces. */
function alternatives(pattern: string): string[] {
  const braces = /\{([^}]*)\}/.exec(pattern)
  return (braces?.[1]?.split(',') ?? ['']).map((one) => pattern.replace(braces?.[0] ?? '', one))
}

test.each(Object.entries(suites))('every name in %s is of a suite', (_list, patterns) => {
  const gone = [patterns]
    .flat()
    .flatMap(alternatives)
    .filter((pattern) => globSync(pattern, { cwd }).length === 0)
  expect(gone).toEqual([])
})

test.each([
  'test/architecture.test.ts',
  'test/mutations.test.ts',
  'test/security-document.test.ts',
  suites.PLAN_SUITE,
  'test/contract/walk.test.ts',
  'test/contract/wallets.test.ts',
  'test/operator/audit.test.ts',
  'test/operator/wallets.test.ts',
  'test/wallets/gateways.test.ts',
  ...globSync('test/concurrency/*.test.ts', { cwd }),
  ...globSync('test/flows/*{deposit,settlement,sweeps,adyen.,gateway}*.test.ts', { cwd }),
])('%s runs at each change, on both engines if it starts the service', (file) => {
  const later = [...suites.ONLY_IN_ALL, ...suites.ON_POSTGRES_IN_ALL, ...suites.ONE_ENGINE_SUITES]
  expect(later.filter((pattern) => matchesGlob(file, pattern))).toEqual([])
})
