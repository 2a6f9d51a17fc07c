// One run on one engine: which servers run on which copy of the data, and which questions are asked of them.

import { join } from 'node:path'
import type { Figure, Result } from './comparison.ts'
import {
  type DataSet,
  type Engine,
  type EngineName,
  type Place,
  postgresEngine,
  sqliteEngine,
} from './data/data-sets.ts'
import { type SizeName, sizes } from './data/sizes.ts'
import { type Growth, measure, measureGrowth, measurePair, measureStarts, type Servers } from './measure.ts'
import type { Operation } from './operations/operation.ts'
import { feeds, profileWithTicket, reads } from './operations/reads.ts'
import { writes } from './operations/writes.ts'
import type { Options } from './options.ts'
import { pathOf, type Running, start, startBare, startGateway, startPaddock } from './processes.ts'
import { measureImport } from './scenarios/feed-import.ts'
import { type Memory, measureMemory, measureStart, measureWorkers, type Workers } from './scenarios/process-costs.ts'
import { measureSettlement, type Settlement } from './scenarios/settlement.ts'

export type EngineRun = {
  engine: EngineName
  operations: Result[]
  /** A profile read with ticket, beside a server that answers `{}`. */
  bare: Result | null
  settlement: Settlement | null
  start: Figure | null
  memory: Memory | null
  workers: Workers | null
  growth: ({ name: string; what: string } & Growth)[]
  /** How much dearer XML is than JSON, for each read that is asked for in both. */
  xml: { name: string; times: Figure }[]
  /** Questions that had no answer, and why: the others are asked all the same. */
  failed: { name: string; why: string }[]
}

const operations: Operation[] = [...reads, ...feeds, ...writes]
const OTHERS = ['bare', 'xml', 'import', 'settlement', 'start', 'memory', 'workers']

export function questionNames(): string[] {
  return [...operations.map(({ name }) => name), ...OTHERS]
}

export function isAsked(only: string[], name: string): boolean {
  return only.length === 0 || only.some((beginning) => name === beginning || name.startsWith(`${beginning}-`))
}

export async function runOn(name: EngineName, options: Options, say: (line: string) => void): Promise<EngineRun> {
  const engine = name === 'sqlite' ? sqliteEngine(options.data) : await postgresEngine(options.data)
  const run: EngineRun = {
    engine: name,
    operations: [],
    bare: null,
    settlement: null,
    start: null,
    memory: null,
    workers: null,
    growth: [],
    xml: [],
    failed: [],
  }
  try {
    const { set, place } = await engine.dataSet(sizes[options.size])
    const asks = { engine, options, set, run, say }
    await askReaders(asks, place)
    await askBare(asks, place)
    await askWriters(asks)
    await askProcess(asks, place)
    if (options.growth.length > 0) await askGrowth(asks)
  } finally {
    await engine.close()
  }
  return run
}

/** Asks one question; what goes wrong is written down. */
async function attempt({ run, say }: Asks, name: string, question: () => Promise<void>): Promise<void> {
  try {
    await question()
  } catch (error) {
    const why = (error as Error).message
    run.failed.push({ name, why: why.slice(0, 800) })
    say(`${name} FAILED: ${why}`)
  }
}

/** Seconds that each side of a question has. */
const timeFor = ({ seconds, rounds }: Options): number => seconds * rounds

type Asks = { engine: Engine; options: Options; set: DataSet; run: EngineRun; say: (line: string) => void }

async function askReaders(asks: Asks, place: Place): Promise<void> {
  const { engine, options } = asks
  const asked = [...reads, ...feeds].filter(({ name }) => isAsked(options.only, name))
  const inBoth = isAsked(options.only, 'xml')
  if (asked.length === 0 && !inBoth) return
  await withServers({ engine, place, paying: false }, async (servers) => {
    await askEach(asks, asked, servers)
    if (inBoth) await askXml(asks, servers)
  })
}

async function askXml(asks: Asks, servers: Servers): Promise<void> {
  const { options, set, run, say } = asks
  for (const xml of reads.filter(({ name }) => name.endsWith('-xml'))) {
    const json = reads.find(({ name }) => `${name}-xml` === xml.name) as Operation
    await attempt(asks, 'xml', async () => {
      const pace = { ...options, rounds: options.rounds * PAIR_TIMES }
      const times = await measurePair([xml, json], set, servers, pace)
      if (times === null) return
      run.xml.push({ name: xml.name, times })
      say(`XML against JSON: ${xml.name.padEnd(24)} ${times.median.toFixed(2)} ± ${(times.spread * 100).toFixed(0)} %`)
    })
  }
}

/** A difference of some hundredths takes more rounds to see. */
const PAIR_TIMES = 2

/** Two programs that have less in common than the service and its floor differ more from round to round. */
const BARE_STARTS = 6

async function askBare(asks: Asks, place: Place): Promise<void> {
  const { engine, options, set, run, say } = asks
  if (!isAsked(options.only, 'bare')) return
  const question = { ...profileWithTicket, name: 'bare', what: 'profile by id, with ticket, against {}' }
  const begin = async () => ({
    service: await startPaddock(place.settings),
    floor: await startBare(),
    databasePid: engine.pid,
  })
  await attempt(asks, 'bare', async () => {
    const result = await measureStarts(question, set, begin, { ...options, starts: BARE_STARTS }, engine.name)
    run.bare = result === null ? null : told(result, say)
  })
}

