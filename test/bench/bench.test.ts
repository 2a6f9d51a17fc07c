// The bench itself: it measures, notices unexpected answers, and reports.

import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { SaxesParser } from 'saxes'
import { afterAll, describe, expect, test } from 'vitest'
import type { OperationResult } from '../../bench/comparison.ts'
import { httpRequest, load } from '../../bench/load.ts'
import { readOptions } from '../../bench/options.ts'
import type { Report } from '../../bench/report/report.ts'
import { lastReport, writeReport } from '../../bench/report/write-report.ts'
import type { EngineRun } from '../../bench/run.ts'

const folder = mkdtempSync(join(tmpdir(), 'paddock-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const main = new URL('../../bench/bench.ts', import.meta.url).pathname
const bench = (...args: string[]) => promisify(execFile)(process.execPath, [main, ...args])

describe('npm run bench', () => {
  test('builds a data set, measures service and baseline, and reports', async () => {
    const only = 'profile-ticket,record,log-proofs,feed-10-R,follow-hot,create-tip,deposit,import,settlement'
    const where = ['--data', join(folder, 'data'), '--results', join(folder, 'results')]
    const pace = ['--size', 'tiny', '--engine', 'sqlite', '--seconds', '0.05', '--rounds', '2']
    const { stdout } = await bench(...pace, ...where, '--only', only)
    const rows = stdout.split('\n').filter((line) => /^\| .*± \d+ %.*± \d+ % \|$/.test(line))
    // profile-ticket with its XML, records, two blocks of the feed, and four that write.
    expect(rows.map((row) => row.split(' | ')[0]?.slice(2))).toEqual([
      'profile by id, with ticket',
      'profile by id, with ticket, XML',
      'record of a profile',
      'record of a regular',
      'tips of a record',
      'ranking of records',
      'proof of a tip in the log',
      'home feed, 10 followings, R, block 1',
      'home feed, 10 followings, R, block 100',
      'follow and unfollow, one hot profile',
      'create a tip',
      'feed import, each line',
      // In the sandbox, after the others.
      'deposit',
    ])
    const figures = (rows[0] ?? '').split(' | ').map((cell) => Number.parseFloat(cell.replace(',', '')))
    const [, perSecond, p50, p99, cpu, , statements] = figures
    expect(perSecond).toBeGreaterThan(0)
    expect(p99).toBeGreaterThanOrEqual(p50 as number)
    expect(cpu).toBeGreaterThanOrEqual(0)
    expect(statements).toBeGreaterThanOrEqual(1)
    expect(stdout).toMatch(/record against a profile read, CPU \| at most 2 times \| \d+\.\d\d /)
    expect(stdout).toMatch(/\| settlement of a market with \d+ tips \| answered after/)
    // The data set is cached; the copy for writes is removed, and a part of the results is not stored.
    expect(readdirSync(join(folder, 'data')).sort()).toEqual(['sqlite-tiny', 'sqlite-tiny.json'])
    expect(existsSync(join(folder, 'results'))).toBe(false)
  })

  test('explains wrong values', () => {
    expect(() => readOptions(['--size', 'huge'])).toThrow('--size huge: use tiny, small, medium, large')
    expect(() => readOptions(['--seconds=-1'])).toThrow('--seconds -1: use a number above 0')
    expect(() => readOptions(['--engine', 'oracle'])).toThrow('--engine oracle: use sqlite, postgres, both')
  })
})

describe('the load generator', () => {
  test('counts unexpected answers and shows the first', async () => {
    const server = await listening((count) => (count % 2 === 0 ? 500 : 200))
    const { port } = server.address() as AddressInfo
    const request = () => httpRequest('/', {})
    const measured = await load({
      host: '127.0.0.1',
      port,
      connections: 1,
      seconds: 0,
      sequenceLength: 4,
      request,
      isOver: isOverAfterFirst(),
    })
    server.close()
    expect(measured).toMatchObject({ requests: 8, failures: 4, failure: expect.stringContaining('HTTP/1.1 500') })
  })
})

function isOverAfterFirst(): () => boolean {
  let calls = 0
  return () => calls++ === 1
}

async function listening(statusOf: (count: number) => number): Promise<Server> {
  let count = 0
  const server = createServer((_, response) => response.writeHead(statusOf(++count), { 'content-length': 2 }).end('{}'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

describe('a result', () => {
  const results = join(folder, 'written')

  test('is stored, and the next is compared with it', () => {
    const first = writeReport(reportWith(0.95), lastReport(results, 'small'), { folder: results, store: true })
    expect(first).toContain('There is none.')
    expect(readdirSync(results).sort()).toEqual([
      'small-postgres-growth.svg',
      'small-postgres-ratio.svg',
      'small.json',
      'small.md',
    ])
    const second = writeReport(reportWith(0.6), lastReport(results, 'small'), { folder: results, store: false })
    expect(second).toContain('| postgres | tip by id | 0.95 → 0.60 |')
    expect(lastReport(results, 'small')?.engines[0]?.operations[0]?.ratio?.median).toBe(0.95)
    const same = writeReport(reportWith(0.95), lastReport(results, 'small'), { folder: results, store: false })
    expect(same).toContain('1 operations, 0 with another')
  })

  test('has the targets and whether they are met', () => {
    const row = (ratio: number, title = 'each other read and write') =>
      writeReport(reportWith(ratio), null, { folder, store: false })
        .split('\n')
        .find((line) => line.includes(title))
    expect(row(0.95)).toMatch(/0\.8 or more \| 1 of 1; lowest 0\.95 \| yes \|$/)
    expect(writeReport(reportWith(0.6), null, { folder, store: false })).toContain('- feed: it took too long')
    expect(row(0.6)).toMatch(/below: tip 0\.60\) \| \*\*no\*\* \|$/)
    expect(row(0.95, 'XML')).toMatch(/at most 1\.15 times \| 1\.09 \(tips-xml\) \| yes \|$/)
    expect(row(0.95, 'record')).toMatch(/at most 2 times \| 1\.90 \(record of a profile\) \| yes \|$/)
    expect(row(0.6, 'record')).toMatch(/2\.10 \(record of a profile\) \| \*\*no\*\* \|$/)
    expect(row(0.6, 'XML')).toMatch(/1\.16 \(tips-xml\) \| \*\*no\*\* \|$/)
  })

  test('has charts in well-formed XML', () => {
    for (const file of readdirSync(results).filter((name) => name.endsWith('.svg'))) {
      const parser = new SaxesParser()
      parser.on('error', (error) => {
        throw error
      })
      const text = readFileSync(join(results, file), 'utf8')
      parser.write(text).close()
      expect(text).toContain('prefers-color-scheme: dark')
      expect(text).not.toContain('NaN')
    }
  })
})

function reportWith(ratio: number): Report {
  const figure = (median: number) => ({ median, spread: 0.02 })
  const summary = { perSecond: figure(1000), p50: 1, p99: 2, cpu: figure(50), databaseCpu: 40 }
  const tip: OperationResult = {
    name: 'tip',
    title: 'tip by id',
    engine: 'postgres',
    service: summary,
    baseline: summary,
    statements: 1,
    ratio: figure(ratio),
  }
  const run: EngineRun = {
    engine: 'postgres',
    operations: [tip],
    emptyBaseline: null,
    settlement: null,
    start: figure(500),
    memory: { idle: 100, requests: 1000, peak: 200, after: [120, 121, 122, 123] },
    workers: null,
    recordCost: figure(ratio < 0.8 ? 2.1 : 1.9),
    failed: ratio < 0.8 ? [{ name: 'feed', why: 'it took too long' }] : [],
    growth: [
      {
        name: 'tip',
        title: 'tip by id',
        costs: [
          { size: 'tiny', cpu: figure(80) },
          { size: 'small', cpu: figure(90) },
        ],
        ratio: figure(1.12),
      },
    ],
    xml: [
      { name: 'tip-xml', ratio: figure(1.07) },
      { name: 'tips-xml', ratio: figure(ratio < 0.8 ? 1.16 : 1.09) },
    ],
  }
  return { at: '2030-01-01T00:00:00.000Z', size: 'small', seconds: 1, rounds: 1, engines: [run] }
}
