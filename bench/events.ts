// Measures the log of events and its streams: `npm run bench:events -- --help`.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { oneOf, positiveNumber, readCommandLine } from '../scripts/command-line.js'
import { startPostgres } from '../test/harness/postgres.ts'
import {
  type Customer,
  callService,
  createCustomers,
  openStream,
  operatorAnswer,
  type Stream,
} from './events/clients.ts'
import { remoteCollector } from './garbage-collection.ts'
import { pathOf, type ServiceProcess, startPaddock } from './processes.ts'
import { cpuSeconds, residentMegabytes } from './resource-usage.ts'
import { median, quantile } from './statistics.ts'

const USAGE = `Usage: npm run bench:events -- [options]

  Measures how many events a second can be read by pull, the time from an answered write to the event that a connected
  client receives, and what idle connections cost.

  --engine sqlite|postgres|both   which engine (both)
  --clients N                     connected clients while writes are measured (500)
  --writes N                      writes that are measured (500)
  --idle N                        idle connections (1000)
  --seconds N                     how long the idle connections are measured (20)
  --help

  The results are printed and stored in bench/results/events.md.`

type Options = { engine: string; clients: number; writes: number; idle: number; seconds: number }

const options = readCommandLine(USAGE, (args): Options => {
  const { values } = parseArgs({
    args,
    options: {
      engine: { type: 'string', default: 'both' },
      clients: { type: 'string', default: '500' },
      writes: { type: 'string', default: '500' },
      idle: { type: 'string', default: '1000' },
      seconds: { type: 'string', default: '20' },
    },
  })
  return {
    engine: oneOf('--engine', values.engine, ['sqlite', 'postgres', 'both']),
    clients: positiveNumber('--clients', values.clients),
    writes: positiveNumber('--writes', values.writes),
    idle: positiveNumber('--idle', values.idle),
    seconds: positiveNumber('--seconds', values.seconds),
  }
})

const log = (line: string) => void process.stderr.write(`${line}\n`)

type Figures = {
  engine: string
  eventsPerSecond: number
  baselinePerSecond: number
  deliveryMs: number[]
  idleMegabytes: number
  idleCpu: number
  quietCpu: number
}

async function measure(engine: 'SQLite' | 'PostgreSQL', settings: Record<string, string>): Promise<Figures> {
  const collector = await remoteCollector()
  const service = await startPaddock({
    ...settings,
    ...collector.settings,
    SANDBOX_SEED: 'off',
    MAX_CONNECTIONS_PER_ADDRESS: '0',
    STREAMS_PER_APPLICATION: '100000',
    LOG_LEVEL: 'silent',
  })
  try {
    log(`${engine}: ${Math.max(options.clients, options.idle)} customers`)
    const customers = await createCustomers(service, Math.max(options.clients, options.idle) + 1)
    const [writer, ...readers] = customers as [Customer, ...Customer[]]
    const idle = await measureIdle(service, collector, readers.slice(0, options.idle))
    log(`${engine}: ${options.writes} writes with ${options.clients} clients`)
    const deliveryMs = await measureDelivery(service, writer, readers.slice(0, options.clients))
    log(`${engine}: pull`)
    return { engine, ...idle, deliveryMs, ...(await measurePull(service)) }
  } finally {
    await service.stop()
  }
}

// ---- Idle connections

async function measureIdle(
  service: ServiceProcess,
  collector: Awaited<ReturnType<typeof remoteCollector>>,
  customers: readonly Customer[],
) {
  const share = async () => {
    const before = cpuSeconds(service.pid)
    await pause(options.seconds * 1000)
    return (cpuSeconds(service.pid) - before) / options.seconds
  }
  await pause(2_000)
  const quietCpu = await share()
  await collector.collect(service.pid)
  const before = residentMegabytes(service.pid)
  const streams = await openAll(service, customers)
  await pause(2_000)
  const idleCpu = await share()
  await collector.collect(service.pid)
  const idleMegabytes = residentMegabytes(service.pid) - before
  for (const stream of streams) stream.close()
  return { idleMegabytes, idleCpu, quietCpu }
}

