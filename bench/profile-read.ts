// What does a profile read with key, secret and ticket cost, beside a bare node:http server that answers {}?
//   node bench/profile-read.ts [seconds per round] [rounds]

import { startPostgres } from '../test/harness/postgres.ts'
import { httpRequest, load } from './load.ts'
import { cpuSeconds, median, type Running, startBare, startPaddock } from './processes.ts'

const seconds = Number(process.argv[2] ?? 3)
const rounds = Number(process.argv[3] ?? 5)

const read = httpRequest('/v1/profiles/7', {
  'who-apiKey': 'sandbox-key',
  'who-secret': 'sandbox-secret',
  'who-ticket': 'TGT-1-sandbox-alice',
  accept: 'application/json',
})
const bare = httpRequest('/', { accept: 'application/json' })

const postgres = await startPostgres()
const candidates: { name: string; server: Running; request: Buffer; figures: number[]; cpu: number[] }[] = [
  { name: 'bare node:http', server: await startBare(), request: bare, figures: [], cpu: [] },
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
      const before = cpuSeconds(server.child)
      const measured = await load({
        host: '127.0.0.1',
        port: server.port,
        connections: 16,
        seconds,
        request: () => request,
      })
      if (measured.failures > 0) throw new Error(`${name}: ${measured.failures} requests failed`)
      // The first round warms up.
      const micros = ((cpuSeconds(server.child) - before) / measured.requests) * 1e6
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
const [first] = candidates
const floor = { figures: median(first?.figures ?? []), cpu: median(first?.cpu ?? []) }
console.log('| server | requests/s (median) | lowest to highest | ratio to bare | CPU µs per request | ratio of CPU |')
console.log('|---|---|---|---|---|---|')
for (const { name, figures, cpu } of candidates) {
  const range = `${Math.min(...figures).toFixed(0)} to ${Math.max(...figures).toFixed(0)}`
  const speed = `${median(figures).toFixed(0)} | ${range} | ${(median(figures) / floor.figures).toFixed(2)}`
  console.log(`| ${name} | ${speed} | ${median(cpu).toFixed(1)} | ${(floor.cpu / median(cpu)).toFixed(2)} |`)
}