async function askEach(asks: Asks, asked: Operation[], servers: Servers, times = 1): Promise<void> {
  const { engine, options, set, run, say } = asks
  const pace = { ...options, rounds: options.rounds * times }
  for (const operation of asked) {
    await attempt(asks, operation.name, async () => {
      const result = await measure(operation, set, servers, pace, engine.name)
      if (result !== null) run.operations.push(told(result, say))
    })
  }
}

/** The disk, which writes wait for, differs more from round to round. */
const WRITE_TIMES = 2

/** Lines of one import of the feed. */
const LINES = 1_000

async function askWriters(asks: Asks): Promise<void> {
  const { engine, options, set, run, say } = asks
  const asked = writes.filter(({ name }) => isAsked(options.only, name))
  const importing = isAsked(options.only, 'import')
  const settling = isAsked(options.only, 'settlement')
  if (asked.length === 0 && !importing && !settling) return
  const place = await engine.scratch(set.size)
  const paying = asked.some(({ name }) => name === 'deposit')
  await withServers({ engine, place, paying }, async (servers) => {
    await askEach(asks, asked, servers, WRITE_TIMES)
    if (importing) {
      await attempt(asks, 'import', async () => {
        const lines = Math.ceil(LINES * Math.min(1, timeFor(options)))
        run.operations.push(told(await measureImport(servers, engine.name, lines, options.rounds), say))
      })
    }
    if (!settling) return
    await attempt(asks, 'settlement', async () => {
      run.settlement = await measureSettlement(servers.service, set, place, timeFor(options))
      const { tips, followed, quiet, during } = run.settlement
      const waits = `p99 of readers ${quiet.p99.toFixed(1)} → ${during.p99.toFixed(1)} ms`
      say(`settlement of ${tips} tips: ${(followed / 1000).toFixed(1)} s; ${waits}`)
    })
  })
}

async function askProcess(asks: Asks, place: Place): Promise<void> {
  const { options, set, run, say } = asks
  const ask = async (name: string, question: () => Promise<string>) => {
    if (isAsked(options.only, name)) await attempt(asks, name, async () => say(await question()))
  }
  await ask('start', async () => {
    run.start = await measureStart(place, options.rounds)
    return `start to ready: ${run.start.median.toFixed(0)} ms`
  })
  await ask('memory', async () => {
    run.memory = await measureMemory(place, set, Math.min(1, timeFor(options) / 2))
    const after = run.memory.after.map((megabytes) => megabytes.toFixed(0)).join(', ')
    return `memory: ${run.memory.idle.toFixed(0)} MB idle, then ${after} MB`
  })
  await ask('workers', async () => {
    run.workers = await measureWorkers(place, set, options)
    return `two workers: ${run.workers?.ratio.median.toFixed(2)}`
  })
}

/** All sizes at the same time, so that their rounds can take turns. */
async function askGrowth(asks: Asks): Promise<void> {
  const { engine, options, run, say } = asks
  const names: SizeName[] = [...options.growth, options.size].sort((one, other) => sizes[one].tips - sizes[other].tips)
  const asked = operations.filter(({ name, level }) => level && isAsked(options.only, name))
  const places: { set: DataSet; servers: Servers }[] = []
  try {
    for (const name of names) {
      const { set } = await engine.dataSet(sizes[name])
      const place = await engine.scratch(set.size)
      const service = await startPaddock(place.settings)
      places.push({ set, servers: { service, floor: null, databasePid: engine.pid } })
    }
    for (const operation of asked) {
      const { name, what } = operation
      await attempt(asks, name, async () => {
        const found = await measureGrowth(operation, places, { ...options, rounds: options.rounds * PAIR_TIMES })
        if (found === null) return
        run.growth.push({ name, what, ...found })
        const each = found.costs.map(({ size, cpu }) => `${size} ${cpu.median.toFixed(0)} µs`)
        say(`growth ${name.padEnd(24)} ${each.join(', ')}: ${found.times.median.toFixed(2)}`)
      })
    }
  } finally {
    for (const { servers } of places) await servers.service.stop()
  }
}

type Setting = { engine: Engine; place: Place; paying: boolean }

/** The service, the floor and, where somebody pays, the bank, on one copy of the data. */
async function withServers(
  { engine, place, paying }: Setting,
  work: (servers: Servers) => Promise<void>,
): Promise<void> {
  const running: Running[] = []
  const begun = async <R extends Running>(starting: Promise<R>): Promise<R> => {
    const one = await starting
    running.push(one)
    return one
  }
  try {
    const gatewayUrl = paying ? `http://127.0.0.1:${(await begun(startGateway())).port}` : null
    const service = await begun(
      startPaddock({
        ...place.settings,
        ...(gatewayUrl === null ? {} : { SANDBOX_GATEWAY_URL: gatewayUrl }),
      }),
    )
    const { target } = place
    const where = target.engine === 'sqlite' ? target.file : target.url
    const floor = await begun(start([pathOf(join('baseline', 'server.ts')), where, gatewayUrl ?? ''], {}))
    await work({ service, floor, databasePid: engine.pid })
  } finally {
    for (const one of running.reverse()) await one.stop()
  }
}

function told(result: Result, say: (line: string) => void): Result {
  const { name, service, ratio, statements } = result
  const database = service.databaseCpu === null ? '' : ` + ${service.databaseCpu.toFixed(0)}`
  const against = ratio === null ? '' : `  ratio ${ratio.median.toFixed(2)} ± ${(ratio.spread * 100).toFixed(0)} %`
  const asked = statements === null ? '' : `  ${statements.toFixed(2)} statements`
  say(
    `${name.padEnd(24)} ${service.perSecond.median.toFixed(0).padStart(7)}/s  CPU ${service.cpu.median.toFixed(0)}${database} µs${asked}${against}`,
  )
  return result
}
