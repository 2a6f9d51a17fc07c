// The targets and the measured figures beside them. A row that was not measured says so.

import { feeds, reads } from '../operations/reads.ts'
import { writes } from '../operations/writes.ts'
import type { EngineRun } from '../run.ts'
import { cpuCost, engineTitle } from './engine-run.ts'
import type { Report } from './report.ts'
import { table } from './tables.ts'

type TargetRow = { title: string; target: string; measured: string; met: boolean | null }

export function targetsTable(report: Report): string {
  const rows = report.engines.flatMap(rowsOf)
  return table(
    ['what', 'target', 'measured', 'met'],
    rows.map(({ title, target, measured, met }) => [
      title,
      target,
      measured,
      met === null ? '–' : met ? 'yes' : '**no**',
    ]),
  )
}

const TARGETS = new Map([...reads, ...feeds, ...writes].map(({ name, target }) => [name, target]))

function rowsOf(run: EngineRun): TargetRow[] {
  const rows = [
    ...(run.engine === 'postgres' ? baselineRows(run) : [emptyBaselineRow(run)]),
    ...feedRows(run),
    xmlRow(run),
    recordRow(run),
    growthRow(run),
    ...scenarioRows(run),
    ...(run.failed.length === 0 ? [] : [failedRow(run)]),
  ]
  return rows.map((row) => ({ ...row, title: `${engineTitle(run)}: ${row.title}` }))
}

function failedRow({ failed }: EngineRun): TargetRow {
  const names = failed.map(({ name }) => name).join(', ')
  return { title: 'no benchmark fails', target: 'none', measured: names, met: false }
}

const NOT_MEASURED = { measured: 'not measured', met: null }

function baselineRows({ operations }: EngineRun): TargetRow[] {
  return [0.8, 0.9].map((least) => {
    const measuredOnes = operations.filter(({ name, ratio }) => ratio !== null && (TARGETS.get(name) ?? 0.8) === least)
    const title = `each ${least === 0.9 ? 'feed and list' : 'other read and write'} against the baseline`
    const target = `${least} or more`
    if (measuredOnes.length === 0) return { title, target, ...NOT_MEASURED }
    const ratios = measuredOnes.map(({ name, ratio }) => ({ name, ratio: ratio?.median ?? 0 }))
    const below = ratios.filter(({ ratio }) => ratio < least)
    const names = below.map(({ name, ratio }) => `${name} ${ratio.toFixed(2)}`).join(', ')
    const lowest = Math.min(...ratios.map(({ ratio }) => ratio)).toFixed(2)
    const met = `${ratios.length - below.length} of ${ratios.length}; lowest ${lowest}`
    return { title, target, measured: names === '' ? met : `${met} (below: ${names})`, met: below.length === 0 }
  })
}

function emptyBaselineRow({ emptyBaseline }: EngineRun): TargetRow {
  const row = {
    title: 'profile read with key, secret and ticket, against `node:http` that answers `{}`',
    target: '0.6 or more',
  }
  const ratio = emptyBaseline?.ratio?.median
  return ratio === undefined ? { ...row, ...NOT_MEASURED } : { ...row, measured: ratio.toFixed(2), met: ratio >= 0.6 }
}

type CostRatio = { name: string; ratio: number }

/** The highest cost of the first operation of a pair, by the cost of the second. */
function highestRatio({ operations }: EngineRun, pairs: [string, string][]): CostRatio | null {
  const ratios = pairs.flatMap(([name, other]) => {
    const [first, second] = [name, other].map((wanted) => operations.find((operation) => operation.name === wanted))
    return first === undefined || second === undefined ? [] : [{ name, ratio: cpuCost(first) / cpuCost(second) }]
  })
  return highest(ratios)
}

function highest(ratios: readonly CostRatio[]): CostRatio | null {
  return ratios.reduce<CostRatio | null>((most, one) => (one.ratio > (most?.ratio ?? 0) ? one : most), null)
}

function atMost(title: string, limit: number, found: CostRatio | null): TargetRow {
  const row = { title, target: `at most ${limit} times` }
  if (found === null) return { ...row, ...NOT_MEASURED }
  return { ...row, measured: `${found.ratio.toFixed(2)} (${found.name})`, met: found.ratio <= limit }
}

