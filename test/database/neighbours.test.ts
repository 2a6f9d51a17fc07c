// Which versions may run beside each other on one database.

import { afterEach, expect, test } from 'vitest'
import { migrate } from '../../src/platform/database/migrate.ts'
import { migrationList } from '../../src/platform/database/migration-list.ts'
import { applyUpTo, openTestDatabase } from '../harness/old-schema.ts'
import { connectTo } from '../harness/postgres.ts'
import { engine, newTestDatabase, startTestService, type TestDatabase } from '../harness/service.ts'

let home: TestDatabase | undefined

afterEach(async () => {
  await home?.remove()
  home = undefined
})

async function newHome(schema: 'migrated' | number): Promise<TestDatabase> {
  home = await newTestDatabase(schema === 'migrated' ? 'migrated' : 'empty')
  if (schema !== 'migrated') await inDatabase((database) => applyUpTo(schema, database))
  return home
}

async function inDatabase(work: (database: ReturnType<typeof openTestDatabase>) => Promise<unknown>): Promise<void> {
  const database = openTestDatabase(home as TestDatabase)
  await work(database).finally(() => database.close())
}

test('a service starts on a schema of a later version only if its migrations are listed so', async () => {
  const later = await newHome('migrated')
  await inDatabase((database) =>
    database.script(`insert into migration values (9998, '9998-later', 'x', 1), (9999, '9999-latest', 'x', 1)`),
  )
  const start = () => startTestService({ DATABASE_WAIT_SECONDS: '0' }, later)
  await expect(start()).rejects.toThrow('newer version (migration 9998-later), beside which this one may not run')
  await inDatabase((database) => database.script('insert into neighbour values (9998)'))
  await expect(start()).rejects.toThrow('newer version (migration 9999-latest), beside which this one may not run')
  await inDatabase((database) => database.script('insert into neighbour values (9999)'))
  await (await start()).close()
  await inDatabase(async (database) => expect(await migrate(database, 1)).toEqual([]))
})

test.skipIf(engine === 'sqlite')(
  'migrations wait until processes have gone that may not run on what they leave',
  async () => {
    const [last] = Object.entries(migrationList())
      .filter(([, { neighbours }]) => !neighbours)
      .map(([name]) => ({ name, number: Number(name.slice(0, 4)) }))
      .sort((a, b) => b.number - a.number)
    if (last === undefined) throw new Error('no migration that older versions may not run beside')
    const old = await newHome(last.number - 1)
    const start = () => startTestService({ DATABASE_WAIT_SECONDS: '0' }, old)
    for (const name of ['paddock', `paddock ${last.number - 1}`]) {
      await besideConnection(old, name, () =>
        expect(start()).rejects.toThrow(
          `an older version of Paddock is connected to the database (1 connections) and may not run beside migration ${last.name}: stop it on all machines`,
        ),
      )
    }
    await besideConnection(old, `paddock ${last.number}`, async () => (await start()).close())
  },
)

/** `name` as a version of Paddock calls its connections. */
async function besideConnection(database: TestDatabase, name: string, work: () => Promise<unknown>): Promise<void> {
  const url = new URL(database.settings.DATABASE_URL as string)
  url.searchParams.set('application_name', name)
  const connection = await connectTo(url.href)
  await work().finally(() => connection.end())
}
