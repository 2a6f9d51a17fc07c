// Each process of a service with workers sends its own spans.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { startCollector, type TestCollector } from '../harness/collector.ts'
import { newTestDatabase, type TestDatabase } from '../harness/service.ts'
import { type ServiceWithWorkers, startServiceWithWorkers, waitUntil } from '../harness/workers.ts'

let collector: TestCollector
let testDatabase: TestDatabase
let service: ServiceWithWorkers

beforeAll(async () => {
  collector = await startCollector()
  testDatabase = await newTestDatabase()
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_TRACES_SAMPLER_ARG: '0',
    TRACE_STATEMENTS_OVER_MS: '60000',
  }
  service = await startServiceWithWorkers(testDatabase, settings)
})

afterAll(async () => {
  service.child.kill('SIGKILL')
  await service.ended
  await collector.close()
  await testDatabase.remove()
})

test('requests with a sampled parent are traced by the workers that serve them; a stop sends what waits', async () => {
  const parents = Array.from({ length: 20 }, (_, index) => ({
    traceId: `${index}`.padStart(32, '4'),
    spanId: `${index}`.padStart(16, '5'),
  }))
  const member = await service.member(1)
  for (const { traceId, spanId } of parents) {
    const headers = { traceparent: `00-${traceId}-${spanId}-01` }
    await service.send('GET', `/v1/profiles/${member.profileId}`, headers)
  }
  const lines = () => service.lines().filter(({ trace_id }) => trace_id !== undefined)
  await waitUntil(() => lines().length === parents.length)
  service.child.kill('SIGTERM')
  expect(await service.ended).toBe(0)
  expect(collector.spans.map(({ traceId, parentSpanId }) => ({ traceId, spanId: parentSpanId }))).toEqual(
    expect.arrayContaining(parents),
  )
  expect(collector.spans).toHaveLength(parents.length)
  expect(
    lines()
      .map(({ trace_id, span_id }) => `${trace_id} ${span_id}`)
      .sort(),
  ).toEqual(collector.spans.map(({ traceId, spanId }) => `${traceId} ${spanId}`).sort())
  const processes = new Set(collector.spans.map(({ resource }) => resource['service.instance.id']))
  expect(processes.size).toBe(new Set(lines().map(({ worker }) => worker)).size)
  expect(processes.size).toBe(2)
})
