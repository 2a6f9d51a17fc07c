// What does the feed of one's followings cost, against the number of followings and the number of tips?
//   node bench/feed.ts [tips,tips,…]        times are of the statements alone, beside reading one comment by id

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readFeed } from '../src/communities/feed.ts'
import { shownCommentById } from '../src/communities/store.ts'
import { type Database, statement } from '../src/database/database.ts'
import { migrate } from '../src/database/migrate.ts'
import { openPostgres } from '../src/database/postgres.ts'
import { openSqlite } from '../src/database/sqlite.ts'
import { startPostgres } from '../test/harness/postgres.ts'

const sizes = (process.argv[2] ?? '100000,400000').split(',').map(Number)
const AUTHORS = 20_000
const FOLLOWINGS = [10, 100, 1_000, 3_000, 10_000]
const ROUNDS = 15
/** PostgreSQL plans a prepared statement anew five times on each of our three connections before it keeps a plan. */
const WARM_UP = 18
const PART = 50_000

/** What one would write first: it walks the newest tips, or sorts all of them, as the planner guesses. */
const plainJoin = statement<[own: number], { id: number }>(
  'plainJoin',
  `select c.id from follow f join comment c on c.author_id = f.followee_id
   where f.follower_id = $1 and f.shown = 1 and c.listed = 'A' order by c.id desc limit 20`,
)

const folder = mkdtempSync(join(tmpdir(), 'paddock-bench-'))
const postgres = await startPostgres(['shared_buffers=512MB', 'work_mem=16MB'])
const engines: Database[] = [
  openSqlite(join(folder, 'bench.db')),
  openPostgres({ url: postgres.url, statementTimeoutMs: 600_000 }),
]
try {
  for (const database of engines) {
    await migrate(database, 1)
    await fillPeople(database)
    let filled = 0
    for (const size of sizes) {
      await fillTips(database, filled + 1, size)
      filled = size
      await measure(database, size)
    }
  }
} finally {
  for (const database of engines) await database.close()
  await postgres.remove()
  rmSync(folder, { recursive: true, force: true })
}

function numbers(from: number, to: number): string {
  return `with recursive n (i) as (select ${from} union all select i + 1 from n where i < ${to})`
}

async function fillPeople(database: Database): Promise<void> {
  const all = numbers(1, AUTHORS)
  await database.script(`
    insert into customer (id, status, verified, currency, funds_statement_version, created_at)
    ${all} select i, 'active', 1, 'GBP', 1, i from n;
    insert into profile (id, customer_id, biography, status, created_at) ${all} select i, i, '', 'A', i from n;
    insert into profile_count (profile_id) ${all} select i from n;
    insert into sport (id, name, communities) values (1, 'One', 1), (2, 'Two', 1);
    insert into event (id, sport_id, name, start_time, status)
    ${numbers(1, 1000)} select i, 1 + i % 10 / 9, 'Event ' || i, 2000000000000 + cast(i as bigint) * 3600000, 'active' from n;
    insert into market (id, event_id, name, status) ${numbers(1, 1000)} select i, i, 'Result', 'active' from n;
    insert into outcome (id, market_id, name, status, starting_price)
    ${numbers(1, 1000)} select i, i, 'Home', 'active', 0 from n`)
  for (const [place, followings] of FOLLOWINGS.entries()) {
    await database.script(`
      insert into follow (follower_id, followee_id, created_at, shown)
      ${numbers(1, followings)} select ${place + 1}, 10 + i * ${Math.floor((AUTHORS - 20) / followings)}, i, 1 from n`)
  }
}

async function fillTips(database: Database, first: number, last: number): Promise<void> {
  for (let from = first; from <= last; from += PART) {
    const to = Math.min(last, from + PART - 1)
    await database.script(`
      insert into comment (author_id, outcome_id, sport_id, bet_id, starting_price, text, created_at, sooner, status,
        listed)
      ${numbers(from, to)} select 1 + cast(i as bigint) * 7919 % ${AUTHORS}, 1 + i * 31 % 1000, 1 + i / 7 % 10 / 9, i, 0,
        'A tip of a usual length, with a reason or two', i, -2000000000000 - (1 + cast(i as bigint) * 31 % 1000) * 3600000,
        case i % 5 when 0 then 'W' when 1 then 'A' when 2 then 'A' else 'L' end,
        case i % 5 when 0 then 'W' when 1 then 'A' when 2 then 'A' end from n;
      insert into comment_count (comment_id, author_id, outcome_id, sport_id, listed, likes)
      select id, author_id, outcome_id, sport_id, listed, case when id % 7 = 0 then id * 13 % 90 else 0 end
      from comment where id >= ${from} and id <= ${to}`)
    process.stderr.write(`\r${database.engine}: ${to} of ${last} tips `)
  }
  await database.script('analyze')
  process.stderr.write('\n')
}

async function measure(database: Database, tips: number): Promise<void> {
  const one = await time(() => database.one(shownCommentById, [6, 0]))
  console.log(
    `\n### ${database.engine}, ${tips.toLocaleString('en')} tips: one comment by id is 1 (${one.toFixed(0)} µs)\n`,
  )
  console.log('| followings | plain join | R by heads | R as served | L | E | R of a sport | R block 100 |')
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- |')
  for (const [place, followings] of FOLLOWINGS.entries()) {
    const own = place + 1
    const feed = (sortOrder: 'R' | 'L' | 'E', more: { many?: boolean; sportId?: number; blockNum?: number } = {}) => {
      const { many = followings >= 1_000, sportId = null, blockNum = 1 } = more
      return () => readFeed(database, own, many, { status: 'A', sortOrder, sportId, blockSize: 20, blockNum })
    }
    const cells = []
    for (const work of [
      () => database.query(plainJoin, [own]),
      feed('R', { many: false }),
      feed('R'),
      feed('L'),
      feed('E'),
      feed('R', { sportId: 2 }),
      feed('R', { blockNum: 100 }),
    ]) {
      cells.push(((await time(work)) / one).toFixed(1))
      process.stderr.write(`\r${database.engine}, ${tips} tips, ${followings} followings: ${cells.length} of 7 `)
    }
    console.log(`| ${followings.toLocaleString('en')} | ${cells.join(' | ')} |`)
  }
}

/** Microseconds, the best of the rounds: whatever else the machine does only adds. */
async function time(work: () => Promise<unknown>): Promise<number> {
  const figures: number[] = []
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const start = performance.now()
    await work()
    if (round >= WARM_UP) figures.push((performance.now() - start) * 1000)
  }
  return Math.min(...figures)
}
