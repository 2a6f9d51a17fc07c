// Measures a profile read beside an empty baseline: `npm run bench:profile-read -- --help`.

import { parseArgs } from 'node:util'
import { positiveNumber, readCommandLine } from '../scripts/command-line.js'
import { startPostgres } from '../test/harness/postgres.ts'
import { type Customer, createCustomers } from './events/clients.ts'
import { httpRequest, load } from './load.ts'
import { type ServerProcess, startEmptyBaseline, startPaddock } from './processes.ts'
import { cpuSeconds } from './resource-usage.ts'
import { median } from './statistics.ts'

const USAGE = `Usage: npm run bench:profile-read -- [options]

  Measures a profile read with key, secret and ticket, on both engines, beside a baseline server: node:http that answers {}
  to the same request.

  --seconds N   length of one round (1)
  --rounds N    rounds of each server, in turns (12)
  --help`

const { seconds, rounds } = readCommandLine(USAGE, (args) => {
  const options = { seconds: { type: 'string', default: '1' }, rounds: { type: 'string', default: '12' } } as const
  const { values } = parseArgs({ args, options })
  return {
    seconds: positiveNumber('--seconds', values.seconds),
    rounds: Math.ceil(positiveNumber('--rounds', values.rounds)),
  }
})

type Candidate = { name: string; server: ServerProcess; request: Buffer; perSecond: number[]; cpu: number[] }

/** One customer reads the profile of another. */
async function paddockOn(engine: string, settings: Record<string, string>): Promise<Candidate> {
  const server = await startPaddock(settings)
  const [reader, other] = (await createCustomers(server, 2)) as [Customer, Customer]
  const request = httpRequest(`/v1/profiles/${other.profileId}`, reader.headers)
  return { name: `Paddock on ${engine}`, server, request, perSecond: [], cpu: [] }
}

const postgres = await startPostgres()
const services = [await paddockOn('SQLite', {}), await paddockOn('PostgreSQL', { DATABASE_URL: postgres.url })]
const [{ request: sameRequest }] = services as [Candidate]
const baseline = { name: 'baseline node:http', server: await startEmptyBaseline(), request: sameRequest }
const candidates: Candidate[] = [{ ...baseline, perSecond: [], cpu: [] }, ...services]
try {
  for (let round = 0; round <= rounds; round++) {
    for (const { name, server, request, perSecond, cpu } of candidates) {
      const before = cpuSeconds(server.pid)
      const measured = await load({
        host: '127.0.0.1',
        port: server.port,
        connections: 8,
        seconds,
        request: () => request,
      })
      if (measured.failures > 0) throw new Error(`${name}: ${measured.failures} requests failed`)
      // The first round warms up.
      const micros = ((cpuSeconds(server.pid) - before) / measured.requests) * 1e6
      if (round > 0) {
        perSecond.push(measured.perSecond)
        cpu.push(micros)
      }
      const speed = `${measured.perSecond.toFixed(0).padStart(7)}/s ${micros.toFixed(1)} µs CPU`
      process.stderr.write(`round ${round}/${rounds}  ${name.padEnd(22)} ${speed}\n`)
    }
  }
} finally {
  for (const { server } of candidates) await server.stop()
  await postgres.remove()
}
const ofBaseline = candidates[0]?.perSecond ?? []
console.log(
  '| server | requests/s: median | best | CPU µs per request: median | ratio to the baseline: median of rounds | of the best |',
)
console.log('|---|---|---|---|---|---|')
for (const { name, perSecond, cpu } of candidates) {
  // Each round's ratio compares neighbours in time; the best rounds were disturbed least by other programs.
  const ratio = median(perSecond.map((figure, round) => figure / (ofBaseline[round] ?? 1)))
  const best = Math.max(...perSecond) / Math.max(...ofBaseline)
  const speed = `${median(perSecond).toFixed(0)} | ${Math.max(...perSecond).toFixed(0)} | ${median(cpu).toFixed(1)}`
  console.log(`| ${name} | ${speed} | ${ratio.toFixed(2)} | ${best.toFixed(2)} |`)
}
