// The floor: a bare node:http server that runs the same SQL on the same engine and answers JSON.stringify of what it
// found. No credentials, no validation, no faults.
//   node bench/baseline/server.ts FILE|URL [GATEWAY-URL]       paths: /kind/value/value…

import { createServer } from 'node:http'
import { remoteSandboxGateway } from '../../src/wallets/gateways/sandbox/remote-gateway.ts'
import { openBare } from './database.ts'
import { importEvents } from './feed-import.ts'
import { floorAnswers } from './handlers.ts'

const [where = '', gatewayUrl] = process.argv.slice(2)
const database = openBare(
  where.startsWith('postgres:') ? { engine: 'postgres', url: where } : { engine: 'sqlite', file: where },
)
// Nobody pays where no bank is named.
const answers = floorAnswers(database, remoteSandboxGateway(gatewayUrl || 'http://127.0.0.1:1', 10_000))

const server = createServer((request, response) => {
  const [, kind = '', ...values] = (request.url as string).split('/')
  const answer = kind === 'import' ? importEvents(database, request) : answers[kind]?.(...values.map(Number))
  const found = answer ?? Promise.reject(new Error(`nothing is known of ${kind}`))
  found.then(
    (rows) => {
      const body = JSON.stringify(rows ?? null)
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
      response.writeHead(200, headers).end(body)
    },
    (error) => {
      const body = `${(error as Error).stack}`
      response.writeHead(500, { 'content-length': Buffer.byteLength(body) }).end(body)
    },
  )
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as { port: number }
  console.log(`listens on http://127.0.0.1:${port}`)
})
process.once('SIGTERM', () => {
  server.close(() => database.close().then(() => process.exit()))
  server.closeAllConnections()
})
