// Many customers who write at the same moment, before and after a change: `npm run bench:spikes -- --help`.

import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { positiveNumber, readCommandLine, UsageError } from '../scripts/command-line.js'
import { checkOut, describeCommit, describeWorkingTree } from './compare/checkout.ts'
import { forEachSide, inTurns, ratioOf, type SideName, type Sides } from './compare/in-turns.ts'
import { openEngines, withServices } from './compare/run.ts'
import type { DataSet, Engine, EngineName } from './data/data-sets.ts'
import { bet, profileWithoutFollowers, sizes } from './data/sizes.ts'
import { type LoadResult, load } from './load.ts'
import { type TestBed, WARM_UP_CPU_SECONDS, warmUp } from './measure.ts'
import { type Call, seededRandom, serviceRequest } from './operations/operation.ts'
import { follow, inPairs, like, writersInTurn } from './operations/writes.ts'
import { enginesOf, sizeOf } from './options.ts'
import { pathOf } from './processes.ts'
import { type CpuCost, withCpuCost } from './resource-usage.ts'
import { type Figure, median } from './statistics.ts'

const USAGE = `Usage: npm run bench:spikes -- REF [options]

  Measures likes, follows and new tips of many connections at once: the working tree against the code of another commit
  (REF: a hash, a branch, a tag), in turns. Each like and follow is withdrawn by the next request.

  --engine sqlite|postgres|both    which engine (both)
  --size small|medium|large        10,000, 100,000 or 1,000,000 profiles (small); tiny is for testing the bench itself
  --connections N,N…               how many send requests at once (1,8,64)
  --only NAME,NAME…                like-one, follow-one, like, follow, tip (all)
  --seconds N                      length of one round (0.5)
  --rounds N                       rounds of each side (12)
  --data FOLDER                    where data sets are cached (bench/.data)
  --help`

type Spike = { title: string; sequence: number; calls(set: DataSet, connections: number): (connection: number) => Call }

const SPIKES: Record<string, Spike> = {
  'like-one': {
    title: 'like one tip',
    sequence: 2,
    calls: ({ size, samples }, connections) => {
      const nextWriter = writersInTurn(size, connections)
      return inPairs((connection) => like(nextWriter(connection), samples.tips[0] as number))
    },
  },
  'follow-one': {
    title: 'follow one profile',
    sequence: 2,
    calls: ({ size }, connections) => {
      const nextWriter = writersInTurn(size, connections)
      return inPairs((connection) => follow(nextWriter(connection), profileWithoutFollowers(size)))
    },
  },
  like: {
    title: 'like, random tips',
    sequence: 2,
    calls: ({ size, samples }, connections) => {
      const nextWriter = writersInTurn(size, connections)
      const random = seededRandom(17)
      return inPairs((connection) => {
        return like(nextWriter(connection), samples.tips[random(samples.tips.length)] as number)
      })
    },
  },
  follow: {
    title: 'follow, random profiles',
    sequence: 2,
    calls: ({ size }, connections) => {
      const nextWriter = writersInTurn(size, connections)
      const random = seededRandom(11)
      // Odd ids are active; ids above those of the writers, so that nobody follows themselves.
      const profile = () => size.writers + 1 + 2 * random(Math.floor((size.profiles - size.writers) / 2))
      return inPairs((connection) => follow(nextWriter(connection), profile()))
    },
  },
  tip: {
    title: 'create a tip',
    sequence: 1,
    calls: ({ size }) => {
      return () => {
        const { id, customer, outcome } = bet(size, ++usedBets)
        const path = `/v1/communities/comments/me/outcomes/${outcome}?betId=${id}&text=Travels%20well%20and%20stays%20further`
        return { method: 'POST', path, customer, baselinePath: '' }
      }
    },
  },
}
/** Both sides skip what the other used: no bet gets a second tip. */
let usedBets = 0

