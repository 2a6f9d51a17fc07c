// The files of deploy/prometheus/ and deploy/grafana/.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseYaml } from '@redocly/openapi-core'

export const DEPLOY = fileURLToPath(new URL('../../deploy/', import.meta.url))

export type Rule = {
  alert: string
  expr: string
  labels: { severity: 'warning' | 'critical' }
  annotations: { summary: string; description: string; runbook_url: string }
}
type RuleTest = {
  alert_rule_test: { alertname: string; exp_alerts: { exp_labels: { severity: string } }[] }[]
}
export type Panel = {
  title: string
  type: string
  targets?: { expr: string; legendFormat: string; datasource: { uid: string } }[]
}
export type Dashboard = { panels: Panel[]; templating: { list: { name: string; type: string }[] } }

const read = (file: string) => readFileSync(DEPLOY + file, 'utf8')

const parsedRules = parseYaml(read('prometheus/paddock.rules.yml')) as { groups: { rules: Rule[] }[] }
export const rules: Rule[] = parsedRules.groups.flatMap((group) => group.rules)

export const ruleTests = (parseYaml(read('prometheus/paddock.rules.test.yml')) as { tests: RuleTest[] }).tests.flatMap(
  (one) => one.alert_rule_test,
)

export const dashboard = JSON.parse(read('grafana/paddock.json')) as Dashboard
export const queries = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map((target) => ({ title, ...target })),
)
