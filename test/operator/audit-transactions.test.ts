// A change and its entry in the audit trail are one transaction: if the entry cannot be written, nothing changes.

import { connect } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { sequenceEvents } from '../../src/event-log/sequencer.ts'
import { operatorOperations } from '../../src/operator/operations.ts'
import { type NoParameters, reading, writing } from '../../src/platform/database/database.ts'
import { engine, type Json, OPERATOR_TOKEN, useService } from '../harness/service.ts'
import { caseOf } from './cases.ts'

const service = useService()

const script = (sql: string) => service.context.database.script(sql)

const REFUSE_ENTRIES = {
  sqlite: `create trigger no_entries before insert on audit begin select raise(abort, 'no entries'); end`,
  postgres: `create function no_entries() returns trigger language plpgsql as $$ begin raise exception 'no entries'; end $$;
    create trigger no_entries before insert on audit for each row execute function no_entries()`,
}
const ALLOW_ENTRIES = {
  sqlite: 'drop trigger if exists no_entries',
  postgres: 'drop trigger if exists no_entries on audit; drop function if exists no_entries',
}

afterEach(() => script(ALLOW_ENTRIES[engine]))

/** Not the keys, which an operator changes. */
const LOG_OF_TIPS = "'tip_log', 'tip_log_entry', 'tip_log_profile', 'tip_log_tile'"

/**
 * Without notifications, the ranking of records and the log of tips, which are written a little later from the events of
 * what happened before, and without the weights and the index of the search that wait to be updated.
 */
const TABLES = {
  sqlite: `select name from sqlite_master
    where type = 'table' and name not like 'sqlite%' and name not like 'notification%' and name not like '%search%'
      and name not like 'record_board%' and name not in ('reporter_work', 'recent_request', ${LOG_OF_TIPS}) order by name`,
  // The heartbeat is written all the time, whoever calls.
  postgres: `select table_name as name from information_schema.tables
    where table_schema = 'public' and table_name <> 'heartbeat' and table_name not like 'notification%'
      and table_name not like 'record_board%' and table_name not in ('reporter_work', 'recent_request', ${LOG_OF_TIPS}) order by 1`,
}

/** All rows of all tables. */
async function everything(): Promise<Json> {
  const { database } = service.context
  // Events are given their positions a little later.
  if (engine === 'postgres') await sequenceEvents(database)
  const tables = await database.query(writing<NoParameters, { name: string }>('tablesToCompare', TABLES[engine]), {})
  const rows = await Promise.all(
    tables.map(({ name }) =>
      database.query(reading<NoParameters, object>(`all of ${name}`, `select * from ${name}`), {}),
    ),
  )
  const sorted = rows.map((one) => one.map((row) => JSON.stringify(row)).sort())
  return Object.fromEntries(tables.map(({ name }, index) => [name, sorted[index]]))
}

const feedLine = `${JSON.stringify({ put: 'sport', id: 977, data: { name: 'Of a feed' } })}\n`

const changes = operatorOperations.filter((row) => row.method !== 'GET' && !row.background)

describe.each(changes.map((row) => ({ row, name: row.name })))('$name', ({ row }) => {
  test('changes nothing when its entry cannot be written', async () => {
    const { path, body: usual, status } = await caseOf(service, row)
    const body = row.body === 'stream' ? Buffer.from(feedLine) : usual
    await script(REFUSE_ENTRIES[engine])
    const before = await everything()
    expect((await service.operator(row.method, path, body)).status).toBe(500)
    expect(await everything()).toEqual(before)
    await script(ALLOW_ENTRIES[engine])
    expect((await service.operator(row.method, path, body)).status).toBe(status)
    expect(await everything()).not.toEqual(before)
  })
})

test('personal data is not returned when the audit entry cannot be written', async () => {
  const { id } = await service.customer({ username: 'seen.by.nobody' })
  await script(REFUSE_ENTRIES[engine])
  for (const path of [`/customers/${id}`, `/customers/${id}/personal-data`]) {
    const reply = await service.operator('GET', `/operator/v1${path}`)
    expect([reply.status, JSON.stringify(reply.body)]).toEqual([500, expect.not.stringContaining('seen.by.nobody')])
  }
})

