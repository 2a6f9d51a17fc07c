// The comparison with another commit: it measures both, reports, and leaves nothing behind.

import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { readCompareOptions, USAGE } from '../../bench/compare/options.ts'
import { type Comparison, writeComparison } from '../../bench/compare/report.ts'

const folder = mkdtempSync(join(tmpdir(), 'paddock-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const main = new URL('../../bench/compare.ts', import.meta.url).pathname
const temporary = join(folder, 'tmp')
mkdirSync(temporary)
const compare = (...args: string[]) =>
  promisify(execFile)(process.execPath, [main, ...args], { env: { ...process.env, TMPDIR: temporary } })

const cellsOf = (markdown: string, title: string) =>
  markdown
    .split('\n')
    .find((line) => line.startsWith(`| ${title} |`))
    ?.split(' | ') ?? []

describe('npm run bench:compare', () => {
  test('measures the commit and the working tree in turns, and reports', async () => {
    const only = 'tip,like,cold-feed-200-R,import'
    const where = ['--data', join(folder, 'data'), '--results', join(folder, 'results')]
    const pace = ['--size', 'tiny', '--engine', 'sqlite', '--seconds', '0.05', '--rounds', '2']
    const { stdout } = await compare('HEAD', ...pace, ...where, '--only', only)
    expect(stdout).toMatch(/Before: [0-9a-f]{7,} \(.+\)\. After: [0-9a-f]{7,} \(/)
    for (const title of ['tip by id', 'like and unlike', 'feed import, each line']) {
      const [, perSecond, ratio, , cpu, , costRatio, statements] = cellsOf(stdout, title)
      for (const change of [perSecond, cpu, statements]) expect(change).toMatch(/^[\d,.]*[1-9][\d,.]* → [\d,.]*[1-9]/)
      for (const figure of [ratio, costRatio]) expect(figure).toMatch(/^\d+\.\d\d ± \d+ %/)
    }
    const [, cold, , coldRatio] = cellsOf(stdout, 'home feed, 200 followings, R')
    expect(cold).toMatch(/^-?[\d,]+ → -?[\d,]+$/)
    expect(coldRatio).toMatch(/ ± -?\d+ %$/)
    expect(stdout).not.toContain('Failed:')
    expect(stdout).not.toContain('NaN')
    // Both data sets are cached; copies, servers' folders and the checkout are removed, and a part is not stored.
    for (const cached of [join(folder, 'data'), join(folder, 'data', 'before')]) {
      const sets = readdirSync(cached).filter((name) => name !== 'before')
      expect(sets.sort()).toEqual(['sqlite-tiny', 'sqlite-tiny.json'])
    }
    expect(existsSync(join(folder, 'results'))).toBe(false)
    expect(readdirSync(temporary)).toEqual([])
  })

  test('explains wrong options', async () => {
    expect(USAGE).toContain('--engine sqlite|postgres|both')
    expect(() => readCompareOptions([])).toThrow('REF is missing')
    expect(() => readCompareOptions(['HEAD', 'main'])).toThrow('main: only one commit')
    const refused = {
      code: 2,
      stderr: expect.stringMatching(/^no-such-ref is no commit.*\n\nUsage: npm run bench:comp/),
    }
    await expect(compare('no-such-ref')).rejects.toMatchObject(refused)
    const unknown = {
      code: 2,
      stderr: expect.stringMatching(/^--only nothing: see --list\n\nUsage: npm run bench:comp/),
    }
    await expect(compare('HEAD', '--only', 'nothing')).rejects.toMatchObject(unknown)
  })
})

describe('a comparison', () => {
  const results = join(folder, 'written')

  test('has the targets and whether they are met', () => {
    const met = writeComparison(comparisonWith({ ratio: 1.9, statements: 2 }), { folder: results, store: false })
    expect(met).toContain('| PostgreSQL | statements: unlike | 4 | 2 | at most 2 | yes |')
    expect(met).toContain(
      '| PostgreSQL | per second: like and unlike | 1,000 | 1,900: 1.90 ± 5 % times | 1.8 times or more | yes |',
    )
    expect(met).toMatch(
      /\| settlement of many tips, until the last count is exact \| – \| not measured \| at most 12 s \| – \|/,
    )
    const near = writeComparison(comparisonWith({ ratio: 1.75, statements: 3 }), { folder: results, store: false })
    expect(near).toContain('1.75 ± 5 % times | 1.8 times or more | within the interval |')
    expect(near).toContain('| PostgreSQL | statements: unlike | 4 | 3 | at most 2 | **no** |')
    const missed = writeComparison(comparisonWith({ ratio: 1.7, statements: 2 }), { folder: results, store: false })
    expect(missed).toContain('1.70 ± 5 % times | 1.8 times or more | **no** |')
    expect(existsSync(results)).toBe(false)
  })

  test('is stored, and keeps the engine that was not measured again', () => {
    const comparison = comparisonWith({ ratio: 1.9, statements: 2 })
    writeComparison(comparison, { folder: results, store: true })
    const sqlite = comparison.engines.map((run) => ({ ...run, engine: 'sqlite' as const, before: 'abc1234 (Old)' }))
    writeComparison({ ...comparison, engines: sqlite }, { folder: results, store: true })
    expect(readdirSync(results).sort()).toEqual(['compare.json', 'compare.md'])
    const stored = JSON.parse(readFileSync(join(results, 'compare.json'), 'utf8')) as Comparison
    expect(stored.engines.map(({ engine, before }) => `${engine} ${before}`)).toEqual([
      'sqlite abc1234 (Old)',
      'postgres 1234567 (Before)',
    ])
    expect(readFileSync(join(results, 'compare.md'), 'utf8')).toContain(
      'Before: abc1234 (Old). After: 7654321 (After).',
    )
  })
})

function comparisonWith({ ratio, statements }: { ratio: number; statements: number }): Comparison {
  const figure = (median: number) => ({ median, spread: 0.05 })
  const summary = { p50: 1, p99: 2, cpu: figure(50), databaseCpu: 40, statements: 2 }
  const like = {
    name: 'like',
    title: 'like and unlike',
    before: { ...summary, perSecond: figure(1_000), statementsOfSteps: [4, 4] },
    after: { ...summary, perSecond: figure(1_000 * ratio), statementsOfSteps: [2, statements] },
    ratio: figure(ratio),
    costRatio: figure(0.6),
    databaseRatio: figure(0.6),
  }
  const run = {
    engine: 'postgres' as const,
    at: '2030-01-01T00:00:00.000Z',
    before: '1234567 (Before)',
    after: '7654321 (After)',
    operations: [like],
    coldFeeds: [],
    settlement: null,
    failed: [],
  }
  return { size: 'small', seconds: 1, rounds: 1, engines: [run] }
}
