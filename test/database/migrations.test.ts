import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, DatabaseUnavailable, type NoParameters, reading } from '../../src/platform/database/database.ts'
import { migrate, readMigrations } from '../../src/platform/database/migrate.ts'
import { openPostgres } from '../../src/platform/database/postgres/postgres.ts'
import { applyUpTo, openTestDatabase as open } from '../harness/old-schema.ts'
import { engine, newTestDatabase, type TestDatabase } from '../harness/service.ts'

let testDatabase: TestDatabase
const opened: Database[] = []

function openForAll(): Database {
  const database = open(testDatabase)
  opened.push(database)
  return database
}

beforeAll(async () => {
  testDatabase = await newTestDatabase('empty')
})

afterAll(async () => {
  for (const database of opened) await database.close()
  await testDatabase.remove()
})

describe('migrations', () => {
  test('two processes that start at the same time apply each migration once', async () => {
    const applied = await Promise.all([migrateInProcess(), migrateInProcess()])
    const names = readMigrations(engine).map((migration) => migration.name)
    expect(applied.flat().sort()).toEqual(names.sort())
    expect(applied.filter((one) => one.length > 0)).toHaveLength(1)
    expect(await migrate(openForAll(), 3)).toEqual([])
  })

  test('the schema equals the snapshot', async () => {
    const file = new URL(`../../migrations/schema.${engine}.txt`, import.meta.url)
    const now = await describeSchema(openForAll())
    // UPDATE_SCHEMA=1 npx vitest run test/database writes the snapshot again, for review and commit.
    if (process.env.UPDATE_SCHEMA) writeFileSync(file, now)
    expect(now).toBe(readFileSync(file, 'utf8'))
  })

  test('a migration that was changed after it was applied is refused', async () => {
    const database = openForAll()
    await database.script(`update migration set checksum = 'other' where number = 1`)
    await expect(migrate(database, 4)).rejects.toThrow(/0001-foundation was changed after it was applied/)
    await database.script(`update migration set checksum = '${readMigrations(engine)[0]?.checksum}' where number = 1`)
  })

  test.runIf(engine === 'sqlite')(
    'a row that refers to a missing one ends the migrations, which change nothing',
    async () => {
      const own = await newTestDatabase('empty')
      const database = open(own)
      await applyUpTo(147, database)
      await database.script(`pragma foreign_keys = off;
      insert into comment_like (profile_id, comment_id, created_at) values (1, 1, 1); pragma foreign_keys = on`)
      await expect(migrate(database, 6)).rejects.toThrow('a row of comment_like refers to a row of')
      await database.script('delete from comment_like')
      expect(await migrate(database, 6)).toContain('0148-start-order')
      await expect(
        database.script('insert into comment_like (profile_id, comment_id, created_at) values (1, 1, 1)'),
      ).rejects.toThrow('FOREIGN KEY')
      await database.close()
      await own.remove()
    },
  )

  test('a database of a newer version is refused', async () => {
    const database = openForAll()
    await database.script(`insert into migration values (9999, '9999-future', 'x', 1)`)
    await expect(migrate(database, 5)).rejects.toThrow(/migrated by a newer version \(migration 9999-future\)/)
    await database.script('delete from migration where number = 9999')
  })

  test.runIf(engine === 'sqlite')('a migration waits for another process, longer than a request would', async () => {
    const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
    let over = false
    const other = openForAll().transaction(async (transaction) => {
      await transaction.script('update migration set checksum = checksum')
      held()
      await pause(5_500)
      over = true
    })
    await isHeld
    expect(await migrate(openForAll(), 6)).toEqual([])
    expect(over).toBe(true)
    await other
  })

  test.skipIf(engine === 'sqlite')('a migration may take longer than a request', async () => {
    const url = testDatabase.settings.DATABASE_URL as string
    const impatient = openPostgres({ url, statementTimeoutMs: 100 })
    opened.push(impatient)
    const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
    let over = false
    const other = openForAll().transaction(async (transaction) => {
      await transaction.script('select pg_advisory_xact_lock(7233625)')
      held()
      // Longer than the server's time-out and ours, which is two seconds more.
      await transaction.script('select pg_sleep(2.5)')
      over = true
    })
    await isHeld
    expect(await migrate(impatient, 6)).toEqual([])
    expect(over).toBe(true)
    await other
    await expect(impatient.transaction((it) => it.query(sleeping, {}))).rejects.toThrow(DatabaseUnavailable)
  })

  test('earlier likes are listed by profile after the migration', async () => {
    const before = await newTestDatabase('empty')
    const database = open(before)
    try {
      await applyUpTo(51, database)
      await database.script(TWO_TIPS_OF_TWO)
      await database.script(
        'insert into comment_like (comment_id, profile_id, created_at) values (12, 1, 120), (11, 2, 110), (11, 1, 111)',
      )
      expect(await migrate(database, 2)).toContain('0052-likes-of-profile')
      expect(await database.query(allLikes, {})).toEqual([
        { profile_id: 1, comment_id: 11, created_at: 111 },
        { profile_id: 1, comment_id: 12, created_at: 120 },
        { profile_id: 2, comment_id: 11, created_at: 110 },
      ])
      const again = 'insert into comment_like (comment_id, profile_id, created_at) values (11, 2, 1)'
      await expect(database.script(again)).rejects.toThrow()
      const nobodys = 'insert into comment_like (comment_id, profile_id, created_at) values (13, 2, 1)'
      await expect(database.script(nobodys)).rejects.toThrow()
    } finally {
      await database.close()
      await before.remove()
    }
  })

  test('outcomes keep their results when more results are allowed', async () => {
    const before = await newTestDatabase('empty')
    const database = open(before)
    try {
      await applyUpTo(96, database)
      await database.script(TWO_TIPS_OF_TWO)
      await database.script(
        `insert into outcome (id, market_id, name, status, starting_price, price_num, price_den, result)
         select 70 + id, market_id, 'Other', 'active', 1, 5, 2, 'void' from outcome order by id limit 1`,
      )
      const results = reading<NoParameters, { result: string | null }>(
        'allResults',
        'select id, name, price_num, starting_price, result from outcome order by id',
      )
      const stored = await database.query(results, {})
      expect(stored.at(-1)).toMatchObject({ name: 'Other', result: 'void' })
      expect(await migrate(database, 2)).toContain('0097-results')
      expect(await database.query(results, {})).toEqual(stored)
      await database.script("update outcome set result = 'half-win'")
      await expect(database.script("update outcome set result = 'half'")).rejects.toThrow()
      await expect(database.script('delete from outcome')).rejects.toThrow()
    } finally {
      await database.close()
      await before.remove()
    }
  })

  test('earlier decisions say how often reporters were right, and open flags get their weights', async () => {
    const before = await newTestDatabase('empty')
    const database = open(before)
    try {
      await applyUpTo(98, database)
      await database.script(TWO_TIPS_OF_TWO)
      await database.script(
        `insert into decision (kind, subject_id, action, note, actor, at) values
           ('comment', 11, 'keep', '', 'ann', 10), ('comment', 11, 'remove', '', 'ann', 20),
           ('comment', 12, 'unfeature', '', 'ann', 5), ('profile', 1, 'reset-name', '', 'ann', 5);
         insert into flag (kind, subject_id, profile_id, created_at, decided) values
           ('comment', 11, 2, 11, 1), ('comment', 12, 1, 4, 1), ('profile', 1, 2, 5, 1),
           ('comment', 12, 2, 6, 0), ('profile', 2, 1, 7, 0);
         insert into review (kind, subject_id, flags, flagged_at) values ('comment', 12, 1, 6), ('profile', 2, 1, 7)`,
      )
      expect(await migrate(database, 2)).toContain('0101-reporters')
      expect(await database.query(allReporters, {})).toEqual([
        { profile_id: 1, flags: 2, upheld: 0, rejected: 0, weight: 500_000 },
        { profile_id: 2, flags: 3, upheld: 2, rejected: 0, weight: 750_000 },
      ])
      expect(await database.query(allReviews, {})).toEqual([
        { kind: 'comment', subject_id: 12, flags: 1, weight: 750_000 },
        { kind: 'profile', subject_id: 2, flags: 1, weight: 500_000 },
      ])
    } finally {
      await database.close()
      await before.remove()
    }
  })

  test('active tokens that share a name are renamed, except the oldest', async () => {
    const before = await newTestDatabase('empty')
    const database = open(before)
    try {
      await applyUpTo(64, database)
      await database.script(
        `insert into operator_token (id, name, role, token_hash, created_at, revoked_at) values
           (1, 'Feed', 'feed', 'a', 1, 2), (2, 'Feed', 'feed', 'b', 1, null), (3, 'Feed', 'feed', 'c', 1, null),
           (4, 'Feed', 'feed', 'd', 1, null), (5, 'Other', 'feed', 'e', 1, null)`,
      )
      expect(await migrate(database, 2)).toContain('0065-operator-tokens')
      const names = (await database.query(tokenNames, {})).map(({ name }) => name)
      expect(names).toEqual(['Feed', 'Feed', 'Feed (token 3)', 'Feed (token 4)', 'Other'])
    } finally {
      await database.close()
      await before.remove()
    }
  })
})

