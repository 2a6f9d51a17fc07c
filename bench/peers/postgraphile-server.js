// PostGraphile as its documentation recommends for production: the Amber preset on Node's own HTTP server, persisted
// operations, prepared statements (its default), neither GraphiQL nor explain nor a watcher.
//   node postgraphile-server.js DATABASE_URL OPERATIONS_AS_JSON

import { createServer } from 'node:http'
import { PersistedPlugin } from '@grafserv/persisted'
import { postgraphile } from 'postgraphile'
import { makePgService } from 'postgraphile/adaptors/pg'
import { grafserv } from 'postgraphile/grafserv/node'
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber'

const [connectionString, operations] = process.argv.slice(2)

const service = postgraphile({
  extends: [PostGraphileAmberPreset],
  plugins: [PersistedPlugin],
  pgServices: [makePgService({ connectionString, schemas: ['app'], pubsub: false, poolConfig: { max: 20 } })],
  grafast: { explain: false },
  grafserv: {
    graphiql: false,
    watch: false,
    websockets: false,
    persistedOperations: JSON.parse(operations),
  },
})

const server = createServer()
await service.createServ(grafserv).addTo(server)
server.listen(0, '127.0.0.1', () => console.log(`listens on http://127.0.0.1:${server.address().port}`))
process.once('SIGTERM', () => process.exit(0))