function feedRows(run: EngineRun): TargetRow[] {
  const orders = ['R', 'L', 'E']
  const many = orders.map((order): [string, string] => [`feed-20000-${order}-1`, `feed-10-${order}-1`])
  const deep = feeds
    .filter(({ name }) => name.endsWith('-100'))
    .map(({ name }): [string, string] => [name, name.replace(/100$/, '1')])
  return [
    atMost('home feed at 20,000 followings against 10, CPU', 6, highestRatio(run, many)),
    atMost('home feed, block 100 against block 1, CPU', 3, highestRatio(run, deep)),
  ]
}

function xmlRow({ xml }: EngineRun): TargetRow {
  const ratios = xml.map(({ name, ratio }) => ({ name, ratio: ratio.median }))
  return atMost('XML against JSON, same operation, CPU', 1.15, highest(ratios))
}

/** A run that was stored before there were records has none. */
function recordRow({ recordCost }: Partial<Pick<EngineRun, 'recordCost'>>): TargetRow {
  const found = recordCost && { name: 'record of a profile', ratio: recordCost.median }
  return atMost('record against a profile read, CPU', 2, found ?? null)
}

/**
 * 1,000 followings are a tenth of the profiles of small and a hundredth of those of medium, so that a block is found ten
 * times as soon in small. That is another feed and not the same one grown: it is reported, but has no target.
 */
const DENSER_ON_SMALL = /^feed-1000-/

function growthRow({ growth }: EngineRun): TargetRow {
  const ratios = growth.map(({ name, ratio }) => ({ name, ratio: ratio.median }))
  const sizes = growth[0]?.costs.map(({ size }) => size)
  const span = `${sizes?.at(-1) ?? 'medium'} against ${sizes?.[0] ?? 'small'}`
  const title = `CPU of a request, ${span}, single rows and first pages`
  const row = atMost(title, 1.3, highest(ratios.filter(({ name }) => !DENSER_ON_SMALL.test(name))))
  const denser = highest(ratios.filter(({ name }) => DENSER_ON_SMALL.test(name)))
  if (denser === null) return row
  return { ...row, measured: `${row.measured}; not the same feed: ${denser.name} ${denser.ratio.toFixed(2)}` }
}

/** How far memory after the last quarter of the requests may lie above the second: collections vary this much. */
const NOISE = 1.1

const MAX_SECONDS_TO_COUNT = 12

function scenarioRows({ settlement, start, memory, workers }: EngineRun): TargetRow[] {
  const last = memory?.after.at(-1) ?? 0
  const growth = (memory === null ? 0 : last / (memory.after[1] ?? last)).toFixed(2)
  return [
    atMost(
      'reads while a crowded market settles, p99 against quiet',
      3,
      settlement && { name: `${settlement.tips} tips`, ratio: settlement.during.p99 / settlement.quiet.p99 },
    ),
    {
      title: 'settlement of a crowded market until every count is exact',
      target: `at most ${MAX_SECONDS_TO_COUNT} s`,
      ...(settlement === null
        ? NOT_MEASURED
        : {
            measured: `${(settlement.countedAfterMs / 1000).toFixed(1)} s (${settlement.tips} tips)`,
            met: settlement.countedAfterMs <= MAX_SECONDS_TO_COUNT * 1000,
          }),
    },
    {
      title: '2 workers against 2 services of one worker, requests per CPU second',
      target: '0.95 or more',
      ...(workers === null
        ? NOT_MEASURED
        : {
            measured: `${workers.ratio.median.toFixed(2)} (${workers.ratioToAlone.median.toFixed(2)} against one alone)`,
            met: workers.ratio.median >= 0.95,
          }),
    },
    {
      title: 'memory idle after start',
      target: 'under 150 MB',
      ...(memory === null ? NOT_MEASURED : { measured: `${Math.round(memory.idle)} MB`, met: memory.idle < 150 }),
    },
    {
      title: 'memory after an hour’s worth of requests',
      target: 'no growth beyond noise',
      ...(memory === null
        ? NOT_MEASURED
        : {
            measured: `${Math.round(last)} MB after a garbage collection, ${growth} times that at half`,
            met: Number(growth) <= NOISE,
          }),
    },
    {
      title: 'start to ready on an existing database',
      target: 'under 0.7 s',
      ...(start === null
        ? NOT_MEASURED
        : { measured: `${(start.median / 1000).toFixed(2)} s`, met: start.median < 700 }),
    },
  ]
}
