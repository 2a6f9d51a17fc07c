// The data of bench/feed: many authors with tips of every kind, and a few readers who follow few or many of them.

import { readdirSync, readFileSync } from 'node:fs'
import type { Database } from '../src/database/database.ts'

export const AUTHORS = 100_000
/** Reader 1 follows the first number of authors, reader 2 the second, … */
export const FOLLOWINGS = [10, 200, 1_000, 10_000, 20_000]
/** Everybody else follows this one, who makes every 500th tip; no reader does. */
export const STAR = 9
/** What everybody else follows beside, so that the table of follows has its usual size. */
const FOLLOWS_OF_OTHERS = 10
const OUTCOMES = 1_000
const PART = 50_000

const migrations = new URL('../migrations/', import.meta.url)
const schema = readdirSync(migrations).filter((file) => file.endsWith('.sql'))
/** As the last migration has each of them. */
const INDEXES = new Map<string, string>()
for (const file of schema.sort()) {
  const text = readFileSync(new URL(file, migrations), 'utf8')
  for (const [sql, name] of text.matchAll(/create (?:unique )?index (\w+)\s+on (?:comment|comment_count) [^;]+;/g))
    INDEXES.set(name as string, sql)
}

/** Of an outcome, its market and its event, which all have the same number: every tenth is of sport 2. */
function sportOf(outcome: string): string {
  return `1 + ${outcome} / 5 % 10 / 9`
}

function startOf(outcome: string): string {
  return `(2000000000000 + cast(${outcome} as bigint) * 3600000)`
}

/** Numbers below `most` in no order, the same for the same i: the high bits of a multiplication. */
function scattered(most: number, multiplier: number): string {
  return `(cast(i as bigint) * ${multiplier} % 4294967296 * ${most} / 4294967296)`
}

export async function fillPeople(database: Database): Promise<void> {
  const all = numbers(1, AUTHORS)
  const followings = FOLLOWINGS.map((count, place) => `when ${place + 1} then ${count}`).join(' ')
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
  // Analysed at once: the checks of foreign keys are planned too, and would go on taking the tables for empty ones.
  for (const fill of fills) await database.script(`${fill}; analyze`)
  for (const [place, followings] of FOLLOWINGS.entries()) {
    await load(
      database,
      `insert into follow (follower_id, followee_id, created_at, shown)
      ${numbers(1, followings)} select ${place + 1}, 10 + i * 7919 % ${AUTHORS - 10}, i, 1 from n`,
    )
  }
  for (let step = 1; step <= FOLLOWS_OF_OTHERS; step++) {
    await load(
      database,
      `insert into follow (follower_id, followee_id, created_at, shown)
      ${numbers(10, AUTHORS)} select i, 10 + (i + ${step * 4_999}) % ${AUTHORS - 10}, i, 1 from n`,
    )
  }
  await load(
    database,
    `insert into follow (follower_id, followee_id, created_at, shown)
    ${numbers(10, AUTHORS)} select i, ${STAR}, i, 1 from n`,
  )
  await database.script(database.engine === 'postgres' ? 'vacuum analyze follow' : 'analyze')
}

/** Tips from `first` to `last`, with the indexes made at the end: that takes minutes instead of an hour. */
export async function fillTips(database: Database, first: number, last: number): Promise<void> {
  // More than the usual 2 MB, for sorting the indexes; on the connection that writes, not on the one that is measured.
  if (database.engine === 'sqlite') await database.script('pragma cache_size = -262144')
  for (const name of INDEXES.keys()) await database.script(`drop index ${name}`)
  for (let from = first; from <= last; from += PART) {
    const to = Math.min(last, from + PART - 1)
    await load(database, tips(from, to))
    process.stderr.write(`\r${database.engine}: ${to} of ${last} tips `)
  }
  for (const [name, sql] of INDEXES) {
    process.stderr.write(`\r${database.engine}: ${name}                    `)
    await database.script(sql)
  }
  // PostgreSQL reads an index alone only where a vacuum has been.
  await database.script(database.engine === 'postgres' ? 'vacuum analyze' : 'analyze')
  process.stderr.write('\n')
}

/** Without PostgreSQL's checks of foreign keys, which take longer than the rows: the data here are right by how they are made. */
function load(database: Database, sql: string): Promise<void> {
  const quickly = database.engine === 'postgres' ? 'set local session_replication_role = replica;' : ''
  return database.script(`${quickly} ${sql}`)
}

/** Of the outcomes two in five are open, one has won; the tips on the others are in no list. */
function tips(from: number, to: number): string {
  return `
    insert into comment (author_id, outcome_id, sport_id, bet_id, starting_price, text, created_at, sooner, status, listed)
    select author, outcome, ${sportOf('outcome')}, i, 0, 'A tip of a usual length, with a reason or two', i,
      -${startOf('outcome')}, case outcome % 5 when 0 then 'W' when 1 then 'A' when 2 then 'A' else 'L' end,
      case outcome % 5 when 0 then 'W' when 1 then 'A' when 2 then 'A' end
    from (${numbers(from, to)}
      select i, case when i % 500 = 0 then ${STAR} else 1 + ${scattered(AUTHORS, 2654435761)} end as author, 1 + ${scattered(OUTCOMES, 2246822519)} as outcome from n
    ) as made;
    insert into comment_count (comment_id, author_id, outcome_id, sport_id, listed, likes)
    select id, author_id, outcome_id, sport_id, listed, case when id % 7 = 0 then id * 13 % 90 else 0 end
    from comment where id >= ${from} and id <= ${to}`
}

function numbers(from: number, to: number): string {
  return `with recursive n (i) as (select ${from} union all select i + 1 from n where i < ${to})`
}
