// Plays operations against each other on PostgreSQL, statement by statement: `npm run interleavings -- --help`.

import { parseArgs } from 'node:util'
import { positiveNumber, readCommandLine, UsageError } from '../../scripts/command-line.js'
import { migrate } from '../../src/platform/database/migrate.ts'
import { openPostgres } from '../../src/platform/database/postgres/postgres.ts'
import { checkLedger } from '../../src/wallets/books/ledger-check.ts'
import { newDataFolder } from '../harness/data-folder.ts'
import { runSql, startPostgres } from '../harness/postgres.ts'
import type { Collision } from './collisions/collision.ts'
import { COLLISIONS } from './collisions.ts'
import { playSeeds, playSwitches } from './explore.ts'
import { judge, type Violation } from './judge.ts'
import { repeating } from './orders.ts'
import { openWorld, type World } from './world.ts'

const USAGE = `Usage: npm run interleavings -- [options]

  Two processes of the service play two operations about one customer's money on PostgreSQL. Before each statement, commit, call of the
  gateway and timer they wait until a scheduler lets them through, one at a time; whoever waits for a lock is left until PostgreSQL
  says that it no longer does. First all interleavings with one switch, then such as a seed chooses. Each must end, in answers and money,
  as the same transactions do one after another; nobody may fail or deadlock, no card may get too much, and the ledger must add up.
  A violation is printed with its steps and with the order that repeats it.

  --count N          how many schedules, with those one after another (20000)
  --seed N           of the scheduler (at random)
  --pair NAME        only this pair of operations
  --order ORDER      only the order that was printed; needs its pair
  --without NAME     the statement of this name loses its lock: exit code 0 then means that a violation was found
  --help

Pairs:
${COLLISIONS.map(({ name }) => `  ${name}`).join('\n')}`

const { count, seed, pair, order, without } = readCommandLine(USAGE, (args) => {
  const options = {
    count: { type: 'string', default: '20000' },
    seed: { type: 'string' },
    pair: { type: 'string' },
    order: { type: 'string' },
    without: { type: 'string' },
  } as const
  const { values } = parseArgs({ args, options })
  const { pair, order, without = null } = values
  if (pair !== undefined && !COLLISIONS.some(({ name }) => name === pair)) {
    throw new UsageError(`--pair ${pair}: use one of the names below`)
  }
  if (order !== undefined && pair === undefined) throw new UsageError('--order needs --pair')
  const seed = values.seed === undefined ? Date.now() % 2 ** 31 : positiveNumber('--seed', values.seed)
  return { count: positiveNumber('--count', values.count), seed, pair, order, without }
})

/** A database for so many: its ledger is checked as a whole, and stays small. */
const PART = 2_000
const TEMPLATE = 'interleavings'

const collisions = COLLISIONS.filter(({ name }) => pair === undefined || name === pair)
const server = await startPostgres(['max_wal_size=256MB'], newDataFolder())
let played = 0
let violations = 0
try {
  await runSql(server.url, `create database ${TEMPLATE}`)
  const template = openPostgres({ url: urlOf(TEMPLATE) })
  await migrate(template, Date.now())
  await template.close()
  if (order !== undefined) await inWorld(0, (world) => repeat(world, collisions[0] as Collision, order))
  else await playAll()
} finally {
  await server.remove()
}
process.exitCode = violations > 0 === (without !== null) ? 0 : 1

function urlOf(name: string): string {
  const url = new URL(server.url)
  url.pathname = `/${name}`
  return url.href
}

async function inWorld(part: number, work: (world: World) => Promise<void>): Promise<void> {
  const name = `part_${part}`
  await runSql(server.url, `create database ${name} template ${TEMPLATE}`)
  const world = await openWorld(urlOf(name))
  try {
    await work(world)
    const { problems } = await checkLedger(world.context.database)
    if (problems.length > 0) report(['the ledger does not add up', ...problems])
  } finally {
    await world.close()
  }
  await runSql(server.url, `drop database ${name} with (force)`)
}

async function playAll(): Promise<void> {
  console.log(`seed ${seed}`)
  const started = performance.now()
  for (let part = 0; played < count && violations === 0; part++) {
    await inWorld(part, (world) => playPart(world, part))
    console.log(`${played} schedules, ${Math.round((performance.now() - started) / 1000)} s, ${inWords(violations)}`)
  }
}

async function playPart(world: World, part: number): Promise<void> {
  const most = Math.min(PART, count - played)
  const seeds = Math.max(1, Math.ceil(most / collisions.length) - 2)
  for (const [index, collision] of collisions.entries()) {
    const judging = await judge(world, collision)
    const switches = part === 0 ? await playSwitches(judging, { all: true, without }) : null
    const violation =
      switches ?? (await playSeeds(judging, { seed: seed + part * collisions.length + index, count: seeds, without }))
    played += judging.played()
    if (violation !== null) reportViolation(violation)
    if (played >= count) return
  }
}

async function repeat(world: World, collision: Collision, decisions: string): Promise<void> {
  const { played, violation } = await (await judge(world, collision)).play(repeating(decisions), without)
  for (const [index, { text }] of played.answers.entries()) console.log(`process ${index} answers ${text}`)
  if (violation === null) console.log('no violation')
  else reportViolation(violation)
}

function reportViolation({ collision, problems, order: found, steps }: Violation): void {
  const again = `npm run interleavings -- --pair '${collision}' --order '${found}'`
  report([
    ...problems,
    ...steps.map((step) => `  ${step}`),
    `Again: ${again}${without === null ? '' : ` --without ${without}`}`,
  ])
}

function report(lines: readonly string[]): void {
  violations++
  console.log(lines.join('\n'))
}

function inWords(found: number): string {
  return found === 0 ? 'no violation' : `${found} violations`
}
