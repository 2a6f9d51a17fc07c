// Writes the results of a run: a small JSON file that the next run is compared with, and tables and charts to read.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { changes } from './changes.ts'
import { type Chart, charts } from './charts.ts'
import { engineTitle } from './engine-run.ts'
import type { Report } from './report.ts'
import { failureList, growthTable, operationsTable, scenariosTable } from './tables.ts'
import { targetsTable } from './targets.ts'

/** null: no run of this size was stored yet. */
export function lastReport(folder: string, size: string): Report | null {
  const file = join(folder, `${size}.json`)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : null
}

/** Returns the report as Markdown; `store` also writes its files. */
export function writeReport(
  report: Report,
  before: Report | null,
  { folder, store }: { folder: string; store: boolean },
): string {
  if (store) {
    const all = merged(before, report)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${report.size}.json`), `${JSON.stringify(rounded(all), null, 1)}\n`)
    writeFileSync(join(folder, `${report.size}.md`), `${markdown(all, before, charts(all))}\n`)
    for (const { file, svg } of charts(all)) writeFileSync(join(folder, file), svg)
  }
  return markdown(report, before, [])
}

function markdown(report: Report, before: Report | null, images: Chart[]): string {
  return [
    `# The ${report.size} set, measured ${report.at.slice(0, 16).replace('T', ' ')}`,
    machine(report),
    '## Targets',
    targetsTable(report),
    ...images.map(({ file, title }) => `![${title}](${file})`),
    ...report.engines.flatMap((run) => [
      `## Each operation on ${engineTitle(run)}`,
      operationsTable(run),
      failureList(run),
      scenariosTable(run),
      growthTable(run),
    ]),
    '## Changes since the last stored result',
    before === null ? 'There is none.' : changes(before, report),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** An engine that was not measured this time keeps its last results. */
function merged(before: Report | null, report: Report): Report {
  const others = before?.engines.filter(({ engine }) => !report.engines.some((run) => run.engine === engine)) ?? []
  const engines = [...report.engines, ...others].sort((one, other) => other.engine.localeCompare(one.engine))
  return { ...report, engines }
}

/** Four digits are more than the measurements are exact to. */
export function rounded<T>(value: T): T {
  const text = JSON.stringify(value, (_, one) => (typeof one === 'number' ? Number(one.toPrecision(4)) : one))
  return JSON.parse(text) as T
}

export function hardware(): string {
  const all = cpus()
  return `${all.length} × ${all[0]?.model ?? 'unknown processor'}, Node ${process.versions.node}`
}

function machine({ seconds, rounds }: Report): string {
  return `${hardware()}; ${rounds} rounds of ${seconds} s, 8 connections, alternating with the
baseline. Figures are medians of the rounds; ± is the 95 % confidence interval, by the quartiles.`
}
