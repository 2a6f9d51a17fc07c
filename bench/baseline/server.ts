// The baseline: a node:http server that runs the service's SQL on the same engine and answers JSON.stringify of the rows.
// No credentials, no validation, no faults.
//   node bench/baseline/server.ts FILE|URL [GATEWAY-URL]       paths: /handler/value/value…

import { createServer } from 'node:http'
import { remoteSandboxGateway } from '../../src/wallets/gateways/sandbox/remote-gateway.ts'
import { openBaselineDatabase } from './database.ts'
import { importEvents } from './feed-import.ts'
import { baselineHandlers } from './handlers.ts'

const [address = '', gatewayUrl] = process.argv.slice(2)
const database = openBaselineDatabase(
  address.startsWith('postgres:') ? { engine: 'postgres', url: address } : { engine: 'sqlite', file: address },
)
// Without a gateway there are no deposits.
const handlers = baselineHandlers(database, remoteSandboxGateway(gatewayUrl || 'http://127.0.0.1:1', 10_000))

const server = createServer((request, response) => {
  const [, name = '', ...values] = (request.url as string).split('/')
  const answer = name === 'import' ? importEvents(database, request) : handlers[name]?.(...values.map(Number))
  const rows = answer ?? Promise.reject(new Error(`there is no handler ${name}`))
  rows.then(
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
