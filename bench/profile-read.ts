// What does a profile read with key, secret and ticket cost, beside a bare node:http server that answers {} to the same
// request?
//   node bench/profile-read.ts [seconds per round] [rounds]

import { startPostgres } from '../test/harness/postgres.ts'
import { httpRequest, load } from './load.ts'
import { cpuSeconds, median, type Running, startBare, startPaddock } from './processes.ts'

const seconds = Number(process.argv[2] ?? 1)
const rounds = Number(process.argv[3] ?? 12)

const read = httpRequest('/v1/profiles/7', {
  'who-apiKey': 'sandbox-key',
  'who-secret': 'sandbox-secret',
  'who-ticket': 'TGT-1-sandbox-alice',
  accept: 'application/json',
})

const postgres = await startPostgres()
const candidates: { name: string; server: Running; request: Buffer; figures: number[]; cpu: number[] }[] = [
  { name: 'bare node:http', server: await startBare(), request: read, figures: [], cpu: [] },
  { name: 'Paddock on SQLite', server: await startPaddock({}), request: read, figures: [], cpu: [] },
  {
    name: 'Paddock on PostgreSQL',
    server: await startPaddock({ DATABASE_URL: postgres.url }),
    request: read,
    figures: [],
    cpu: [],
  },
]
try {
  for (let round = 0; round <= rounds; round++) {
    for (const { name, server, request, figures, cpu } of candidates) {
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
        figures.push(measured.perSecond)
        cpu.push(micros)
      }
      process.stderr.write(
        `round ${round}/${rounds}  ${name.padEnd(22)} ${measured.perSecond.toFixed(0).padStart(7)}/s ${micros.toFixed(1)} µs CPU\n`,
      )
    }
  }
} finally {
  for (const { server } of candidates) await server.stop()
  await postgres.remove()
}
const bareFigures = candidates[0]?.figures ?? []
console.log(
  '| server | requests/s: median | best | CPU µs per request: median | ratio to bare: median of rounds | of the best |',
)
console.log('|---|---|---|---|---|---|')
for (const { name, figures, cpu } of candidates) {
  // Each round's ratio compares neighbours in time; the best of each is what other programs disturbed least.
  const ratio = median(figures.map((figure, round) => figure / (bareFigures[round] ?? 1)))
  const best = Math.max(...figures) / Math.max(...bareFigures)
  const speed = `${median(figures).toFixed(0)} | ${Math.max(...figures).toFixed(0)} | ${median(cpu).toFixed(1)}`
  console.log(`| ${name} | ${speed} | ${ratio.toFixed(2)} | ${best.toFixed(2)} |`)
}