/** Some at a time, as clients come. */
async function openAll(service: ServiceProcess, customers: readonly Customer[]): Promise<Stream[]> {
  const streams: Stream[] = []
  for (let first = 0; first < customers.length; first += 50) {
    streams.push(...(await Promise.all(customers.slice(first, first + 50).map((one) => openStream(service, one)))))
  }
  return streams
}

// ---- From the answer to the event

async function measureDelivery(service: ServiceProcess, writer: Customer, readers: readonly Customer[]) {
  const streams = await openAll(service, readers)
  const times: number[] = []
  for (let number = 0; number < options.writes; number++) {
    const which = (number * 7919) % readers.length
    const [stream, reader] = [streams[which] as Stream, readers[which] as Customer]
    const method = reader.isFollowed ? 'DELETE' : 'POST'
    const received = method === 'POST' ? stream.next('follow.created') : undefined
    await callService(service, method, `/v1/profiles/me/followings/${reader.profileId}`, writer.headers)
    const answeredAt = performance.now()
    reader.isFollowed = !reader.isFollowed
    if (received !== undefined) times.push(Math.max(0, (await received) - answeredAt))
    await pause(10)
  }
  for (const stream of streams) stream.close()
  return times
}

// ---- Pull

const PULL_SECONDS = 4

/** Beside as many requests for a small answer on the same listener. */
async function measurePull(service: ServiceProcess) {
  const rounds = { pull: [] as number[], baseline: [] as number[] }
  for (let round = 0; round < 4; round++) {
    rounds.pull.push(await eventsPerSecond(service, PULL_SECONDS / 4))
    rounds.baseline.push(await requestsPerSecond(service, PULL_SECONDS / 4))
  }
  return { eventsPerSecond: median(rounds.pull), baselinePerSecond: median(rounds.baseline) }
}

async function eventsPerSecond(service: ServiceProcess, seconds: number): Promise<number> {
  const start = performance.now()
  let events = 0
  for (let after = 0; performance.now() - start < seconds * 1000; ) {
    const page = await operatorAnswer(service, 'GET', `/events?after=${after}&limit=1000`)
    events += page.events.length
    after = page.events.length === 0 ? 0 : page.next
  }
  return (events / (performance.now() - start)) * 1000
}

async function requestsPerSecond(service: ServiceProcess, seconds: number): Promise<number> {
  const start = performance.now()
  let requests = 0
  for (; performance.now() - start < seconds * 1000; requests++) await operatorAnswer(service, 'GET', '/me')
  return (requests / (performance.now() - start)) * 1000
}

// ---- Report

const percent = (share: number) => `${(share * 100).toFixed(2)} %`

function report(figures: readonly Figures[]): string {
  const row = (name: string, value: (one: Figures) => string) => `| ${name} | ${figures.map(value).join(' | ')} |`
  const ms = (share: number) => (one: Figures) => `${quantile(one.deliveryMs, share).toFixed(0)} ms`
  return [
    '# Events',
    '',
    `\`npm run bench:events\`, ${options.clients} connected clients, ${options.idle} idle connections.`,
    '',
    `| | ${figures.map(({ engine }) => engine).join(' | ')} |`,
    `|---|${figures.map(() => '---|').join('')}`,
    row('events read by pull, per second', (one) => one.eventsPerSecond.toFixed(0)),
    row('the same, by requests for a small answer per second', (one) =>
      (one.eventsPerSecond / one.baselinePerSecond).toFixed(1),
    ),
    row('from the answered write to the received event: p50', ms(0.5)),
    row('p99', ms(0.99)),
    row('memory of the idle connections', (one) => `${one.idleMegabytes.toFixed(0)} MB`),
    row('processor for them, share of a core', (one) => percent(one.idleCpu - one.quietCpu)),
    row('processor without them', (one) => percent(one.quietCpu)),
    '',
  ].join('\n')
}

const figures: Figures[] = []
if (options.engine !== 'postgres') figures.push(await measure('SQLite', {}))
if (options.engine !== 'sqlite') {
  const postgres = await startPostgres(['fsync=on'])
  try {
    figures.push(await measure('PostgreSQL', { DATABASE_URL: postgres.url }))
  } finally {
    await postgres.remove()
  }
}
const text = report(figures)
console.log(text)
if (options.engine === 'both') writeFileSync(join(pathOf('.'), 'results/events.md'), text)