const log = (line: string) => void process.stderr.write(`${line}\n`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const options = readCommandLine(USAGE, (args) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      engine: { type: 'string', default: 'both' },
      size: { type: 'string', default: 'small' },
      connections: { type: 'string', default: '1,8,64' },
      only: { type: 'string', default: Object.keys(SPIKES).join() },
      seconds: { type: 'string', default: '0.5' },
      rounds: { type: 'string', default: '12' },
      data: { type: 'string', default: pathOf('.data') },
    },
  })
  const [ref, ...others] = positionals
  if (ref === undefined || others.length > 0) throw new UsageError('name one commit to compare with')
  describeCommit(ref)
  const only = values.only.split(',')
  const unknown = only.filter((name) => !(name in SPIKES))
  if (unknown.length > 0) throw new UsageError(`--only ${unknown.join()}: use ${Object.keys(SPIKES).join(', ')}`)
  return {
    ref,
    engines: enginesOf(values.engine),
    size: sizes[sizeOf('--size', values.size)],
    connections: values.connections.split(',').map((one) => Math.ceil(positiveNumber('--connections', one))),
    only,
    seconds: positiveNumber('--seconds', values.seconds),
    rounds: Math.ceil(positiveNumber('--rounds', values.rounds)),
    data: resolve(values.data),
  }
})

const checkout = await checkOut(options.ref)
const lines = [
  `Before: ${describeCommit(options.ref)}. After: ${describeWorkingTree()}. ${options.size.name} set, ${options.rounds} rounds.`,
  '',
  '| engine | what | connections | requests/s | ratio | p50 ms | p99 ms | CPU µs of a request | ratio |',
  '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
]
for (const name of options.engines) {
  const opened: Engine[] = []
  try {
    await measureOn(name, opened)
  } finally {
    for (const engine of opened) await engine.close()
  }
}
console.log(lines.join('\n'))

async function measureOn(name: EngineName, opened: Engine[]): Promise<void> {
  log(`--- ${name}`)
  const engines = await openEngines(name, { checkout, options }, opened)
  const sets = await forEachSide((side) => engines[side].dataSet(options.size))
  const copies = await forEachSide((side) => engines[side].scratch(options.size))
  await withServices({ engines, sets, checkout }, { locations: copies }, async (beds) => {
    for (const spike of options.only) {
      for (const connections of options.connections) {
        const line = await measure(SPIKES[spike] as Spike, connections, beds)
        log(line)
        lines.push(`| ${name} ${line}`)
      }
    }
  })
}

type Round = LoadResult & CpuCost

async function measure(spike: Spike, connections: number, beds: Sides<TestBed>): Promise<string> {
  const { seconds, rounds, size } = options
  const senders = Math.min(connections, size.writers)
  const calls = {
    before: spike.calls(beds.before.set, senders),
    after: spike.calls(beds.after.set, senders),
  }
  const round = async (side: SideName): Promise<Round> => {
    const { service, databasePid } = beds[side].servers
    const request = (connection: number) => serviceRequest(calls[side](connection))
    const where = { host: '127.0.0.1', port: service.port, connections: senders, seconds }
    const result = await withCpuCost(service, databasePid, () =>
      load({ ...where, request, sequenceLength: spike.sequence }),
    )
    if (result.failures > 0) throw new Error(`${spike.title}: ${result.failures} failed:\n${result.failure}`)
    return result
  }
  await forEachSide((side) =>
    warmUp(beds[side].servers.service, Math.min(WARM_UP_CPU_SECONDS, seconds * rounds), () => round(side)),
  )
  const results = await inTurns(rounds, round)
  const cost = ({ cpu, databaseCpu }: Round) => cpu + (databaseCpu ?? 0)
  const change = (value: (one: Round) => number, digits = 0) =>
    (['before', 'after'] as const).map((side) => median(results[side].map(value)).toFixed(digits)).join(' → ')
  const perSecond = (one: Round) => one.perSecond
  return [
    `| ${spike.title} | ${connections} | ${change(perSecond)} | ${shown(ratioOf(results, perSecond))}`,
    ` | ${change((one) => one.p50, 1)} | ${change((one) => one.p99, 1)} | ${change(cost)} | ${shown(ratioOf(results, cost))} |`,
  ].join('')
}

function shown({ median, spread }: Figure): string {
  return `${median.toFixed(2)} ± ${(spread * 100).toFixed(0)} %`
}
