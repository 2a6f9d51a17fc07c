// One run on one engine: which servers run on which copy of the data, and what is measured on them.

import type { OperationResult } from './comparison.ts'
import {
  type DataLocation,
  type DataSet,
  type Engine,
  type EngineName,
  postgresEngine,
  sqliteEngine,
} from './data/data-sets.ts'
import { type SizeName, sizes } from './data/sizes.ts'
import { type Growth, measure, measureGrowth, measureOverStarts, measurePair, type TestBed } from './measure.ts'
import type { Operation } from './operations/operation.ts'
import { anonymousProfile, feeds, profileWithTicket, reads, record } from './operations/reads.ts'
import { needsGateway, writes } from './operations/writes.ts'
import type { Options } from './options.ts'
import { startEmptyBaseline, startPaddock } from './processes.ts'
import { feedImports } from './scenarios/feed-import.ts'
import { type Memory, measureMemory, measureStart, measureWorkers, type Workers } from './scenarios/process-costs.ts'
import { measureSettlement, type Settlement } from './scenarios/settlement.ts'
import { withServers } from './servers.ts'
import type { Figure } from './statistics.ts'

export type EngineRun = {
  engine: EngineName
  operations: OperationResult[]
  /** A profile read with ticket, beside a server that answers `{}`. */
  emptyBaseline: OperationResult | null
  settlement: Settlement | null
  start: Figure | null
  memory: Memory | null
  workers: Workers | null
  growth: ({ name: string; title: string } & Growth)[]
  /** Cost of XML by cost of JSON, for each read that is measured in both. */
  xml: { name: string; ratio: Figure }[]
  /** Cost of a record by cost of a profile read. */
  recordCost: Figure | null
  /** A benchmark that fails does not stop the others. */
  failed: { name: string; why: string }[]
}

const operations: Operation[] = [...reads, ...feeds, ...writes]
const RECORD_COST = 'record-against-profile'
const OTHER_BENCHMARKS = [
  'empty-baseline',
  'xml',
  RECORD_COST,
  'import',
  'movements',
  'settlement',
  'start',
  'memory',
  'workers',
]

export function benchmarkNames(): string[] {
  return [...operations.map(({ name }) => name), ...OTHER_BENCHMARKS]
}

/** `only`: names, or the first words of names; empty selects everything. */
export function isSelected(only: string[], name: string): boolean {
  return only.length === 0 || only.some((prefix) => name === prefix || name.startsWith(`${prefix}-`))
}

type Run = { engine: Engine; options: Options; set: DataSet; results: EngineRun; log: (line: string) => void }

export async function runOn(name: EngineName, options: Options, log: (line: string) => void): Promise<EngineRun> {
  const engine = name === 'sqlite' ? sqliteEngine(options.data) : await postgresEngine(options.data)
  const results: EngineRun = {
    engine: name,
    operations: [],
    emptyBaseline: null,
    settlement: null,
    start: null,
    memory: null,
    workers: null,
    growth: [],
    xml: [],
    recordCost: null,
    failed: [],
  }
  try {
    const { set, location } = await engine.dataSet(sizes[options.size])
    const run = { engine, options, set, results, log }
    await measureReads(run, location)
    await measureEmptyBaseline(run, location)
    await measureWrites(run)
    await measureProcess(run, location)
    if (options.growth.length > 0) await measureAllGrowth(run)
  } finally {
    await engine.close()
  }
  return results
}

async function attempt({ results, log }: Run, name: string, benchmark: () => Promise<void>): Promise<void> {
  try {
    await benchmark()
  } catch (error) {
    const why = (error as Error).message
    results.failed.push({ name, why: why.slice(0, 800) })
    log(`${name} FAILED: ${why}`)
  }
}

const secondsPerServer = ({ seconds, rounds }: Options): number => seconds * rounds

