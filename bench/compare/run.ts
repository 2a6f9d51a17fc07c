// One comparison on one engine: both sides with their own code, data and servers.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  type DataLocation,
  type DataSet,
  type Engine,
  type EngineName,
  postgresEngine,
  sqliteEngine,
} from '../data/data-sets.ts'
import { sizes } from '../data/sizes.ts'
import type { Pace, TestBed } from '../measure.ts'
import type { Operation } from '../operations/operation.ts'
import { feeds, reads } from '../operations/reads.ts'
import { needsGateway, writes } from '../operations/writes.ts'
import { type Mode, pathOf, type ServerProcess, startGateway, startPaddock } from '../processes.ts'
import { isSelected } from '../run.ts'
import { IMPORT_TITLE, importInto, newEvents, serviceFeed } from '../scenarios/feed-import.ts'
import { measureSettlement, type Settlement } from '../scenarios/settlement.ts'
import type { Checkout } from './checkout.ts'
import { type ComparedColdFeed, coldFeeds, compareColdFeed } from './cold-feed.ts'
import {
  type ComparedOperation,
  compareOperation,
  compareRoundsOf,
  forEachSide,
  type SideName,
  type Sides,
} from './in-turns.ts'
import type { CompareOptions } from './options.ts'

export type EngineComparison = {
  engine: EngineName
  at: string
  /** The commits. */
  before: string
  after: string
  operations: ComparedOperation[]
  coldFeeds: ComparedColdFeed[]
  settlement: Sides<Settlement> | null
  /** A benchmark that fails does not stop the others. */
  failed: { name: string; why: string }[]
}

const operations: Operation[] = [...reads, ...feeds, ...writes]
const USUAL_OPERATIONS = [
  'profile-ticket',
  'followers',
  'tips-of-profile',
  'feed-200-R-1',
  'feed-200-L-1',
  'feed-200-E-1',
  'follow',
  'create-tip',
  'like',
  'deposit',
]
const SCENARIOS = [...coldFeeds.map(({ name }) => name), 'import', 'settlement']
const USUAL = [...USUAL_OPERATIONS, ...SCENARIOS]

export function comparableNames(): { name: string; usual: boolean }[] {
  return [...operations.map(({ name }) => name), ...SCENARIOS].map((name) => ({ name, usual: USUAL.includes(name) }))
}

export function isWanted(only: string[], name: string): boolean {
  return only.length === 0 ? USUAL.includes(name) : isSelected(only, name)
}

type Log = (line: string) => void
export type Compared = { checkout: Checkout; commits: Sides<string>; options: CompareOptions; log: Log }
type LocatedSet = { set: DataSet; location: DataLocation }
type Run = Compared & { engines: Sides<Engine>; sets: Sides<LocatedSet>; results: EngineComparison }

type Opening = Pick<Compared, 'checkout'> & { options: { data: string } }

/**
 * Two servers of PostgreSQL, so that the processor time of each side is its own. `opened` gets each engine as it starts, so that the
 * caller can close it however the run ends.
 */
export async function openEngines(
  name: EngineName,
  { checkout, options }: Opening,
  opened: Engine[],
): Promise<Sides<Engine>> {
  const open = async (folder: string, code?: Checkout['fillCode']): Promise<Engine> => {
    mkdirSync(folder, { recursive: true })
    const engine = name === 'sqlite' ? sqliteEngine(folder, code) : await postgresEngine(folder, code)
    opened.push(engine)
    return engine
  }
  return { before: await open(join(options.data, 'before'), checkout.fillCode), after: await open(options.data) }
}

export function emptyResults(engine: EngineName, sides: Sides<string>): EngineComparison {
  return {
    engine,
    at: new Date().toISOString(),
    ...sides,
    operations: [],
    coldFeeds: [],
    settlement: null,
    failed: [],
  }
}

export async function compareOn(name: EngineName, compared: Compared, opened: Engine[]): Promise<EngineComparison> {
  const { commits, options } = compared
  const engines = await openEngines(name, compared, opened)
  const results = emptyResults(name, commits)
  const sets = await forEachSide((side) => engines[side].dataSet(sizes[options.size]))
  const run = { ...compared, engines, sets, results }
  await compareReads(run)
  await compareWrites(run)
  return results
}

async function compareReads(run: Run): Promise<void> {
  const selected = [...reads, ...feeds].filter(({ name }) => isWanted(run.options.only, name))
  if (selected.length === 0) return
  const locations = { before: run.sets.before.location, after: run.sets.after.location }
  await withServices(run, { locations }, async (beds) => {
    for (const operation of selected) await compareOne(run, operation, beds, run.options)
  })
}

/** Writes wait for the disk, which varies more from round to round. */
const WRITE_ROUNDS_FACTOR = 2
/** Deposits are captured once a second: fewer and longer rounds. */
const DEPOSIT_FACTOR = 15

export function paceOf(operation: Operation, { seconds, rounds }: Pace): Pace {
  if (!needsGateway(operation)) return { seconds, rounds: rounds * WRITE_ROUNDS_FACTOR }
  return { seconds: seconds * DEPOSIT_FACTOR, rounds: Math.max(2, Math.round(rounds / 3)) }
}

/** Cold blocks and imports: a round takes half a second and more. */
const roundsOfLongOnes = ({ rounds }: Pace) => Math.max(2, Math.round(rounds / 3))

