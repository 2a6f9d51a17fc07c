// The data of bench/feed.ts: many authors with tips in every state, and readers who follow few or many of them.

import { readdirSync, readFileSync } from 'node:fs'
import type { Database } from '../src/platform/database/database.ts'
import { withoutTriggers } from '../test/harness/without-triggers.ts'

const AUTHORS = 100_000
/** Reader 1 follows the first number of authors, reader 2 the second, … */
export const FOLLOWINGS = [10, 200, 1_000, 10_000, 20_000]
/** Everybody but the readers follows this author, who makes every 500th tip. */
export const CELEBRITY = 9
/** Other follows of each author, so that the table has its usual size. */
const FOLLOWS_OF_OTHERS = 10
const OUTCOMES = 1_000
const ROWS_PER_STATEMENT = 50_000

const migrations = new URL('../migrations/', import.meta.url)
const schema = readdirSync(migrations).filter((file) => file.endsWith('.sql'))
/** The last migration that creates an index has its definition. */
const INDEXES = new Map<string, string>()
for (const file of schema.sort()) {
  const text = readFileSync(new URL(file, migrations), 'utf8')
  for (const [sql, name] of text.matchAll(/create (?:unique )?index (\w+)\s+on (?:comment|comment_count) [^;]+;/g))
    INDEXES.set(name as string, sql)
}

/** An outcome, its market and its event have the same id; every tenth is of sport 2. */
function sportOf(outcome: string): string {
  return `1 + ${outcome} / 5 % 10 / 9`
}

function startOf(outcome: string): string {
  return `(2000000000000 + cast(${outcome} as bigint) * 3600000)`
}

/** A pseudo-random number below `most` for each i: the high bits of a multiplication. */
function scattered(most: number, multiplier: number): string {
  return `(cast(i as bigint) * ${multiplier} % 4294967296 * ${most} / 4294967296)`
}

export function fillPeople(database: Database): Promise<void> {
  return withoutTriggers(database, () => insertPeople(database))
}

async function insertPeople(database: Database): Promise<void> {
  const all = numbers(1, AUTHORS)
  const followings = FOLLOWINGS.map((count, index) => `when ${index + 1} then ${count}`).join(' ')
  const fills = [
    `insert into customer (id, status, verified, currency, funds_statement_version, created_at)
     ${all} select i, 'active', 1, 'GBP', 1, i from n`,
    `insert into profile (id, customer_id, biography, status, created_at) ${all} select i, i, '', 'A', i from n`,
    `insert into profile_count (profile_id, num_followings)
     ${all} select i, case i ${followings} else ${FOLLOWS_OF_OTHERS} end from n`,
    `insert into sport (id, name, communities) values (1, 'One', 1), (2, 'Two', 1)`,
    `insert into event (id, sport_id, name, start_time, status)
     ${numbers(1, OUTCOMES)} select i, ${sportOf('i')}, 'Event ' || i, ${startOf('i')}, 'active' from n`,
    `insert into market (id, event_id, name, status) ${numbers(1, OUTCOMES)} select i, i, 'Result', 'active' from n`,
    `insert into outcome (id, market_id, name, status, starting_price)
     ${numbers(1, OUTCOMES)} select i, i, 'Home', 'active', 0 from n`,
  ]
  // Analyse after each: the checks of foreign keys are planned too, and would otherwise take the tables for empty.
  for (const fill of fills) await database.script(`${fill}; analyze`)
  for (const [index, followings] of FOLLOWINGS.entries()) {
    await insert(
      database,
      `insert into follow (follower_id, followee_id, created_at, shown)
      ${numbers(1, followings)} select ${index + 1}, 10 + i * 7919 % ${AUTHORS - 10}, i, 1 from n`,
    )
  }
  for (let step = 1; step <= FOLLOWS_OF_OTHERS; step++) {
    await insert(
      database,
      `insert into follow (follower_id, followee_id, created_at, shown)
      ${numbers(10, AUTHORS)} select i, 10 + (i + ${step * 4_999}) % ${AUTHORS - 10}, i, 1 from n`,
    )
  }
  await insert(
    database,
    `insert into follow (follower_id, followee_id, created_at, shown)
    ${numbers(10, AUTHORS)} select i, ${CELEBRITY}, i, 1 from n`,
  )
  await database.script(database.engine === 'postgres' ? 'vacuum analyze follow' : 'analyze')
}

