// Writes the result of a comparison: compare.md to read, and compare.json with every figure.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { failureList, table, twoDigits, wholeNumber } from '../report/tables.ts'
import { hardware, rounded } from '../report/write-report.ts'
import type { Figure } from '../statistics.ts'
import type { ComparedOperation } from './in-turns.ts'
import type { EngineComparison } from './run.ts'
import { targetsTable } from './targets.ts'

export type Comparison = { size: string; seconds: number; rounds: number; engines: EngineComparison[] }

/** Returns the comparison as Markdown; `store` also writes its files. */
export function writeComparison(comparison: Comparison, { folder, store }: { folder: string; store: boolean }): string {
  if (store) {
    const all = withOtherEngine(comparison, join(folder, 'compare.json'))
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'compare.json'), `${JSON.stringify(rounded(all), null, 1)}\n`)
    writeFileSync(join(folder, 'compare.md'), `${markdown(all)}\n`)
  }
  return markdown(comparison)
}

/** An engine that was not measured this time keeps its last result. */
function withOtherEngine(comparison: Comparison, file: string): Comparison {
  const last = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Comparison) : null
  const measured = comparison.engines.map(({ engine }) => engine)
  const others = last?.engines.filter(({ engine }) => last.size === comparison.size && !measured.includes(engine)) ?? []
  const engines = [...comparison.engines, ...others].sort((one, other) => other.engine.localeCompare(one.engine))
  return { ...comparison, engines }
}

function markdown(comparison: Comparison): string {
  const { size, seconds, rounds, engines } = comparison
  return [
    `# The working tree against another commit, on the ${size} set`,
    `${hardware()}; rounds of ${seconds} s, 8 connections, ${rounds} for each operation and side (more and longer ones for
writes), both sides in turns. Figures are medians of the rounds; ± is the 95 % confidence interval, by the quartiles.`,
    '## Targets',
    targetsTable(engines),
    ...engines.flatMap(engineParts),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function engineParts(run: EngineComparison): string[] {
  const { engine, at, before, after } = run
  return [
    `## ${engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'}`,
    `Measured ${at.slice(0, 16).replace('T', ' ')}. Before: ${before}. After: ${after}.`,
    operationsTable(run),
    coldFeedsTable(run),
    settlementTable(run),
    failureList(run),
  ]
}

const withSpread = ({ median, spread }: Figure) => `${median.toFixed(2)} ± ${Math.round(spread * 100)} %`
const change = (before: number | null, after: number | null, write = wholeNumber) =>
  before === null || after === null ? '' : `${write(before)} → ${write(after)}`

function operationsTable({ operations }: EngineComparison): string {
  if (operations.length === 0) return ''
  const head = ['operation', 'requests/s', 'ratio', 'p99 ms', 'CPU µs: service', 'database', 'CPU ratio', 'statements']
  return table(head, operations.map(operationCells))
}

function operationCells({ title, before, after, ratio, costRatio }: ComparedOperation): string[] {
  return [
    title,
    change(before.perSecond.median, after.perSecond.median),
    withSpread(ratio),
    change(before.p99, after.p99, twoDigits),
    change(before.cpu.median, after.cpu.median),
    change(before.databaseCpu, after.databaseCpu),
    withSpread(costRatio),
    change(before.statements, after.statements, (value) => value.toFixed(2)),
  ]
}

function coldFeedsTable({ coldFeeds, engine }: EngineComparison): string {
  if (coldFeeds.length === 0) return ''
  const of = engine === 'sqlite' ? 'CPU' : 'database'
  const head = [
    'block 100 with nothing cached',
    'CPU µs: service',
    'database',
    'CPU ratio',
    `by block 1, ${of}: before`,
  ]
  const rows = coldFeeds.map(({ title, before, after, ratio }) => [
    title,
    change(before.cold.cpu, after.cold.cpu),
    change(before.cold.databaseCpu, after.cold.databaseCpu),
    withSpread(ratio),
    `${before.times.median.toFixed(1)} ± ${Math.round(before.times.spread * 100)} %`,
    `${after.times.median.toFixed(1)} ± ${Math.round(after.times.spread * 100)} %`,
  ])
  return table([...head, 'after'], rows)
}

function settlementTable({ settlement }: EngineComparison): string {
  if (settlement === null) return ''
  const { before, after } = settlement
  const digits = (value: number) => value.toFixed(1)
  const row = (title: string, value: (side: typeof after) => number, write = digits) => [
    title,
    write(value(before)),
    write(value(after)),
  ]
  return table(
    [`settlement of ${wholeNumber(after.tips)} tips`, 'before', 'after'],
    [
      row('answered after, ms', ({ answeredAfterMs }) => answeredAfterMs, wholeNumber),
      row('last count exact after, s', ({ countedAfterMs }) => countedAfterMs / 1000),
      row('all tips updated after, s', ({ finishedAfterMs }) => finishedAfterMs / 1000),
      row('readers: p50 quiet, ms', ({ quiet }) => quiet.p50),
      row('p50 during', ({ during }) => during.p50),
      row('p99 quiet', ({ quiet }) => quiet.p99),
      row('p99 during', ({ during }) => during.p99),
      row('p99 of the worst window during', ({ during }) => during.worstP99),
    ],
  )
}