async function compareWrites(run: Run): Promise<void> {
  const { engines, options } = run
  const selected = writes.filter(({ name }) => isWanted(options.only, name))
  const scenarios = SCENARIOS.filter((name) => isWanted(options.only, name))
  if (selected.length === 0 && scenarios.length === 0) return
  run.log('copying the data sets for writes')
  const copies = await forEachSide((side) => engines[side].scratch(sizes[options.size]))
  const compareEach = async (operations: Operation[], beds: Sides<TestBed>) => {
    for (const operation of operations) await compareOne(run, operation, beds, paceOf(operation, options))
  }
  const deposits = selected.filter(needsGateway)
  await withServices(run, { locations: copies }, async (beds) => {
    await compareEach(
      selected.filter((one) => !needsGateway(one)),
      beds,
    )
    for (const feed of coldFeeds.filter(({ name }) => scenarios.includes(name))) {
      await attempt(run, feed.name, async () => {
        const result = await compareColdFeed(feed, beds, { ...options, rounds: roundsOfLongOnes(options) })
        if (result === null) return
        run.results.coldFeeds.push(result)
        const [before, after] = [result.before, result.after].map(({ times }) => times.median.toFixed(1))
        run.log(`${feed.name.padEnd(24)} block 100 cold by block 1: ${before} → ${after}`)
      })
    }
    if (scenarios.includes('import')) await attempt(run, 'import', () => compareImport(run, beds))
    if (scenarios.includes('settlement')) await attempt(run, 'settlement', () => compareSettlement(run, beds, copies))
  })
  if (deposits.length === 0) return
  await withServices(run, { locations: copies, mode: 'sandbox' }, (beds) => compareEach(deposits, beds))
}

async function compareOne(run: Run, operation: Operation, beds: Sides<TestBed>, pace: Pace): Promise<void> {
  await attempt(run, operation.name, async () => {
    const result = await compareOperation(operation, beds, pace)
    if (result !== null) addOperation(run, result)
  })
}

/** Lines of one import. */
const IMPORT_LINES = 2_000

async function compareImport(run: Run, beds: Sides<TestBed>): Promise<void> {
  const { options } = run
  const lines = Math.ceil(IMPORT_LINES * Math.min(1, options.seconds * options.rounds))
  const nextLines = { before: newEvents(lines), after: newEvents(lines) }
  const importOnce = (side: SideName) => {
    const { service, databasePid } = beds[side].servers
    return importInto(serviceFeed(service), nextLines[side](), databasePid)
  }
  await forEachSide(importOnce)
  const rounds = roundsOfLongOnes(options)
  addOperation(run, await compareRoundsOf({ name: 'import', title: IMPORT_TITLE, beds, rounds, run: importOnce }))
}

const MAX_WINDOW_SECONDS = 2.5

async function compareSettlement(run: Run, beds: Sides<TestBed>, copies: Sides<DataLocation>): Promise<void> {
  const { seconds, rounds } = run.options
  const window = Math.min(MAX_WINDOW_SECONDS, seconds * rounds)
  const result = await forEachSide((side) => measureSettlement(beds[side], copies[side].address, window))
  run.results.settlement = result
  const each = [result.before, result.after].map(({ countedAfterMs, quiet, during }) => {
    return `${(countedAfterMs / 1000).toFixed(1)} s, p99 ${quiet.p99.toFixed(1)} → ${during.p99.toFixed(1)} ms`
  })
  run.log(`settlement of ${result.after.tips} tips: before ${each[0]}; after ${each[1]}`)
}

export function addOperation({ results, log }: Pick<Run, 'results' | 'log'>, result: ComparedOperation): void {
  results.operations.push(result)
  const { name, before, after, ratio, costRatio } = result
  const perSecond = `${before.perSecond.median.toFixed(0)} → ${after.perSecond.median.toFixed(0)}/s`
  const ratios = `ratio ${ratio.median.toFixed(2)} ± ${(ratio.spread * 100).toFixed(0)} %, CPU ${costRatio.median.toFixed(2)}`
  const statements = `statements ${before.statements.toFixed(2)} → ${after.statements.toFixed(2)}`
  log(`${name.padEnd(24)} ${perSecond}  ${ratios}  ${statements}`)
}

export async function attempt(
  { results, log }: Pick<Run, 'results' | 'log'>,
  name: string,
  benchmark: () => Promise<void>,
): Promise<void> {
  try {
    await benchmark()
  } catch (error) {
    const why = (error as Error).message
    results.failed.push({ name, why: why.slice(0, 800) })
    log(`${name} FAILED: ${why}`)
  }
}

/**
 * In the sandbox each has a gateway of its own: both number their deposits alike, and a gateway answers a number it knows as a
 * repetition.
 */
export async function withServices(
  { engines, sets, checkout }: Pick<Run, 'engines' | 'sets' | 'checkout'>,
  { locations, mode = 'production' }: { locations: Sides<DataLocation>; mode?: Mode },
  work: (beds: Sides<TestBed>) => Promise<void>,
): Promise<void> {
  const running: ServerProcess[] = []
  const roots = { before: checkout.root, after: pathOf('..') }
  const startSide = async (side: SideName): Promise<TestBed> => {
    const engine = engines[side]
    const gateway = mode === 'sandbox' ? await startGateway(roots[side]) : null
    if (gateway !== null) running.push(gateway)
    const ofGateway = gateway === null ? {} : { SANDBOX_GATEWAY_URL: `http://127.0.0.1:${gateway.port}` }
    const service = await startPaddock({ ...locations[side].settings, ...ofGateway }, { mode, root: roots[side] })
    running.push(service)
    const { set } = sets[side]
    return { engine: engine.name, set, servers: { service, baseline: null, databasePid: engine.pid } }
  }
  try {
    await work(await forEachSide(startSide))
  } finally {
    for (const server of running.reverse()) await server.stop()
  }
}
