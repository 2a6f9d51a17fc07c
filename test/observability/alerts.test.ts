// The rules of deploy/prometheus/ and the dashboard of deploy/grafana/ agree with what the service measures, with the limits of the
// health page, and with docs/operations.md. alert-programs.test.ts runs them.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DELAY, ERRORS } from '../../src/operator/health/checks.ts'
import { QUEUE_RULES } from '../../src/operator/health/queues.ts'
import { EXTRA_METRICS, prometheusText } from '../../src/platform/observability/metric-snapshot.ts'
import { createMetrics } from '../../src/platform/observability/metrics.ts'
import { dashboard, queries, rules, ruleTests } from '../harness/deployed.ts'
import { labelsByMetric, namesIn } from '../harness/promql.ts'

const operations = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')
const nameOf = ({ alert, labels }: (typeof rules)[number]) => `${alert} ${labels.severity}`

/** What a scrape adds. */
const OF_PROMETHEUS = ['job', 'instance']

/** Series that the service writes, with the names of their labels. */
function exportedSeries(): Map<string, string[]> {
  const metrics = createMetrics()
  metrics.request('getProfile', 200, '', 0.1)
  metrics.statement('some', 0.1)
  metrics.observe('paddock_deposit_guard_seconds', 0.1)
  const written = labelsByMetric(prometheusText(metrics.peek()))
  metrics.close()
  const declared = EXTRA_METRICS.map(({ name, labels }): [string, string[]] => [
    name,
    labels.split(',').filter((one) => one !== ''),
  ])
  return new Map([...declared, ...written, ['up', []]])
}

const series = exportedSeries()

test.each([
  ...rules.map((rule) => [nameOf(rule), rule.expr, rule.annotations.summary]),
  ...queries.map(({ title, expr, legendFormat }) => [`panel ${title}`, expr, legendFormat]),
])('%s names only series and labels that the service writes', (_, expression, text) => {
  const { metrics, grouped } = namesIn(`${expression}`)
  expect(metrics).not.toEqual([])
  expect(metrics.filter(({ name }) => !series.has(name))).toEqual([])
  for (const { name, labels } of metrics) {
    expect([...(series.get(name) as string[]), ...OF_PROMETHEUS]).toEqual(expect.arrayContaining(labels))
  }
  const known = [...metrics.flatMap(({ name }) => series.get(name) as string[]), ...OF_PROMETHEUS]
  const shown = [...`${text}`.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g)].map(([, label]) => `${label}`)
  expect(known).toEqual(expect.arrayContaining([...grouped, ...shown]))
})

test.each(rules.map((rule) => [nameOf(rule), rule] as const))(
  '%s has a case that fires and one that does not',
  (_, rule) => {
    const cases = ruleTests.filter(({ alertname }) => alertname === rule.alert)
    const fires = cases.map((one) =>
      one.exp_alerts.some(({ exp_labels }) => exp_labels.severity === rule.labels.severity),
    )
    expect(new Set(fires)).toEqual(new Set([true, false]))
  },
)

test('each alert says what it means, and has a paragraph in docs/operations.md', () => {
  const headings = [...operations.matchAll(/^### Alert: (\w+)$/gm)].map(([, name]) => name)
  expect(headings).toEqual([...new Set(rules.map(({ alert }) => alert))])
  for (const { alert, labels, annotations } of rules) {
    expect(labels.severity).toBeOneOf(['warning', 'critical'])
    expect(annotations).toEqual({
      summary: expect.stringMatching(/\.$/),
      description: expect.stringMatching(/\.$/),
      runbook_url: `docs/operations.md#alert-${alert.toLowerCase()}`,
    })
  }
})

const MEASURED_APART: Record<string, string> = {
  paddock_webhook_waiting_oldest_seconds: 'webhookDeliveries',
  paddock_appeals_waiting_oldest_seconds: 'appeals',
}

test('every queue of the health page has an alert with the same limits', () => {
  const limits: Record<string, Record<string, number>> = {}
  for (const { expr, labels } of rules) {
    const found = /\((paddock_\w+_waiting_oldest_seconds)(?:\{(?:kind|queue)=~?"([\w|]+)"\})?\) > (\d+)$/.exec(expr)
    if (found === null) continue
    const [, metric = '', names = MEASURED_APART[metric], limit] = found
    for (const name of `${names}`.split('|')) limits[name] = { ...limits[name], [labels.severity]: Number(limit) }
  }
  const ofPage = Object.entries(QUEUE_RULES).map(([name, { warning, critical }]) => [name, { warning, critical }])
  expect(limits).toEqual(Object.fromEntries(ofPage))
})

test('errors and the event loop have the limits of the health page', () => {
  const limitsOf = (alert: string) => {
    const found = rules.filter((rule) => rule.alert === alert)
    return found.map(({ expr, labels }) => [labels.severity, Number(/ > ([\d.]+)/.exec(expr)?.[1])])
  }
  expect(limitsOf('PaddockErrors')).toEqual([
    ['warning', ERRORS.warning],
    ['critical', ERRORS.critical],
  ])
  expect(limitsOf('PaddockEventLoopLate')).toEqual([
    ['warning', DELAY.warning / 1000],
    ['critical', DELAY.critical / 1000],
  ])
})

test('the dashboard asks the Prometheus and the installation that are chosen, and shows every metric', () => {
  expect(dashboard.templating.list.map(({ name }) => name)).toEqual(['datasource', 'job'])
  expect(new Set(queries.map(({ datasource }) => datasource.uid))).toEqual(new Set(['$' + '{datasource}']))
  const asked = queries.flatMap(({ expr }) => namesIn(expr).metrics)
  expect(asked.filter(({ labels }) => !labels.includes('job'))).toEqual([])
  const shown = new Set(asked.map(({ name }) => name.replace(/_bucket$/, '')))
  expect(EXTRA_METRICS.map(({ name }) => name).filter((name) => !shown.has(name))).toEqual([])
})