/** Tips from `first` to `last`. Indexes are created at the end: minutes instead of an hour. */
export async function fillTips(database: Database, first: number, last: number): Promise<void> {
  // More than the usual 2 MB, to sort the indexes; on the connection that writes, not on the measured one.
  if (database.engine === 'sqlite') await database.script('pragma cache_size = -262144')
  for (const name of INDEXES.keys()) await database.script(`drop index ${name}`)
  for (let from = first; from <= last; from += ROWS_PER_STATEMENT) {
    const to = Math.min(last, from + ROWS_PER_STATEMENT - 1)
    await withoutTriggers(database, () => insert(database, tips(from, to)))
    process.stderr.write(`\r${database.engine}: ${to} of ${last} tips `)
  }
  for (const [name, sql] of INDEXES) {
    process.stderr.write(`\r${database.engine}: ${name}                    `)
    await database.script(sql)
  }
  // PostgreSQL reads only the index (an index-only scan) after a vacuum.
  await database.script(database.engine === 'postgres' ? 'vacuum analyze' : 'analyze')
  process.stderr.write('\n')
}

/** Without PostgreSQL's checks of foreign keys, which take longer than the rows. */
function insert(database: Database, sql: string): Promise<void> {
  const withoutChecks = database.engine === 'postgres' ? 'set local session_replication_role = replica;' : ''
  return database.script(`${withoutChecks} ${sql}`)
}

/** Two of five outcomes are open and one has won; tips on the others are in no list. */
function tips(from: number, to: number): string {
  return `
    insert into comment (author_id, outcome_id, sport_id, bet_id, starting_price, text, created_at, start_order, status, listed)
    select author, outcome, ${sportOf('outcome')}, i, 0, 'A tip of a usual length, with a reason or two', i,
      -${startOf('outcome')}, case outcome % 5 when 0 then 'W' when 1 then 'A' when 2 then 'A' else 'L' end,
      case outcome % 5 when 0 then 'W' when 1 then 'A' when 2 then 'A' end
    from (${numbers(from, to)}
      select i, case when i % 500 = 0 then ${CELEBRITY} else 1 + ${scattered(AUTHORS, 2654435761)} end as author,
        1 + ${scattered(OUTCOMES, 2246822519)} as outcome from n
    ) as tip;
    insert into comment_count (comment_id, author_id, outcome_id, sport_id, listed, likes)
    select id, author_id, outcome_id, sport_id, listed, case when id % 7 = 0 then id * 13 % 90 else 0 end
    from comment where id >= ${from} and id <= ${to}`
}

function numbers(from: number, to: number): string {
  return `with recursive n (i) as (select ${from} union all select i + 1 from n where i < ${to})`
}

const MUTES = 1_000

/** At `none` no mute lasts, at `tenth` those of a tenth of the followings, at `half` those of half of them. */
export const MUTE_TIMES = { half: 1_000, tenth: 2_000, none: 3_000 } as const

/** How many of the reader's 1,000 mutes are of followed profiles; the others are of strangers. */
export function mutedOf(followings: number, share: 'half' | 'tenth'): number {
  return Math.min(MUTES, followings / (share === 'half' ? 2 : 10))
}

/** Mutes authors for each reader; does nothing a second time. */
export async function fillMutes(database: Database): Promise<void> {
  for (const [index, followings] of FOLLOWINGS.entries()) {
    const reader = index + 1
    for (const share of ['half', 'tenth'] as const) {
      await database.script(`
        update follow set muted_until = ${MUTE_TIMES[share] + 1} where id in (
          select id from follow where follower_id = ${reader} and shown = 1 order by id limit ${mutedOf(followings, share)})`)
    }
    await database.script(`
      insert into profile_mute (profile_id, other_id, created_at, until)
      select ${reader}, followee_id, 1, muted_until from follow where follower_id = ${reader} and muted_until > 0
      on conflict (profile_id, other_id) do nothing;
      insert into profile_mute (profile_id, other_id, created_at, until)
      ${numbers(1, MUTES)} select ${reader}, 100000000 + i, 1, ${Number.MAX_SAFE_INTEGER} from n
      where i <= ${MUTES - mutedOf(followings, 'half')} on conflict (profile_id, other_id) do nothing`)
  }
  await database.script('analyze')
}
