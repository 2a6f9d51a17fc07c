// How long does anybody wait while a market with many tips is settled?
//   node bench/settlement.ts [tips]         others keep writing (one row, in turns) meanwhile

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { standingWork } from '../src/communities/standing.ts'
import { type Database, statement } from '../src/database/database.ts'
import { migrate } from '../src/database/migrate.ts'
import { openPostgres } from '../src/database/postgres.ts'
import { openSqlite } from '../src/database/sqlite.ts'
import { settleMarket } from '../src/sportsbook/settlement.ts'
import { startPostgres } from '../test/harness/postgres.ts'

const tips = Number(process.argv[2] ?? 100_000)
const AUTHORS = 1_000

const left = statement<[], { left_over: number }>('left', 'select count(*) as left_over from comment_work')
const write = statement<[now: number]>('write', 'update sport set name = cast($1 as text) where id = 1')

const folder = mkdtempSync(join(tmpdir(), 'paddock-bench-'))
const postgres = await startPostgres()
console.log('| engine | tips | settlement answered | all comments followed | longest wait of another write |')
console.log('| --- | --- | --- | --- | --- |')
try {
  await measure(openSqlite(join(folder, 'bench.db')))
  await measure(openPostgres({ url: postgres.url, statementTimeoutMs: 600_000 }))
} finally {
  await postgres.remove()
  rmSync(folder, { recursive: true, force: true })
}

async function measure(database: Database): Promise<void> {
  await migrate(database, 1)
  await fill(database)
  const work = standingWork(database, pino({ level: 'silent' }))
  const start = performance.now()
  let done = false
  const others = othersWait(database, () => done)
  await database.transaction((transaction) => settleMarket(transaction, 1, { 1: 'win' }, 1))
  await work.begin()
  const answered = performance.now() - start
  while (((await database.one(left, []))?.left_over ?? 0) > 0) await new Promise((resolve) => setTimeout(resolve, 20))
  const followed = performance.now() - start
  done = true
  const longest = await others
  await work.close()
  await database.close()
  const ms = (time: number) => `${time.toFixed(0)} ms`
  console.log(`| ${database.engine} | ${tips} | ${ms(answered)} | ${ms(followed)} | ${ms(longest)} |`)
}

async function othersWait(database: Database, isDone: () => boolean): Promise<number> {
  let longest = 0
  while (!isDone()) {
    const start = performance.now()
    await database.run(write, [start])
    longest = Math.max(longest, performance.now() - start)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  return longest
}

async function fill(database: Database): Promise<void> {
  const numbers = (to: number) => `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${to})`
  await database.script(`
    insert into customer (id, status, verified, currency, funds_statement_version, created_at)
    ${numbers(AUTHORS)} select i, 'active', 1, 'GBP', 1, i from n;
    insert into profile (id, customer_id, biography, status, created_at)
    ${numbers(AUTHORS)} select i, i, '', 'A', i from n;
    insert into profile_count (profile_id, num_live) ${numbers(AUTHORS)} select i, ${Math.ceil(tips / AUTHORS)} from n;
    insert into sport (id, name, communities) values (1, 'One', 1);
    insert into event (id, sport_id, name, start_time, status) values (1, 1, 'One', 1, 'active');
    insert into market (id, event_id, name, status) values (1, 1, 'One', 'active');
    insert into outcome (id, market_id, name, status, starting_price) values (1, 1, 'One', 'active', 0);
    insert into outcome_count (outcome_id, num_live) values (1, ${tips});
    insert into comment (author_id, outcome_id, sport_id, bet_id, starting_price, text, created_at, sooner)
    ${numbers(tips)} select 1 + i % ${AUTHORS}, 1, 1, i, 0, 'A tip of a usual length', i, -1 from n;
    insert into comment_count (comment_id, author_id, outcome_id, sport_id, listed)
    select id, author_id, 1, 1, 'A' from comment;
    analyze`)
}
