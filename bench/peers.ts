// Measures the service beside PostGraphile and Parse Server: `npm run bench:peers -- --help`.

import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { positiveNumber, readCommandLine } from '../scripts/command-line.js'
import { type DataLocation, type Engine, postgresEngine } from './data/data-sets.ts'
import { sizes } from './data/sizes.ts'
import { sizeOf } from './options.ts'
import { existingPairs } from './peers/database.ts'
import { installPeers, versionOf } from './peers/install.ts'
import { type Bed, compareAnswers, measureShared, type SharedResult, sharedOperations } from './peers/measure.ts'
import { parse } from './peers/parse.ts'
import type { Peer } from './peers/peer.ts'
import { postgraphile } from './peers/postgraphile.ts'
import { quoteInReadme } from './peers/readme.ts'
import { isMet, type PeersReport, targetText, writePeersReport } from './peers/report.ts'
import { pathOf, type ServerProcess, startPaddock } from './processes.ts'
import { rounded } from './report/write-report.ts'

const USAGE = `Usage: npm run bench:peers -- [options]

  Measures the operations that PostGraphile and Parse Server share with the service, in turns, on one PostgreSQL with the
  same rows: with 8 connections, writes also with 64. Installs both into bench/peers at the first run.

  --size small|medium|large   10,000, 100,000 or 1,000,000 profiles (small); tiny is for testing the bench itself
  --seconds N                 length of one round (0.4)
  --rounds N                  rounds of each server, in turns (15)
  --data FOLDER               where data sets are cached (bench/.data)
  --results FOLDER            where peers.md, peers.svg and peers.json are written (bench/results, and the table in README.md)
  --help`

const PEERS: Peer[] = [postgraphile, parse]
const log = (line: string) => void process.stderr.write(`${line}\n`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const options = readCommandLine(USAGE, (args) => {
  const { values } = parseArgs({
    args,
    options: {
      size: { type: 'string', default: 'small' },
      seconds: { type: 'string', default: '0.4' },
      rounds: { type: 'string', default: '15' },
      data: { type: 'string', default: pathOf('.data') },
      results: { type: 'string', default: pathOf('results') },
    },
  })
  return {
    size: sizes[sizeOf('--size', values.size)],
    seconds: positiveNumber('--seconds', values.seconds),
    rounds: Math.ceil(positiveNumber('--rounds', values.rounds)),
    data: resolve(values.data),
    results: resolve(values.results),
  }
})

installPeers(log)
mkdirSync(options.data, { recursive: true })
const engine = await postgresEngine(options.data)
const running: ServerProcess[] = []
const report: PeersReport = {
  at: new Date().toISOString(),
  size: options.size.name,
  seconds: options.seconds,
  rounds: options.rounds,
  peers: PEERS.map((peer) => ({ title: peer.title, version: versionOf(peer.package) })),
  results: [],
}
try {
  const { bed, existing } = await prepare(engine)
  for (const operation of sharedOperations(existing)) {
    await compareAnswers(operation, bed)
    for (const result of await measureShared(operation, bed, options)) {
      report.results.push(result)
      log(summary(result))
    }
  }
} finally {
  for (const server of running.reverse()) await server.stop()
  await engine.close()
}
// Rounded before anything is written, so that all files have the same figures.
const stored = rounded(report)
console.log(writePeersReport(stored, options.results))
if (options.results === pathOf('results')) quoteInReadme(stored)
const missed = stored.results.filter(({ targets, peers }) => !isMet(targets, peers))
log(missed.length === 0 ? 'Every target is met.' : `Below target: ${missed.map(({ title }) => title).join('; ')}`)

/** Each server has a copy of the data set of its own, so that writes of one do not slow the others. */
async function prepare(engine: Engine): Promise<{ bed: Bed; existing: Set<string> }> {
  const { size } = options
  const { set, location } = await engine.dataSet(size)
  const existing = await existingPairs(urlOf(location), size)
  const peers: Bed['peers'] = []
  for (const peer of PEERS) {
    log(`${peer.title}: copying the ${size.name} set`)
    const server = await peer.start(urlOf(await engine.scratch(size, peer.name)), log)
    running.push(server)
    peers.push({ peer, server })
  }
  log(`Paddock: copying the ${size.name} set and starting`)
  const service = await startPaddock((await engine.scratch(size)).settings)
  running.push(service)
  return { bed: { set, service, peers, databasePid: engine.pid }, existing }
}

function urlOf({ settings }: DataLocation): string {
  return `${settings.DATABASE_URL}`
}

function summary({ title, targets, service, peers }: SharedResult): string {
  const each = peers.map((peer) =>
    peer === null
      ? '–'
      : `${peer.name} ${peer.summary.perSecond.median.toFixed(0)}/s, ${peer.ratio.median.toFixed(1)} times ± ${(peer.ratio.spread * 100).toFixed(0)} %`,
  )
  const met = isMet(targets, peers) ? 'met' : 'NOT MET'
  return `${title.padEnd(50)} ${service.perSecond.median.toFixed(0).padStart(6)}/s; ${each.join('; ')}; target ${targetText(targets)}: ${met}`
}
