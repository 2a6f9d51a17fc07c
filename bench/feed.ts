// Measures the statements of the home feed: `npm run bench:feed -- --help`.
//
// It measures CPU time, of this process (SQLite) or of PostgreSQL's, which depends little on other load of the machine.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { oneOf, positiveNumber, readCommandLine, UsageError } from '../scripts/command-line.js'
import type { ListQuery } from '../src/communities/comment-lists.ts'
import { authorLists } from '../src/communities/comment-lists.ts'
import { cursorOf, readFeed } from '../src/communities/feed.ts'
import { newWindowHint } from '../src/communities/feed-cursors.ts'
import { shownCommentById } from '../src/communities/store.ts'
import { type Database, type NoParameters, reading } from '../src/platform/database/database.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { openPostgres } from '../src/platform/database/postgres/postgres.ts'
import { openSqlite } from '../src/platform/database/sqlite/sqlite.ts'
import { followersOf } from '../src/profiles/store.ts'
import { startPostgres } from '../test/harness/postgres.ts'
import { CELEBRITY, FOLLOWINGS, fillMutes, fillPeople, fillTips, MUTE_TIMES } from './feed-data.ts'

const USAGE = `Usage: npm run bench:feed -- [--mutes] [TIPS,TIPS…] [ENGINE]

  Measures the home feed against the number of followings, the number of tips and the block: the CPU time of the statements
  alone, beside reading one comment by id.

  TIPS     how many tips there are (300000); several numbers, ascending, measure each
  ENGINE   sqlite or postgres (both)
  --mutes  only readers who have muted 1,000 profiles, beside the same readers without`

const { sizes, only, mutes } = readCommandLine(USAGE, (args) => {
  const options = { mutes: { type: 'boolean', default: false } } as const
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const [tips = '300000', engine = 'both', ...others] = positionals
  if (others.length > 0) throw new UsageError(`${others.join(' ')}: nothing comes after the engine`)
  return {
    sizes: tips.split(',').map((one) => positiveNumber('TIPS', one)),
    only: oneOf('ENGINE', engine, ['sqlite', 'postgres', 'both']),
    mutes: values.mutes,
  }
})
const ROUNDS = 9
/** On each of our three connections PostgreSQL plans a prepared statement five times before it reuses a plan. */
const WARM_UP = { sqlite: 2, postgres: 18 }
const BLOCK = 20

/** The obvious query: it walks the newest tips or sorts all of them, whichever the planner chooses. */
const plainJoin = reading<{ own: number }, { id: number }>(
  'plainJoin',
  `select c.id from follow f join comment c on c.author_id = f.followee_id
   where f.follower_id = :own and f.shown = 1 and c.listed = 'A' order by c.id desc limit 20`,
)

const connection = reading<NoParameters, { pid: number }>('connection', 'select pg_backend_pid() as pid')

const folder = mkdtempSync(join(tmpdir(), 'paddock-bench-'))
const postgres = await startPostgres(['shared_buffers=512MB', 'work_mem=16MB', 'maintenance_work_mem=256MB'])
const engines: Database[] = []
if (only !== 'postgres') engines.push(openSqlite(join(folder, 'bench.db')))
if (only !== 'sqlite') engines.push(openPostgres({ url: postgres.url, statementTimeoutMs: 600_000 }))
try {
  for (const database of engines) {
    await migrate(database, 1)
    await fillPeople(database)
    let filled = 0
    for (const size of sizes) {
      await fillTips(database, filled + 1, size)
      filled = size
      if (!mutes) await measure(database, size)
      await measureMutes(database, size)
    }
  }
} finally {
  for (const database of engines) await database.close()
  await postgres.remove()
  rmSync(folder, { recursive: true, force: true })
}

type Cost = { followings: number; first: number; sequence: number; direct: number }

async function measure(database: Database, tips: number): Promise<void> {
  const one = await time(database, async () => database.one(shownCommentById, { id: 6, viewer: 0 }))
  console.log(
    `\n### ${database.engine}, ${tips.toLocaleString('en')} tips: one comment by id is 1 (${one.toFixed(0)} µs)\n\n` +
      'Each cell: block 1, block 100 after block 99, block 100 requested directly (– where there is none).\n\n' +
      '| followings | sport | R | L | E | plain join, R |\n| --- | --- | --- | --- | --- | --- |',
  )
  const costs: Cost[] = []
  for (const [index, followings] of FOLLOWINGS.entries()) {
    for (const sportId of [null, 2]) {
      const cells: string[] = []
      for (const sortOrder of ['R', 'L', 'E'] as const) {
        const reader = { own: index + 1, followings, now: Date.now() }
        const cost = await costOf(database, reader, { status: 'A', sortOrder, sportId, blockSize: BLOCK, blockNum: 1 })
        costs.push({ followings, ...cost })
        cells.push([cost.first, cost.sequence, cost.direct].map((figure) => ratio(figure / one)).join(' · '))
        process.stderr.write(`\r${database.engine}, ${tips} tips, ${followings} followings, ${sortOrder}     `)
      }
      cells.push(
        sportId === null
          ? ratio((await time(database, () => database.query(plainJoin, { own: index + 1 }))) / one)
          : '',
      )
      console.log(`| ${followings.toLocaleString('en')} | ${sportId === null ? 'all' : 'one'} | ${cells.join(' | ')} |`)
    }
  }
  summarise(costs)
  await measureLists(database)
}

