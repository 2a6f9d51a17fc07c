// What a run found, written down: a small JSON file that the next run is compared with, a table and charts to read.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import type { EngineRun } from '../run.ts'
import { changes } from './changes.ts'
import { type Chart, charts } from './charts.ts'
import { failures, growthTable, operationsTable, othersTable } from './tables.ts'
import { dues } from './targets.ts'

export type Report = {
  at: string
  size: string
  seconds: number
  rounds: number
  engines: EngineRun[]
}

/** null: nothing of this size was kept yet. */
export function lastResult(folder: string, size: string): Report | null {
  const file = join(folder, `${size}.json`)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : null
}

/** Answers the text; with `keep` all is written down, as the last result of its size. */
export function writeReport(
  report: Report,
  before: Report | null,
  { folder, keep }: { folder: string; keep: boolean },
) {
  if (keep) {
    const whole = merged(before, report)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${report.size}.json`), `${JSON.stringify(rounded(whole), null, 1)}\n`)
    writeFileSync(join(folder, `${report.size}.md`), `${inWords(whole, before, charts(whole))}\n`)
    for (const { file, svg } of charts(whole)) writeFileSync(join(folder, file), svg)
  }
  return inWords(report, before, [])
}

function inWords(report: Report, before: Report | null, pictures: Chart[]): string {
  return [
    `# The ${report.size} set, measured ${report.at.slice(0, 16).replace('T', ' ')}`,
    machine(report),
    '## Due and measured',
    dues(report),
    ...pictures.map(({ file, title }) => `![${title}](${file})`),
    ...report.engines.flatMap((run) => [
      `## Each operation on ${run.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'}`,
      operationsTable(run),
      failures(run),
      othersTable(run),
      growthTable(run),
    ]),
    '## Against the last kept result',
    before === null ? 'There was none.' : changes(before, report),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** An engine that was not measured this time keeps what was found last. */
function merged(before: Report | null, report: Report): Report {
  const others = before?.engines.filter(({ engine }) => !report.engines.some((run) => run.engine === engine)) ?? []
  const engines = [...report.engines, ...others].sort((one, other) => other.engine.localeCompare(one.engine))
  return { ...report, engines }
}

/** Four digits say all that a measurement can. */
function rounded<T>(value: T): T {
  const text = JSON.stringify(value, (_, one) => (typeof one === 'number' ? Number(one.toPrecision(4)) : one))
  return JSON.parse(text) as T
}

function machine({ seconds, rounds }: Report): string {
  const all = cpus()
  return `${all.length} × ${all[0]?.model ?? 'unknown processor'}, Node ${process.versions.node}; rounds: ${rounds} of ${seconds} s, 8 connections, in
turns with the floor. Figures are the middle of the rounds; ± is how sure it is, by the quartiles.`
}
