// Prometheus itself reads the files of deploy/: promtool plays the rules' cases, and a server scrapes services that have done some of
// everything, and answers every query.

import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { EXTRA_METRICS } from '../../src/platform/observability/metric-snapshot.ts'
import { newDataFolder } from '../harness/data-folder.ts'
import { DEPLOY, queries, rules } from '../harness/deployed.ts'
import { startReplicatedPostgres, type TestPostgres } from '../harness/postgres.ts'
import { hasProgram, startPrometheus } from '../harness/prometheus.ts'
import { labelsByMetric } from '../harness/promql.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { trafficOfEachKind } from '../harness/traffic-of-each-kind.ts'
import { type ServiceWithWorkers, startServiceWithWorkers } from '../harness/workers.ts'

const missing = (name: 'prometheus' | 'promtool') =>
  hasProgram(name) ? '' : `: skipped, because ${name} is not installed (Debian: the package prometheus)`
const NO_PROMTOOL = missing('promtool')
const NO_PROMETHEUS = missing('prometheus')

test.skipIf(NO_PROMTOOL !== '')(`promtool finds no mistake in the rules, and their cases hold${NO_PROMTOOL}`, () => {
  const promtool = (...words: string[]) =>
    execFileSync('promtool', words, { cwd: `${DEPLOY}prometheus`, encoding: 'utf8', stdio: 'pipe' })
  expect(promtool('check', 'config', 'prometheus.yml')).toContain(`${rules.length} rules found`)
  expect(promtool('check', 'rules', 'paddock.rules.yml')).toContain(`${rules.length} rules found`)
  expect(promtool('test', 'rules', 'paddock.rules.test.yml')).toContain('SUCCESS')
})

describe.skipIf(NO_PROMETHEUS !== '')(`a Prometheus that scrapes${NO_PROMETHEUS}`, () => {
  const folder = newDataFolder()
  const register = createServer((_, response) => response.end('{"excluded": false}'))
  let servers: { primary: TestPostgres; replica: TestPostgres }
  let withWorkers: ServiceWithWorkers
  let service: TestService
  let traffic: { close(): Promise<void> }
  let prometheus: Awaited<ReturnType<typeof startPrometheus>>

  /** Two services: one that a test can lead through everything, and one with workers, PostgreSQL and a replica. */
  beforeAll(async () => {
    await new Promise<void>((resolve) => register.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(register.address() as AddressInfo).port}/`
    // It also takes traces: what it answers is no refusal of spans.
    const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_TRACES_SAMPLER_ARG: '1' }
    const settings = { EXCLUSIONS: 'http', EXCLUSIONS_URL: url, LOG_LEVEL: 'silent', ...traces }
    service = await startTestService(settings, undefined, { sweeps: true, webhooks: true })
    servers = await startReplicatedPostgres()
    withWorkers = await startServiceWithWorkers(
      { settings: { DATA_DIR: folder }, remove: async () => {} },
      {
        DATABASE_URL: servers.primary.url,
        DATABASE_REPLICA_URLS: servers.replica.url,
        STALE_READS_UP_TO_SECONDS: '60',
      },
    )
    await withWorkers.send('GET', '/v1/profiles/1')
    prometheus = await startPrometheus([service.operatorUrl, withWorkers.operatorUrl])
  })

  afterAll(async () => {
    await prometheus?.close()
    withWorkers?.child.kill('SIGTERM')
    await withWorkers?.ended
    await servers?.replica.remove()
    await servers?.primary.remove()
    await traffic?.close()
    await service?.close()
    register.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('services that have done some of everything write every metric, with the labels that are declared', async () => {
    traffic = await trafficOfEachKind(service)
    const texts = [await (await fetch(`${service.operatorUrl}/metrics`)).text(), await withWorkers.metrics()]
    const declared = new Map(EXTRA_METRICS.map(({ name, labels }) => [name, labels]))
    const written = texts.flatMap((text) => [...labelsByMetric(text)]).filter(([name]) => declared.has(name))
    for (const [name, labels] of written) {
      expect([name, labels.join(',')]).toEqual([name, declared.get(name)])
    }
    const names = new Set(written.map(([name]) => name))
    const rest = [...declared.keys()].filter((name) => !names.has(name))
    // Its series are those of a histogram; nothing is in the way of another transaction here.
    expect(rest).toEqual(['paddock_database_conflicts_total', 'paddock_deposit_guard_seconds'])
  })

  test('every query of the dashboard answers with data', async () => {
    const withoutData = async () => {
      const empty: string[] = []
      for (const { title, expr } of queries) {
        const expression = expr.replaceAll('$__rate_interval', '1m').replaceAll('$job', 'paddock')
        const { status, error, data } = await prometheus.query(expression)
        expect([title, status, error]).toEqual([title, 'success', undefined])
        if (data.result.length === 0) empty.push(`${title}: ${expr}`)
      }
      return empty
    }
    // Rates need two scrapes.
    await vi.waitFor(async () => expect(await withoutData()).toEqual([]), { timeout: 60_000, interval: 500 })
  })

  test('every rule is evaluated without an error', async () => {
    const evaluated = await vi.waitFor(
      async () => {
        const found = await prometheus.rules()
        expect(found.filter(({ health }) => health === 'unknown')).toEqual([])
        return found
      },
      { timeout: 60_000, interval: 500 },
    )
    const seen = evaluated.map(({ name, health, lastError = '' }) => [name, health, lastError])
    // Groups are in the order of their names.
    expect(seen.toSorted()).toEqual(rules.map(({ alert }) => [alert, 'ok', '']).toSorted())
    for (const { expr } of rules) expect((await prometheus.query(expr)).status).toBe('success')
  })
})