async function measureReads(run: Run, location: DataLocation): Promise<void> {
  const { engine, options, set } = run
  const selected = [...reads, ...feeds].filter(({ name }) => isSelected(options.only, name))
  const withXml = isSelected(options.only, 'xml')
  const withRecordCost = isSelected(options.only, RECORD_COST)
  if (selected.length === 0 && !withXml && !withRecordCost) return
  await withServers({ engine, set, location }, async (bed) => {
    await measureEach(run, selected, bed)
    if (withXml) await measureXml(run, bed)
    if (withRecordCost) await measureRecordCost(run, bed)
  })
}

async function measureRecordCost(run: Run, bed: TestBed): Promise<void> {
  await attempt(run, RECORD_COST, async () => {
    run.results.recordCost = await costOfPair(run, [record, anonymousProfile], bed)
  })
}

async function measureXml(run: Run, bed: TestBed): Promise<void> {
  const { results } = run
  for (const xml of reads.filter(({ name }) => name.endsWith('-xml'))) {
    const json = reads.find(({ name }) => `${name}-xml` === xml.name) as Operation
    await attempt(run, 'xml', async () => {
      const ratio = await costOfPair(run, [xml, json], bed)
      if (ratio !== null) results.xml.push({ name: xml.name, ratio })
    })
  }
}

async function costOfPair({ options, log }: Run, pair: [Operation, Operation], bed: TestBed): Promise<Figure | null> {
  const ratio = await measurePair(pair, bed, { ...options, rounds: options.rounds * PAIR_ROUNDS_FACTOR })
  const names = pair.map(({ name }) => name).join(' against ')
  if (ratio !== null) log(`${names.padEnd(44)} ${ratio.median.toFixed(2)} ± ${(ratio.spread * 100).toFixed(0)} %`)
  return ratio
}

/** More rounds, to see a difference of some hundredths. */
const PAIR_ROUNDS_FACTOR = 2

/** This baseline has less in common with the service than the other, so that their ratio varies more. */
const EMPTY_BASELINE_STARTS = 6
const EMPTY_BASELINE = 'empty-baseline'

async function measureEmptyBaseline(run: Run, location: DataLocation): Promise<void> {
  const { engine, options, set, results, log } = run
  if (!isSelected(options.only, EMPTY_BASELINE)) return
  const title = 'profile by id, with ticket, against {}'
  const operation = { ...profileWithTicket, name: EMPTY_BASELINE, title }
  const start = async () => ({
    service: await startPaddock(location.settings),
    baseline: await startEmptyBaseline(),
    databasePid: engine.pid,
  })
  await attempt(run, EMPTY_BASELINE, async () => {
    const pace = { ...options, starts: EMPTY_BASELINE_STARTS }
    const result = await measureOverStarts(operation, { engine: engine.name, set, start }, pace)
    results.emptyBaseline = result === null ? null : reported(result, log)
  })
}

async function measureEach(run: Run, selected: Operation[], bed: TestBed, roundsFactor = 1): Promise<void> {
  const { options, results, log } = run
  const pace = { ...options, rounds: options.rounds * roundsFactor }
  for (const operation of selected) {
    await attempt(run, operation.name, async () => {
      const result = await measure(operation, bed, pace)
      if (result !== null) results.operations.push(reported(result, log))
    })
  }
}

/** Writes wait for the disk, which varies more from round to round. */
const WRITE_ROUNDS_FACTOR = 2