test('a refusal is answered even when its audit entry cannot be written', async () => {
  await script(REFUSE_ENTRIES[engine])
  expect((await service.operator('GET', '/operator/v1/tokens', undefined, 'not-a-token')).status).toBe(401)
})

// ---- The feed

async function newestEntries(limit = 100): Promise<Json[]> {
  return (await service.operator('GET', `/operator/v1/audit?limit=${limit}`)).body.items
}

const line = (put: string, id: number, data: object) => `${JSON.stringify({ put, id, data })}\n`
const feed = (text: string) => service.operator('POST', '/operator/v1/feed', Buffer.from(text))

test('each feed line about a customer has its own entry, with old and new values; other lines have one entry per batch', async () => {
  const rest = { status: 'active', verified: true, currency: 'GBP', fundsStatementVersion: 1 }
  await feed(
    line('sport', 970, { name: 'Chess' }) +
      line('sport', 971, { name: 'Go' }) +
      line('event', 972, { sportId: 999_999, name: 'Of no sport', startTime: '2030-01-01T15:00:00Z' }) +
      line('customer', 97_001, { ...rest, dailyDepositLimit: '20.00', username: 'fed.one', password: 'fed-password' }) +
      'this is not JSON\n' +
      line('customer', 97_002, { ...rest, username: 'fed.one' }) +
      line('customer', 97_001, { ...rest, dailyDepositLimit: '500.00', status: 'suspended' }),
  )
  const [summary, third, second, first, batch] = await newestEntries(5)
  expect(batch).toMatchObject({ action: 'importFeed', subject: '' })
  expect(batch.detail).toEqual({ lines: { from: 1, to: 2 }, applied: { sport: ['970', '971'] } })
  expect(first).toMatchObject({ actor: 'bootstrap', action: 'putCustomer', subject: '97001' })
  expect(first.detail).toMatchObject({
    feedLine: 4,
    changes: {
      status: { from: null, to: 'active' },
      dailyDepositLimit: { from: null, to: '20.00' },
      logInChanged: true,
    },
  })
  expect(second).toMatchObject({ subject: '97002', detail: { feedLine: 6, refused: 409, reason: 'Conflict' } })
  expect(second.detail).not.toHaveProperty('changes')
  expect(third).toMatchObject({ subject: '97001', address: '127.0.0.1' })
  expect(third.detail).toMatchObject({
    feedLine: 7,
    changes: { status: { from: 'active', to: 'suspended' }, dailyDepositLimit: { from: '20.00', to: '500.00' } },
  })
  expect(summary).toMatchObject({ action: 'importFeed', detail: { note: '7 lines, 3 refused' } })
  const text = JSON.stringify([batch, first, second, third, summary])
  for (const secret of ['fed.one', 'fed-password']) expect(text).not.toContain(secret)
})

test('a feed whose connection drops misses no entry', async () => {
  const { hostname, port } = new URL(service.operatorUrl)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  const text =
    line('customer', 97_011, { dailyDepositLimit: '30.00' }) +
    line('sport', 973, { name: 'Darts' }) +
    line('customer', 97_012, { dailyDepositLimit: '40.00' })
  const refused = 'this is not JSON\n'
  socket.write(
    `POST /operator/v1/feed HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${OPERATOR_TOKEN}\r\n` +
      `Content-Type: application/x-ndjson\r\nContent-Length: ${text.length + 1000}\r\n\r\n${text}${refused}`,
  )
  const isThere = async () => (await service.operator('GET', '/operator/v1/customers/97012')).status === 200
  await expect.poll(isThere).toBe(true)
  socket.destroy()
  const entries = await newestEntries()
  const applied = entries.filter(({ detail }) => detail.refused === undefined)
  for (const subject of ['97011', '97012']) {
    expect(applied).toContainEqual(expect.objectContaining({ action: 'putCustomer', subject }))
  }
  const sports = applied.map(({ detail }) => detail.applied?.sport)
  expect(sports).toContainEqual(['973'])
  const notes = async () => (await newestEntries()).map(({ detail }) => detail.note)
  await expect.poll(notes).toContain('4 lines, 1 refused, then the import failed')
})