test('tokens keep their roles when these are stored as they are', async () => {
  const before = await newTestDatabase('empty')
  const database = open(before)
  try {
    await applyUpTo(108, database)
    await database.script(
      `insert into operator_token (id, name, role, feed_part, token_hash, created_at, owner) values (1, 'a', 'feed', null, 'a', 1, null),
         (2, 'b', 'feed', 'feed', 'b', 1, 'Olga'), (3, 'c', 'feed', 'accounts', 'c', 1, null), (4, 'd', 'moderator', null, 'd', 1, null)`,
    )
    expect(await migrate(database, 2)).toContain('0109-role-events')
    const rows = await database.query(tokenRoles, {})
    expect(rows.map(({ role }) => role)).toEqual(['feed and accounts', 'feed', 'accounts', 'moderator'])
    expect(rows[1]).toMatchObject({ name: 'b', token_hash: 'b', owner: 'Olga' })
  } finally {
    await database.close()
    await before.remove()
  }
})

const allReporters = reading<NoParameters, object>(
  'allReporters',
  'select profile_id, flags, upheld, rejected, weight from reporter order by profile_id',
)
const allReviews = reading<NoParameters, object>(
  'allReviews',
  'select kind, subject_id, flags, weight from review order by kind',
)

const tokenRoles = reading<NoParameters, { name: string; role: string; token_hash: string; owner: string | null }>(
  'tokenRoles',
  'select name, role, token_hash, owner from operator_token order by id',
)
const tokenNames = reading<NoParameters, { name: string }>('tokenNames', 'select name from operator_token order by id')

