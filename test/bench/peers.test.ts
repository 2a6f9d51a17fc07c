// The comparison with other servers, as far as it needs none of them: requests, the choice of pairs, the report.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SaxesParser } from 'saxes'
import { afterAll, describe, expect, test } from 'vitest'
import type { DataSet } from '../../bench/data/data-sets.ts'
import { sizes } from '../../bench/data/sizes.ts'
import type { Call, Operation } from '../../bench/operations/operation.ts'
import { type SharedResult, sharedOperations, type Targets, targetsOf } from '../../bench/peers/measure.ts'
import { parse } from '../../bench/peers/parse.ts'
import { postgraphile } from '../../bench/peers/postgraphile.ts'
import { readmeTable } from '../../bench/peers/readme.ts'
import { type PeersReport, writePeersReport } from '../../bench/peers/report.ts'

const folder = mkdtempSync(join(tmpdir(), 'paddock-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const set: DataSet = { size: sizes.tiny, samples: { tips: [100, 200, 300] } }
const callsOf = (operation: Operation) => operation.calls(set) as (connection: number) => Call
const partsOf = ({ baselinePath }: Call) => baselinePath.split('/').slice(1)

describe('shared operations', () => {
  test.each(sharedOperations(new Set()))(
    '$name has a request of each peer, but PostGraphile none for the feed',
    (operation) => {
      const next = callsOf(operation)
      for (let count = 0; count < 2; count++) {
        const [handler = '', ...values] = partsOf(next(0))
        const requests = [postgraphile, parse].map((peer) => peer.request(handler, values)?.toString())
        expect(requests.map((text) => text === undefined)).toEqual([handler === 'feed', false])
        for (const text of requests.filter((text) => text !== undefined)) {
          const [head = '', body = ''] = text.split('\r\n\r\n')
          expect(Number(/content-length: (\d+)/.exec(head)?.[1] ?? 0)).toBe(Buffer.byteLength(body))
          expect(decodeURIComponent(text)).toContain(`${values[handler.endsWith('like') ? 1 : 0]}`)
        }
      }
    },
  )

  test('reads have their target with 8 connections, writes with 64', () => {
    const operations = sharedOperations(new Set())
    const of = (name: string, connections: number) =>
      targetsOf(operations.find((operation) => operation.name === name) as Operation, connections)
    expect([of('followers', 8), of('like', 8)]).toEqual([
      [3, 3],
      [null, null],
    ])
    expect([of('create-tip', 64), of('like', 64), of('follow-hot', 64)]).toEqual([
      [1, null],
      [1.5, 2],
      [1.5, 2],
    ])
  })

  test('no two connections have the same writer', () => {
    for (const operation of sharedOperations(new Set()).filter(({ sequenceLength }) => sequenceLength === 2)) {
      const next = operation.calls(set, 25) as (connection: number) => Call
      const writers = Array.from({ length: 25 }, (_, connection) => next(connection).customer)
      expect(new Set(writers).size).toBe(25)
    }
  })

  test('a follow that exists already is left out, with its opposite', () => {
    const plain = callsOf(sharedOperations(new Set()).find(({ name }) => name === 'follow') as Operation)
    const paths = Array.from({ length: 6 }, () => plain(0).baselinePath)
    const existing = new Set([`${paths[0]}`, `${paths[2]}`])
    const next = callsOf(sharedOperations(existing).find(({ name }) => name === 'follow') as Operation)
    expect([next(0).baselinePath, next(0).baselinePath]).toEqual([paths[4], paths[5]])
  })
})

describe('answers', () => {
  test('of PostGraphile fail by their errors, those of Parse Server by their status', () => {
    expect(postgraphile.isExpected(200, '{"data":{"profile":null}}')).toBe(true)
    expect(postgraphile.isExpected(200, '{"data":null,"errors":[]}')).toBe(false)
    expect([200, 201, 404].map((status) => parse.isExpected(status, ''))).toEqual([true, true, false])
  })

  test('have ids', () => {
    expect(postgraphile.ids({ data: { profile: { id: '7' } } })).toEqual(['7'])
    expect(postgraphile.ids({ data: { list: { nodes: [{ id: '1' }, { profile: { id: '2' } }] } } })).toEqual(['1', '2'])
    expect(parse.ids({ objectId: '7' })).toEqual(['7'])
    expect(parse.ids({ results: [{ objectId: '1' }, { objectId: '3-2', follower: { objectId: '3' } }] })).toEqual([
      '1',
      '3',
    ])
  })
})

describe('the report', () => {
  test('has the ratios, and whether each is met', () => {
    const results = [result('profile', [3, 3], [3.2, 5]), result('feed', [3, 3], [null, 2.9])]
    results.push(result('like', [1.5, 2], [1.6, 1.9]), result('tip', [null, null], [0.9, 1]))
    const text = writePeersReport(reportOf(results), folder)
    expect(text).toContain('| like | 1,000 | 625 | 1.6 ± 5 % | 526 | 1.9 ± 5 % | 1.5 and 2 | **no** |')
    expect(text).toContain('1.0 ± 5 % | – | – |')
    expect(text).toContain('| profile | 1,000 | 313 | 3.2 ± 5 % | 200 | 5.0 ± 5 % | 3 | yes |')
    expect(text).toContain('| feed | 1,000 | – | – | 345 | 2.9 ± 5 % | 3 | **no** |')
    expect(readdirSync(folder).sort()).toEqual(['peers.json', 'peers.md', 'peers.svg'])
    const labels: string[] = []
    const parser = new SaxesParser()
    parser.on('text', (label) => labels.push(label))
    parser.write(readFileSync(join(folder, 'peers.svg'), 'utf8')).close()
    expect(labels).toContain('313/s (Paddock 3.2 ×)')
    expect(labels).toContain('cannot express it')
  })
})

test('README quotes the stored result', () => {
  const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
  const stored = JSON.parse(read('bench/results/peers.json')) as PeersReport
  expect(read('README.md')).toContain(`\n\n${readmeTable(stored)}\n\n`)
})

function reportOf(results: SharedResult[]): PeersReport {
  const peers = [
    { title: 'PostGraphile', version: '5.0.0' },
    { title: 'Parse Server', version: '9.0.0' },
  ]
  return { at: '2026-01-01T00:00:00.000Z', size: 'small', seconds: 1, rounds: 1, peers, results }
}

function result(title: string, targets: Targets, ratios: (number | null)[]): SharedResult {
  const summary = (perSecond: number) => ({
    perSecond: { median: perSecond, spread: 0.05 },
    p50: 1,
    p99: 2,
    cpu: { median: 100, spread: 0.05 },
    databaseCpu: 50,
  })
  const peers = ratios.map((ratio) =>
    ratio === null ? null : { name: 'peer', summary: summary(1_000 / ratio), ratio: { median: ratio, spread: 0.05 } },
  )
  return { name: title, title, connections: 8, targets, service: summary(1_000), peers }
}