async function measureWrites(run: Run): Promise<void> {
  const { engine, options, set, results, log } = run
  const selected = writes.filter(({ name }) => isSelected(options.only, name))
  const imports = Object.entries(feedImports).filter(([name]) => isSelected(options.only, name))
  const withSettlement = isSelected(options.only, 'settlement')
  if (selected.length === 0 && imports.length === 0 && !withSettlement) return
  const location = await engine.scratch(set.size)
  const deposits = selected.filter(needsGateway)
  const others = selected.filter((one) => !needsGateway(one))
  await withServers({ engine, set, location }, async (bed) => {
    await measureEach(run, others, bed, WRITE_ROUNDS_FACTOR)
    for (const [name, measureLines] of imports) {
      await attempt(run, name, async () => {
        const result = await measureLines(bed, Math.min(1, secondsPerServer(options)), options.rounds)
        results.operations.push(reported(result, log))
      })
    }
    if (!withSettlement) return
    await attempt(run, 'settlement', async () => {
      results.settlement = await measureSettlement(bed, location.address, secondsPerServer(options))
      const { tips, countedAfterMs, finishedAfterMs, quiet, during } = results.settlement
      const seconds = [countedAfterMs, finishedAfterMs].map((ms) => (ms / 1000).toFixed(1))
      const latencies = `p99 of readers ${quiet.p99.toFixed(1)} → ${during.p99.toFixed(1)} ms`
      log(`settlement of ${tips} tips: counted after ${seconds[0]} s, listed after ${seconds[1]} s; ${latencies}`)
    })
  })
  if (deposits.length === 0) return
  await withServers({ engine, set, location, mode: 'sandbox' }, (bed) =>
    measureEach(run, deposits, bed, WRITE_ROUNDS_FACTOR),
  )
}

async function measureProcess(run: Run, location: DataLocation): Promise<void> {
  const { options, set, results, log } = run
  const benchmark = async (name: string, measured: () => Promise<string>) => {
    if (isSelected(options.only, name)) await attempt(run, name, async () => log(await measured()))
  }
  await benchmark('start', async () => {
    results.start = await measureStart(location, options.rounds)
    return `start to ready: ${results.start.median.toFixed(0)} ms`
  })
  await benchmark('memory', async () => {
    results.memory = await measureMemory(location, set, Math.min(1, secondsPerServer(options) / 2))
    const after = results.memory.after.map((megabytes) => megabytes.toFixed(0)).join(', ')
    return `memory: ${results.memory.idle.toFixed(0)} MB idle, then ${after} MB`
  })
  await benchmark('workers', async () => {
    results.workers = await measureWorkers(location, set, options)
    return `two workers: ${results.workers?.ratio.median.toFixed(2)}`
  })
}

/** Services on all sizes run at the same time, so that their rounds can alternate. */
async function measureAllGrowth(run: Run): Promise<void> {
  const { engine, options, results, log } = run
  const names: SizeName[] = [...options.growth, options.size].sort((one, other) => sizes[one].tips - sizes[other].tips)
  const selected = operations.filter(({ name, sizeIndependent }) => sizeIndependent && isSelected(options.only, name))
  const beds: TestBed[] = []
  try {
    for (const name of names) {
      const { set } = await engine.dataSet(sizes[name])
      const location = await engine.scratch(set.size)
      const service = await startPaddock(location.settings)
      beds.push({ engine: engine.name, set, servers: { service, baseline: null, databasePid: engine.pid } })
    }
    for (const operation of selected) {
      const { name, title } = operation
      await attempt(run, name, async () => {
        const pace = { ...options, rounds: options.rounds * PAIR_ROUNDS_FACTOR }
        const growth = await measureGrowth(operation, beds, pace)
        if (growth === null) return
        results.growth.push({ name, title, ...growth })
        const each = growth.costs.map(({ size, cpu }) => `${size} ${cpu.median.toFixed(0)} µs`)
        log(`growth ${name.padEnd(24)} ${each.join(', ')}: ${growth.ratio.median.toFixed(2)}`)
      })
    }
  } finally {
    for (const { servers } of beds) await servers.service.stop()
  }
}

function reported(result: OperationResult, log: (line: string) => void): OperationResult {
  const { name, service, ratio, statements } = result
  const database = service.databaseCpu === null ? '' : ` + ${service.databaseCpu.toFixed(0)}`
  const ratioText = ratio === null ? '' : `  ratio ${ratio.median.toFixed(2)} ± ${(ratio.spread * 100).toFixed(0)} %`
  const statementsText = statements === null ? '' : `  ${statements.toFixed(2)} statements`
  const perSecond = service.perSecond.median.toFixed(0).padStart(7)
  const cpu = `${service.cpu.median.toFixed(0)}${database} µs`
  log(`${name.padEnd(24)} ${perSecond}/s  CPU ${cpu}${statementsText}${ratioText}`)
  return result
}
