// The targets that a comparison is measured by: those of the change from 8ae8e46 on, mostly as ratios to the code before.

import { table } from '../report/tables.ts'
import type { Settlement } from '../scenarios/settlement.ts'
import type { Figure } from '../statistics.ts'
import type { ComparedOperation } from './in-turns.ts'
import type { EngineComparison } from './run.ts'

/** `near`: not met, but the target lies within the 95 % interval. */
type Verdict = 'yes' | 'near' | 'no' | 'not measured'
type TargetRow = { title: string; target: string; before: string; after: string; verdict: Verdict }

const VERDICTS = { yes: 'yes', near: 'within the interval', no: '**no**', 'not measured': '–' }

export function targetsTable(runs: readonly EngineComparison[]): string {
  const rows = runs.flatMap((run) => rowsOf(run).map((row) => ({ ...row, engine: run.engine })))
  return table(
    ['engine', 'what', 'before', 'after', 'target', 'met'],
    rows.map(({ engine, title, before, after, target, verdict }) => [
      engine === 'sqlite' ? 'SQLite' : 'PostgreSQL',
      title,
      before,
      after,
      target,
      VERDICTS[verdict],
    ]),
  )
}

function rowsOf(run: EngineComparison): TargetRow[] {
  const ofEngine =
    run.engine === 'sqlite'
      ? [ratioRow(run, 'import', 1.5)]
      : [
          ...statementRows(run, 'like', { steps: ['like', 'unlike'], most: 2 }),
          ...statementRows(run, 'follow', { steps: ['follow', 'unfollow'], most: 2 }),
          ...statementRows(run, 'create-tip', { steps: ['create a tip'], most: 3 }),
          ...statementRows(run, 'deposit', { steps: ['deposit with capture'], most: 14 }),
          ratioRow(run, 'like', 1.8),
          ratioRow(run, 'create-tip', 1.8),
          ratioRow(run, 'deposit', 1.5),
          ratioRow(run, 'import', 12),
          databaseRow(run, 'feed-200-R-1', { before: 2.7, target: 1.2 }),
          databaseRow(run, 'feed-200-L-1', { before: 4.3, target: 2.0 }),
          databaseRow(run, 'feed-200-E-1', { before: 4.3, target: 2.0 }),
        ]
  return [...ofEngine, coldFeedRow(run), ...settlementRows(run)]
}

const NOT_MEASURED = { before: '–', after: 'not measured', verdict: 'not measured' } as const

const operationOf = ({ operations }: EngineComparison, name: string): ComparedOperation | undefined =>
  operations.find((operation) => operation.name === name)

/** With the ticket cached. `steps`: the requests of a sequence. */
function statementRows(run: EngineComparison, name: string, { steps, most }: { steps: string[]; most: number }) {
  const operation = operationOf(run, name)
  return steps.map((step, index): TargetRow => {
    const row = { title: `statements: ${step}`, target: `at most ${most}` }
    const [before, after] = [operation?.before, operation?.after].map((side) => side?.statementsOfSteps[index])
    if (before === undefined || after === undefined) return { ...row, ...NOT_MEASURED }
    return { ...row, before: `${before}`, after: `${after}`, verdict: after <= most ? 'yes' : 'no' }
  })
}

function ratioRow(run: EngineComparison, name: string, least: number): TargetRow {
  const operation = operationOf(run, name)
  const row = { title: `per second: ${operation?.title ?? name}`, target: `${least} times or more` }
  if (operation === undefined) return { ...row, ...NOT_MEASURED }
  const { before, after, ratio } = operation
  return {
    ...row,
    before: perSecond(before.perSecond),
    after: `${perSecond(after.perSecond)}: ${withSpread(ratio)} times`,
    verdict: ratio.median >= least ? 'yes' : ratio.median * (1 + ratio.spread) >= least ? 'near' : 'no',
  }
}