const sleeping = reading<NoParameters, never>('sleeping', 'select pg_sleep(1)')

const TWO_TIPS_OF_TWO = `
  insert into customer (id, username, status, verified, currency, funds_statement_version, created_at)
    values (1, 'one', 'active', 1, 'GBP', 1, 1), (2, 'two', 'active', 1, 'GBP', 1, 1);
  insert into profile (id, customer_id, biography, status, created_at) values (1, 1, '', 'A', 1), (2, 2, '', 'A', 1);
  insert into sport (id, name, communities) values (1, 'Racing', 1);
  insert into event (id, sport_id, name, start_time, status) values (1, 1, 'Derby', 1, 'active');
  insert into market (id, event_id, name, status) values (1, 1, 'Winner', 'active');
  insert into outcome (id, market_id, name, status, starting_price) values (1, 1, 'Red Rum', 'active', 1);
  insert into comment (id, author_id, outcome_id, sport_id, bet_id, starting_price, text, created_at, sooner)
    values (11, 1, 1, 1, 1, 1, 'mine', 1, -1), (12, 2, 1, 1, 2, 1, 'yours', 1, -1);`

const allLikes = reading<NoParameters, { profile_id: number; comment_id: number; created_at: number }>(
  'allLikes',
  'select profile_id, comment_id, created_at from comment_like order by profile_id, comment_id',
)

async function migrateInProcess(): Promise<string[]> {
  const source = new URL('../../src/platform/database/', import.meta.url).pathname
  const { DATA_DIR, DATABASE_URL } = testDatabase.settings
  const opening =
    engine === 'sqlite'
      ? `(await import('${source}sqlite/sqlite.ts')).openSqlite('${DATA_DIR}/paddock.db')`
      : `(await import('${source}postgres/postgres.ts')).openPostgres({ url: '${DATABASE_URL}' })`
  const code = `const database = ${opening}; const { migrate } = await import('${source}migrate.ts')
    console.log(JSON.stringify(await migrate(database, 1))); await database.close()`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code])
  return JSON.parse(stdout)
}

const SQLITE_SCHEMA = reading<NoParameters, { line: string }>(
  'sqliteSchema',
  `select sql as line from sqlite_master where sql is not null and name not like 'sqlite_%' order by type desc, name`,
)
const POSTGRES_SCHEMA = reading<NoParameters, { line: string }>(
  'postgresSchema',
  `select line from (
     select 1 as part, table_name || '.' || lpad(ordinal_position::text, 2, '0') as place,
       table_name || '.' || column_name || ' ' || data_type || case is_nullable when 'NO' then ' not null' else '' end
         || coalesce(' default ' || column_default, '') || case is_identity when 'YES' then ' identity' else '' end as line
     from information_schema.columns where table_schema = 'public'
     union all
     select 2, conrelid::regclass::text || conname, conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
     from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
     union all select 3, indexname, indexdef from pg_indexes where schemaname = 'public'
     union all select 4, tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
   ) parts order by part, place collate "C"`,
)

async function describeSchema(database: Database): Promise<string> {
  const rows = await database.query(engine === 'sqlite' ? SQLITE_SCHEMA : POSTGRES_SCHEMA, {})
  return `${rows.map((row) => row.line).join('\n')}\n`
}
