// What the figures must show, beside what they show. A row that was not measured says so.

import type { Result } from '../comparison.ts'
import { feeds, reads } from '../operations/reads.ts'
import { writes } from '../operations/writes.ts'
import type { EngineRun } from '../run.ts'
import { table } from './tables.ts'
import type { Report } from './write-report.ts'

type Row = { what: string; due: string; measured: string; met: boolean | null }

export function dues(report: Report): string {
  const rows = report.engines.flatMap(rowsOf)
  return table(
    ['what', 'due', 'measured', 'met'],
    rows.map(({ what, due, measured, met }) => [what, due, measured, met === null ? '–' : met ? 'yes' : '**no**']),
  )
}

const LEAST = new Map([...reads, ...feeds, ...writes].map(({ name, due }) => [name, due]))

function rowsOf(run: EngineRun): Row[] {
  const name = run.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'
  const rows = [
    ...(run.engine === 'postgres' ? againstFloor(run) : againstBare(run)),
    ...feedRows(run),
    xml(run),
    level(run),
    ...others(run),
    ...(run.failed.length === 0 ? [] : [unanswered(run)]),
  ]
  return rows.map((row) => ({ ...row, what: `${name}: ${row.what}` }))
}

function unanswered({ failed }: EngineRun): Row {
  const names = failed.map(({ name }) => name).join(', ')
  return { what: 'every question has an answer', due: 'yes', measured: `not of ${names}`, met: false }
}

const NOTHING = { measured: 'not asked', met: null }

function againstFloor({ operations }: EngineRun): Row[] {
  return [0.8, 0.9].map((due) => {
    const asked = operations.filter(({ name, ratio }) => ratio !== null && (LEAST.get(name) ?? 0.8) === due)
    const below = asked.filter(({ ratio }) => (ratio?.median ?? 0) < due)
    const what = due === 0.9 ? 'each feed and list against the floor' : 'each other read and write against the floor'
    if (asked.length === 0) return { what, due: `${due} or more`, ...NOTHING }
    const least = Math.min(...asked.map(({ ratio }) => ratio?.median ?? 0))
    const named = below.map(({ name, ratio }) => `${name} ${ratio?.median.toFixed(2)}`).join(', ')
    const measured = `${asked.length - below.length} of ${asked.length}; least ${least.toFixed(2)}${named === '' ? '' : ` (below: ${named})`}`
    return { what, due: `${due} or more`, measured, met: below.length === 0 }
  })
}

function againstBare({ bare }: EngineRun): Row[] {
  const row = {
    what: 'profile read with key, secret and ticket, against bare `node:http` answering `{}`',
    due: '0.6 or more',
  }
  const ratio = bare?.ratio?.median
  return [ratio === undefined ? { ...row, ...NOTHING } : { ...row, measured: ratio.toFixed(2), met: ratio >= 0.6 }]
}

const cost = ({ service: { cpu, databaseCpu } }: Result) => cpu.median + (databaseCpu ?? 0)

/** The dearest of several comparisons of two operations, each a pair of names: the first against the second. */
function worst({ operations }: EngineRun, pairs: [string, string][]): Times | null {
  const found = pairs.flatMap(([name, other]) => {
    const [one, two] = [operations.find((it) => it.name === name), operations.find((it) => it.name === other)]
    return one === undefined || two === undefined ? [] : [{ name, times: cost(one) / cost(two) }]
  })
  return dearest(found)
}

type Times = { name: string; times: number }

function dearest(found: readonly Times[]): Times | null {
  return found.reduce<Times | null>((most, one) => (one.times > (most?.times ?? 0) ? one : most), null)
}

function atMost(what: string, limit: number, found: Times | null): Row {
  const row = { what, due: `at most ${limit} times` }
  if (found === null) return { ...row, ...NOTHING }
  return { ...row, measured: `${found.times.toFixed(2)} (${found.name})`, met: found.times <= limit }
}

function feedRows(run: EngineRun): Row[] {
  const orders = ['R', 'L', 'E']
  const many = orders.map((order): [string, string] => [`feed-20000-${order}-1`, `feed-10-${order}-1`])
  const deep = feeds
    .filter(({ name }) => name.endsWith('-100'))
    .map(({ name }): [string, string] => [name, name.replace(/100$/, '1')])
  return [
    atMost('home feed at 20,000 followings against 10, CPU', 6, worst(run, many)),
    atMost('home feed, block 100 against block 1, CPU', 3, worst(run, deep)),
  ]
}

function xml({ xml }: EngineRun): Row {
  const found = xml.map(({ name, times }) => ({ name, times: times.median }))
  return atMost('XML against JSON, same operation, CPU', 1.15, dearest(found))
}

/**
 * Whoever follows 1,000 of small's 10,000 profiles finds a block among the newest tips ten times as soon as one who
 * follows 1,000 of medium's 100,000: that is another feed, and not the same one grown. It is told beside the others.
 */
const DENSER_WHEN_SMALL = /^feed-1000-/

function level({ growth }: EngineRun): Row {
  const all = growth
    .map(({ name, times }) => ({ name, times: times.median }))
    .sort((one, other) => other.times - one.times)
  const found = all.filter(({ name }) => !DENSER_WHEN_SMALL.test(name))
  const denser = all.find(({ name }) => DENSER_WHEN_SMALL.test(name))
  const sizes = growth[0]?.costs.map(({ size }) => size)
  const what = `CPU of a request, ${sizes?.at(-1) ?? 'medium'} against ${sizes?.[0] ?? 'small'}, single things and first pages`
  const row = atMost(what, 1.3, found[0] ?? null)
  if (denser === undefined) return row
  return { ...row, measured: `${row.measured}; not the same feed: ${denser.name} ${denser.times.toFixed(2)}` }
}

/** How far the last quarter of the requests may lie above the second: what the collector leaves differs by so much. */
const NOISE = 1.1

function others({ settlement, start, memory, workers }: EngineRun): Row[] {
  const last = memory?.after.at(-1) ?? 0
  const times = (memory === null ? 0 : last / (memory.after[1] ?? last)).toFixed(2)
  return [
    atMost(
      'reading while a crowded market settles, p99 against quiet',
      3,
      settlement && { name: `${settlement.tips} tips`, times: settlement.during.p99 / settlement.quiet.p99 },
    ),
    {
      what: '2 workers against 1, requests per CPU second of the service, with as many processes at work',
      due: 'at least 0.95',
      ...(workers === null
        ? NOTHING
        : {
            measured: `${workers.ratio.median.toFixed(2)} (${workers.ratioToAlone.median.toFixed(2)} against one that has a processor to itself)`,
            met: workers.ratio.median >= 0.95,
          }),
    },
    {
      what: 'memory idle after start',
      due: 'under 150 MB',
      ...(memory === null ? NOTHING : { measured: `${Math.round(memory.idle)} MB`, met: memory.idle < 150 }),
    },
    {
      what: 'memory after an hour’s worth of requests',
      due: 'no growth beyond noise',
      ...(memory === null
        ? NOTHING
        : {
            measured: `${Math.round(last)} MB after a collection, ${times} times that at half`,
            met: Number(times) <= NOISE,
          }),
    },
    {
      what: 'start to ready on an existing database',
      due: 'under 0.7 s',
      ...(start === null ? NOTHING : { measured: `${(start.median / 1000).toFixed(2)} s`, met: start.median < 700 }),
    },
  ]
}
