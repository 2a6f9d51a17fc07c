// Measures a profile read beside an empty baseline: `npm run bench:profile-read -- --help`.

import { parseArgs } from 'node:util'
import { positiveNumber, readCommandLine } from '../scripts/command-line.js'
import { startPostgres } from '../test/harness/postgres.ts'
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

const request = httpRequest('/v1/profiles/7', {
  'who-apiKey': 'sandbox-key',
  'who-secret': 'sandbox-secret',
  'who-ticket': 'TGT-1-sandbox-alice',
  accept: 'application/json',
})

const postgres = await startPostgres()
const candidates: { name: string; server: ServerProcess; perSecond: number[]; cpu: number[] }[] = [
  { name: 'baseline node:http', server: await startEmptyBaseline(), perSecond: [], cpu: [] },
  { name: 'Paddock on SQLite', server: await startPaddock({}), perSecond: [], cpu: [] },
  {
    name: 'Paddock on PostgreSQL',
    server: await startPaddock({ DATABASE_URL: postgres.url }),
    perSecond: [],
    cpu: [],
  },
]
try {
  for (let round = 0; round <= rounds; round++) {
    for (const { name, server, perSecond, cpu } of candidates) {
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
const baseline = candidates[0]?.perSecond ?? []
console.log(
  '| server | requests/s: median | best | CPU µs per request: median | ratio to the baseline: median of rounds | of the best |',
)
console.log('|---|---|---|---|---|---|')
for (const { name, perSecond, cpu } of candidates) {
  // Each round's ratio compares neighbours in time; the best rounds were disturbed least by other programs.
  const ratio = median(perSecond.map((figure, round) => figure / (baseline[round] ?? 1)))
  const best = Math.max(...perSecond) / Math.max(...baseline)
  const speed = `${median(perSecond).toFixed(0)} | ${Math.max(...perSecond).toFixed(0)} | ${median(cpu).toFixed(1)}`
  console.log(`| ${name} | ${speed} | ${ratio.toFixed(2)} | ${best.toFixed(2)} |`)
}