const perSecond = ({ median }: Figure) => Math.round(median).toLocaleString('en')
const withSpread = ({ median, spread }: Figure) => `${median.toFixed(2)} ± ${Math.round(spread * 100)} %`

/** Milliseconds depend on the machine, so the same share of the cost before meets the target as well. */
function databaseRow(run: EngineComparison, name: string, stated: { before: number; target: number }): TargetRow {
  const operation = operationOf(run, name)
  const share = stated.target / stated.before
  const row = {
    title: `database time: ${operation?.title ?? name}`,
    target: `at most ${stated.target.toFixed(1)} ms, or ${share.toFixed(2)} of before`,
  }
  const { before, after, databaseRatio: ratio } = operation ?? {}
  const [was, is] = [before?.databaseCpu, after?.databaseCpu].map((micros) => (micros ?? 0) / 1000)
  if (ratio === null || ratio === undefined || was === undefined || is === undefined) return { ...row, ...NOT_MEASURED }
  const met = is <= stated.target || ratio.median <= share
  return {
    ...row,
    before: `${was.toFixed(2)} ms`,
    after: `${is.toFixed(2)} ms: ${withSpread(ratio)} of before`,
    verdict: met ? 'yes' : ratio.median * (1 - ratio.spread) <= share ? 'near' : 'no',
  }
}

const MAX_TIMES_FIRST_BLOCK = 6

function coldFeedRow({ coldFeeds }: EngineComparison): TargetRow {
  const row = {
    title: 'home feed, block 100 with nothing cached, by block 1: the most',
    target: `at most ${MAX_TIMES_FIRST_BLOCK} times`,
  }
  const most = (side: 'before' | 'after') => {
    return coldFeeds.toSorted((one, other) => other[side].times.median - one[side].times.median)[0]
  }
  const [before, after] = [most('before'), most('after')]
  if (before === undefined || after === undefined) return { ...row, ...NOT_MEASURED }
  const { median, spread } = after.after.times
  return {
    ...row,
    before: `${before.before.times.median.toFixed(1)} (${before.name})`,
    after: `${median.toFixed(1)} ± ${Math.round(spread * 100)} % (${after.name})`,
    verdict: median <= MAX_TIMES_FIRST_BLOCK ? 'yes' : median * (1 - spread) <= MAX_TIMES_FIRST_BLOCK ? 'near' : 'no',
  }
}

const MAX_SETTLEMENT_SECONDS = 12
const MAX_TIMES_QUIET = 3

function settlementRows({ settlement }: EngineComparison): TargetRow[] {
  const duration = {
    title: `settlement of ${settlement?.after.tips.toLocaleString('en') ?? 'many'} tips, until the last count is exact`,
    target: `at most ${MAX_SETTLEMENT_SECONDS} s`,
  }
  const waiting = {
    title: 'readers meanwhile: p99 against quiet',
    target: `at most ${MAX_TIMES_QUIET} times`,
  }
  if (settlement === null) return [duration, waiting].map((row) => ({ ...row, ...NOT_MEASURED }))
  const { before, after } = settlement
  const seconds = ({ countedAfterMs }: Settlement) => countedAfterMs / 1000
  const times = ({ quiet, during }: Settlement) => during.p99 / quiet.p99
  const p99 = (side: Settlement) =>
    `${side.quiet.p99.toFixed(1)} → ${side.during.p99.toFixed(1)} ms: ${times(side).toFixed(1)} times`
  return [
    {
      ...duration,
      before: `${seconds(before).toFixed(1)} s`,
      after: `${seconds(after).toFixed(1)} s: ${(seconds(after) / seconds(before)).toFixed(2)} of before`,
      verdict: seconds(after) <= MAX_SETTLEMENT_SECONDS ? 'yes' : 'no',
    },
    { ...waiting, before: p99(before), after: p99(after), verdict: times(after) <= MAX_TIMES_QUIET ? 'yes' : 'no' },
  ]
}