async function costOf(database: Database, reader: { own: number; followings: number; now: number }, query: ListQuery) {
  const before = await readFeed(database, reader, { ...query, blockNum: 99 })
  const start = before.length === BLOCK ? cursorOf(before.at(-1)) : undefined
  const read = (blockNum: number, position: Parameters<typeof readFeed>[3]) =>
    time(database, () => readFeed(database, reader, { ...query, blockNum }, position))
  // As the service caches it for a reader who pages through; the block requested directly finds nothing cached.
  const window = newWindowHint()
  return {
    first: await read(1, { window }),
    sequence: start === undefined ? Number.NaN : await read(100, { start, window }),
    direct: start === undefined ? Number.NaN : await read(100, {}),
  }
}

function ratio(figure: number): string {
  return Number.isNaN(figure) ? '–' : figure.toFixed(figure < 10 ? 1 : 0)
}

function summarise(costs: Cost[]): void {
  const of = (followings: number) => costs.filter((cost) => cost.followings === followings).map((cost) => cost.first)
  const most = (figures: number[]) => Math.max(...figures.filter((figure) => !Number.isNaN(figure))).toFixed(1)
  const few = of(FOLLOWINGS[0] as number)
  for (const followings of FOLLOWINGS.slice(1)) {
    const times = of(followings).map((cost, at) => cost / (few[at] as number))
    console.log(`${at(followings)} against 10, block 1: at most ${most(times)} times`)
  }
  console.log(
    `\nBlock 100 after block 99, against block 1: at most ${most(costs.map((one) => one.sequence / one.first))} times`,
  )
  console.log(`Block 100 directly, against block 1: at most ${most(costs.map((one) => one.direct / one.first))} times`)
}

function at(followings: number): string {
  return `\n${followings.toLocaleString('en')} followings`
}

/** The lists that skip rows by an index: the tips of one author, and the followers of one profile. */
async function measureLists(database: Database): Promise<void> {
  for (const order of ['R', 'L', 'E'] as const) {
    const list = (block: number) =>
      time(database, () =>
        database.query(authorLists[order].all, {
          author: CELEBRITY,
          listed: 'A',
          limit: BLOCK,
          offset: (block - 1) * BLOCK,
          viewer: 0,
          sport: null,
        }),
      )
    console.log(
      `\nTips of one author, ${order}: block 100 against block 1 ${((await list(100)) / (await list(1))).toFixed(1)}`,
    )
  }
  const followers = (page: number) =>
    time(database, () => database.query(followersOf, { id: CELEBRITY, viewer: 0, limit: BLOCK, offset: page * BLOCK }))
  const figures = [await followers(0), await followers(99), await followers(3_999)]
  const [first = 1, hundredth = 0, last = 0] = figures
  console.log(
    `\nFollowers: page 100 against page 1 ${(hundredth / first).toFixed(1)}, page 4,000 ${(last / first).toFixed(1)}`,
  )
}

/**
 * The cost of block 1 with mutes by its cost without them: the same statements on the same rows, in turns, at times before and
 * after mutes end.
 */
async function measureMutes(database: Database, tips: number): Promise<void> {
  await fillMutes(database)
  console.log(
    `\n### ${database.engine}, ${tips.toLocaleString('en')} tips: block 1 of readers with 1,000 mutes, by its cost without\n\n` +
      'Each cell: a tenth of the followings muted, half of them muted (1,000 at most).\n\n' +
      '| followings | R | L | E |\n| --- | --- | --- | --- |',
  )
  for (const [index, followings] of FOLLOWINGS.entries()) {
    const cells: string[] = []
    for (const sortOrder of ['R', 'L', 'E'] as const) {
      const query: ListQuery = { status: 'A', sortOrder, sportId: null, blockSize: BLOCK, blockNum: 1 }
      const read = (now: number) => {
        const window = newWindowHint()
        return () => readFeed(database, { own: index + 1, followings, now }, query, { window })
      }
      const { none, tenth, half } = MUTE_TIMES
      const [without = 1, ...muted] = await times(database, [read(none), read(tenth), read(half)])
      cells.push(muted.map((one) => (one / without).toFixed(2)).join(' · '))
    }
    console.log(`| ${followings.toLocaleString('en')} | ${cells.join(' | ')} |`)
  }
}

async function time(database: Database, work: () => Promise<unknown>): Promise<number> {
  const [figure = Number.NaN] = await times(database, [work])
  return figure
}

/** Microseconds of the best round of each, in turns. */
async function times(database: Database, works: readonly (() => Promise<unknown>)[]): Promise<number[]> {
  const best = works.map(() => Number.POSITIVE_INFINITY)
  const warmUp = WARM_UP[database.engine]
  const clock = await cpuClock(database)
  for (let round = 0; round < warmUp + ROUNDS; round++) {
    for (const [index, work] of works.entries()) {
      const start = clock()
      await work()
      // Linux counts a server process when it sleeps again, a moment after its answer.
      if (database.engine === 'postgres') await setTimeout(1)
      if (round >= warmUp) best[index] = Math.min(best[index] as number, clock() - start)
    }
  }
  return best
}

async function cpuClock(database: Database): Promise<() => number> {
  if (database.engine === 'sqlite') {
    return () => {
      const { user, system } = process.cpuUsage()
      return user + system
    }
  }
  // Statements go to a few connections in turn.
  const rows = await Promise.all([1, 2, 3, 4, 5, 6].map(() => database.query(connection, {})))
  const pids = [...new Set(rows.flat().map(({ pid }) => pid))]
  // Linux counts nanoseconds for each process.
  const used = (pid: number) => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000
  return () => pids.reduce((sum, pid) => sum + used(pid), 0)
}
