// Parse Server with its PostgreSQL adapter: no log, no schema changes by clients, classes that everybody may read and write.
//   node parse-server.js DATABASE_URL

import { createServer } from 'node:http'
import express from 'express'
import { ParseServer } from 'parse-server'

const [databaseURI] = process.argv.slice(2)

const pointer = (targetClass) => ({ type: 'Pointer', targetClass })
const everybody = { '*': true }
const open = {
  find: everybody,
  get: everybody,
  count: everybody,
  create: everybody,
  update: everybody,
  delete: everybody,
}
const definitions = Object.entries({
  Profile: {
    name: { type: 'String' },
    biography: { type: 'String' },
    numFollowers: { type: 'Number' },
    numFollowings: { type: 'Number' },
  },
  Follow: { follower: pointer('Profile'), followee: pointer('Profile'), shown: { type: 'Boolean' } },
  Outcome: {
    name: { type: 'String' },
    marketId: { type: 'Number' },
    market: { type: 'String' },
    eventId: { type: 'Number' },
    sportId: { type: 'Number' },
    event: { type: 'String' },
    priceNum: { type: 'Number' },
    priceDen: { type: 'Number' },
  },
  Tip: {
    author: pointer('Profile'),
    outcome: pointer('Outcome'),
    betId: { type: 'Number' },
    text: { type: 'String' },
    listed: { type: 'String' },
    numLikes: { type: 'Number' },
  },
}).map(([className, fields]) => ({ className, fields, classLevelPermissions: open }))

const http = createServer()
await new Promise((resolve) => http.listen(0, '127.0.0.1', resolve))
const { port } = http.address()

const parse = new ParseServer({
  databaseURI,
  databaseOptions: { max: 20 },
  appId: 'bench',
  masterKey: 'bench-master-key',
  restAPIKey: 'bench-rest-key',
  serverURL: `http://127.0.0.1:${port}/parse`,
  schema: { definitions, lockSchemas: true },
  allowClientClassCreation: false,
  allowCustomObjectId: true,
  logsFolder: null,
  logLevel: 'error',
  silent: true,
})
await parse.start()
const app = express()
app.use('/parse', parse.app)
http.on('request', app)
console.log(`listens on http://127.0.0.1:${port}`)
process.once('SIGTERM', () => process.exit(0))
