// A process that reads an installation without a pause while it is upgraded: `node reader.js ADDRESS-OR-FILE`. When its input ends it
// prints how often it has read, and what failed. One table at a time, so that it holds no lock while it waits for another.

import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'

const [place = ''] = process.argv.slice(2)
const TABLES = ['comment', 'profile', 'deposit', 'transfer', 'outcome', 'follow', 'customer', 'decision']
const seen = { reads: 0, failed: [] }
let over = false
process.stdin.on('end', () => {
  over = true
})
process.stdin.resume()

const client = place.startsWith('postgres') ? new pg.Client({ connectionString: place }) : undefined
await client?.connect()
const file = client === undefined ? new DatabaseSync(place, { readOnly: true, timeout: 5_000 }) : undefined
console.log('reading')
while (!over) {
  for (const table of TABLES) {
    const sql = `select * from ${table} order by 1 desc limit 20`
    try {
      const rows = client === undefined ? file.prepare(sql).all() : (await client.query(sql)).rows
      if (rows.length === 0) throw new Error(`${table} is empty`)
      seen.reads++
    } catch (error) {
      seen.failed.push(`${table}: ${error.message}`)
    }
  }
  await new Promise((resolve) => setImmediate(resolve))
}
await client?.end()
console.log(JSON.stringify(seen))
