import { expect, test } from 'vitest'
import { prometheusText } from '../../src/platform/observability/metric-snapshot.ts'
import { createMetrics } from '../../src/platform/observability/metrics.ts'
import { metric } from '../harness/metric.ts'

const results = (text: string) =>
  ['good', 'refused', 'failed'].map((result) => metric(text, `paddock_answers_total{result="${result}"}`))

test('answers are counted by result from the start, without probes', () => {
  const metrics = createMetrics()
  expect(results(prometheusText(metrics.peek()))).toEqual([0, 0, 0])
  metrics.request('getProfile', 200, '', 0.1)
  metrics.request('createDeposit', 200, '24012', 0.1)
  metrics.request('getProfile', 404, '10071', 0.1)
  metrics.request('none', 401, '', 0.1)
  metrics.request('getProfile', 500, '10000', 0.1)
  metrics.request('health', 503, '', 0.1)
  metrics.request('metrics', 200, '', 0.1)
  expect(results(prometheusText(metrics.peek()))).toEqual([1, 3, 1])
  metrics.close()
})
