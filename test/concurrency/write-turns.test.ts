// The writes of one customer that wait for each other must not take the connections that all customers share.

import pg from 'pg'
import { expect, test } from 'vitest'
import { engine, type Reply, type TestCustomer, useService } from '../harness/service.ts'
import { untilAvailable } from '../harness/until-available.ts'

const service = useService({ LOG_LEVEL: 'silent' })

/** More than PostgreSQL has connections for transactions, and fewer than a customer may have requests. */
const WRITES = 16
const AT_ONCE = 4
/** In this database: other suites use the same server. */
const WAITING =
  'select 1 from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.datname = current_database()'

// SQLite has one writer: nobody waits in it.
test.runIf(engine === 'postgres')('writes of one customer that wait leave room for those of others', async () => {
  const [busy, other, followed] = [await service.member(), await service.member(), await service.member()]
  const connect = () => new pg.Client({ connectionString: service.context.config.databaseUrl as string })
  // Not the holder: within one transaction pg_stat_activity shows the connections that there were at its first use.
  const [holder, observer] = [connect(), connect()]
  const path = `/v1/profiles/me/followings/${followed.profileId}`
  const write = (method: string, customer: TestCustomer) => untilAvailable(() => service.call(method, path, customer))
  await Promise.all([holder.connect(), observer.connect()])
  let writes: Promise<Reply>[] = []
  try {
    await holder.query(`begin; select 1 from profile where id = ${busy.profileId} for no key update`)
    writes = Array.from({ length: WRITES }, (_, index) => write(index % 2 === 0 ? 'POST' : 'DELETE', busy))
    const waiting = async () => (await observer.query(WAITING)).rowCount
    await expect.poll(waiting).toBe(AT_ONCE)
    expect((await write('POST', other)).status).toBe(204)
    expect((await service.call('GET', '/v1/profiles/me', busy)).status).toBe(200)
    expect(await waiting()).toBe(AT_ONCE)
  } finally {
    await holder.query('commit')
    await Promise.all([holder.end(), observer.end()])
  }
  const statuses = (await Promise.all(writes)).map(({ status }) => status)
  expect(statuses.filter((status) => status !== 200 && status !== 204)).toEqual([])
})
