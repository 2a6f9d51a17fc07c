// The audit trail is a chain of hashes: the check finds entries that were changed, removed or inserted afterwards.

import pg from 'pg'
import { expect, test } from 'vitest'
import { checkAudit } from '../../src/audit/chain.ts'
import { verifyAudit } from '../../src/commands/audit.ts'
import type { CommandResult } from '../../src/commands/command.ts'
import { type NoParameters, reading } from '../../src/platform/database/database.ts'
import { engine, newTestDatabase, startTestService, type TestService, useService } from '../harness/service.ts'
import { untilAvailable } from '../harness/until-available.ts'

const service = useService()

async function verify(one: TestService = service, ...commandLine: string[]): Promise<CommandResult> {
  const outcome = await verifyAudit(one.context.config, commandLine, {})
  return typeof outcome === 'string' ? { text: outcome, exitCode: 0 } : outcome
}

const script = (sql: string, one: TestService = service) => one.context.database.script(sql)

async function lookAtCustomers(count: number, one: TestService = service): Promise<void> {
  for (let i = 1; i <= count; i++) await one.operator('GET', `/operator/v1/customers/${i}`)
}

/** Tampers with the trail in the database, checks it, and restores it. */
async function tamperedWith(sql: string): Promise<CommandResult> {
  await script('create table audit_copy as select * from audit')
  await script('create table head_copy as select * from audit_head')
  await script(sql)
  const found = await verify()
  await script('delete from audit')
  await script('insert into audit select * from audit_copy')
  await script('delete from audit_head')
  await script('insert into audit_head select * from head_copy')
  await script('drop table audit_copy')
  await script('drop table head_copy')
  return found
}

test('an empty trail is intact', async () => {
  expect(await verify()).toEqual({ text: '0 entries, unchanged.', exitCode: 0 })
})

test('an unchanged trail is intact', async () => {
  await lookAtCustomers(10)
  const { text, exitCode } = await verify()
  expect(exitCode).toBe(0)
  expect(text).toMatch(/^10 entries, unchanged\. Last entry: 10:[0-9a-f]{64}$/)
})

test('the operator API finds the same as the command', async () => {
  const check = async () => (await service.operator('GET', '/operator/v1/audit/check')).body
  const last = { id: '10', hash: (await verify()).text.split(':').at(-1) }
  expect(await check()).toEqual({ checkedAt: expect.any(String), entries: 10, unchained: 0, last, problems: [] })
  await script(`update audit set actor = 'somebody else' where id = 5`)
  expect((await check()).problems).toEqual([expect.stringContaining('Entry 5 or 6 was changed')])
  await script(`update audit set actor = 'bootstrap' where id = 5`)
  expect((await check()).problems).toEqual([])
})

const copied = (id: string) =>
  `insert into audit (id, at, actor, role, action, subject, detail, address, previous_hash)
   select ${id}, at, actor, role, action, subject, detail, address, previous_hash from audit where id = 5`

test.each([
  ['a changed actor', `update audit set actor = 'somebody else' where id = 5`, 'Entry 5 or 6 was changed'],
  ['a changed time', 'update audit set at = at + 1 where id = 5', 'Entry 5 or 6 was changed'],
  ['a changed detail', `update audit set detail = '{}' where id = 5`, 'Entry 5 or 6 was changed'],
  ['a changed address', `update audit set address = '::1' where id = 5`, 'Entry 5 or 6 was changed'],
  ['a changed hash', `update audit set previous_hash = '${'0'.repeat(64)}' where id = 5`, 'Entry 4 or 5 was changed'],
  ['a change in the last entry', `update audit set subject = '7' where id = 10`, 'Entry 10, the last one'],
  ['a change in the first entry', `update audit set subject = '7' where id = 1`, 'Entry 1 or 2 was changed'],
  ['a removed entry', 'delete from audit where id = 5', 'Entry 5 was removed'],
  ['several removed entries', 'delete from audit where id in (5, 6, 7)', 'Entries 5 to 7 were removed'],
  [
    'a removed first entry',
    'delete from audit where id = 1',
    'Entry 2 was changed or inserted, or entries before it were removed',
  ],
  ['removed last entries', 'delete from audit where id > 8', 'Entries 9 to 10 were removed from the end'],
  ['all entries removed', 'delete from audit', 'Entries 1 to 10 were removed'],
  ['an entry inserted at the end', copied('11'), 'Entry 11 was inserted'],
  ['an entry inserted before the first', copied('0'), 'Entry 0 was changed or inserted'],
  ['an entry without a hash', 'update audit set previous_hash = null where id = 5', 'Entry 5 was inserted'],
  [
    'an entry inserted in between',
    `delete from audit where id = 10; update audit set id = id + 1 where id = 9; update audit set id = id + 1 where id = 8; ${copied('8')}`,
    'was changed',
  ],
  ['two swapped entries', `update audit set id = 99 where id = 5; update audit set id = 5 where id = 6`, 'was changed'],
  ['a changed head', `update audit_head set last_hash = '${'0'.repeat(64)}'`, 'the head of the chain was changed'],
  ['a removed head', 'update audit_head set last_id = null, last_hash = null', 'The head of the chain was removed'],
])('the check finds: %s', async (_what, sql, problem) => {
  const { text, exitCode } = await tamperedWith(sql)
  expect([exitCode, text]).toEqual([1, expect.stringContaining(problem)])
  expect((await verify()).exitCode).toBe(0)
})

test('a completely rewritten chain is found with a hash that was stored elsewhere', async () => {
  const { text } = await verify()
  const kept = /(\d+:[0-9a-f]{64})$/.exec(text)?.[1] as string
  await lookAtCustomers(1)
  expect((await verify(service, kept)).exitCode).toBe(0)
  const forged = kept.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))
  expect(await verify(service, forged)).toMatchObject({ exitCode: 1, text: expect.stringContaining('was rewritten') })
  await expect(verify(service, 'nonsense')).rejects.toThrow('nonsense is no ID:HASH')
})

test('entries from before the chain become its start', async () => {
  const own = await startTestService()
  try {
    const old = (id: number) => `(${id}, ${id}, 'a', 'admin', 'putSport', '${id}', '{}')`
    const rows = Array.from({ length: 2_500 }, (_, index) => old(2 * index + 1)).join(',')
    await script(`insert into audit (id, at, actor, role, action, subject, detail) values ${rows}`, own)
    expect((await verify(own)).exitCode).toBe(0)
    await lookAtCustomers(3, own)
    const { text, exitCode } = await verify(own)
    expect([exitCode, text]).toEqual([
      0,
      expect.stringMatching(/^2503 entries, the first 2500 from before the hash chain/),
    ])
    expect(text).toContain('Last entry: 5002:')
    const items = (await own.operator('GET', '/operator/v1/audit?limit=4')).body.items
    expect(items.map((one: { id: string }) => one.id)).toEqual(['5002', '5001', '5000', '4999'])
    expect(items[3]).toMatchObject({ address: null, previousHash: null })
    await script(`update audit set actor = 'b' where id = 777`, own)
    expect(await verify(own)).toMatchObject({
      exitCode: 1,
      text: expect.stringContaining('from before the hash chain'),
    })
    await script(`update audit set actor = 'a' where id = 777`, own)
    await script('delete from audit where id = 779', own)
    expect((await verify(own)).exitCode).toBe(1)
  } finally {
    await own.close()
  }
})

test('the first entry may come while an empty trail is checked', async () => {
  const own = await startTestService()
  const { database } = own.context
  try {
    let appended = false
    const { problems } = await checkAudit({
      ...database,
      async one(statement, parameters) {
        const row = await database.one(statement, parameters)
        if (!appended) await lookAtCustomers(1, own)
        appended = true
        return row
      },
    })
    expect([appended, problems]).toEqual([true, []])
  } finally {
    await own.close()
  }
})

test('two services append to one chain while it is checked and customers are served', async () => {
  const testDatabase = await newTestDatabase()
  const both = [await startTestService({}, testDatabase), await startTestService({}, testDatabase)] as const
  try {
    const { ticket } = await both[0].member()
    const limit = (turn: number) => ({ dailyDepositLimit: `${turn}.00` })
    const storm = Array.from({ length: 30 }, async (_, turn) => {
      const one = both[turn % 2]!
      const statuses = await Promise.all([
        untilAvailable(() => one.operator('PUT', `/operator/v1/customers/${500 + (turn % 5)}`, limit(turn))),
        untilAvailable(() => one.operator('GET', '/operator/v1/customers/499')),
        untilAvailable(() => one.call('GET', '/v1/profiles/me', { ticket })),
      ])
      return statuses.map(({ status }) => status)
    })
    const checks = [verify(both[0]), verify(both[1])]
    for (const statuses of await Promise.all(storm)) {
      expect(statuses).toEqual([expect.toSatisfy((status: number) => status === 200 || status === 201), 404, 200])
    }
    expect((await Promise.all(checks)).map(({ exitCode }) => exitCode)).toEqual([0, 0])
    const { text, exitCode } = await verify(both[1])
    expect([exitCode, text]).toEqual([0, expect.stringMatching(/^60 entries, unchanged/)])
  } finally {
    await both[0].close()
    await both[1].close()
    await testDatabase.remove()
  }
})

test.skipIf(engine === 'sqlite')('customers do not wait for appends to the chain', async () => {
  const [member, other] = [await service.member(), await service.member()]
  const client = new pg.Client({ connectionString: service.context.config.databaseUrl as string })
  await client.connect()
  let answered = 0
  try {
    await client.query('begin')
    await client.query('select * from audit_head for update')
    // More than the connections for transactions.
    const changes = Array.from({ length: 15 }, async (_, turn) => {
      const { status } = await service.operator('PUT', `/operator/v1/customers/${77_001 + turn}`, {})
      answered++
      return status
    })
    const waiting = async () => (await service.context.database.query(waitingForHead, {})).length
    await expect.poll(waiting, { timeout: 60_000 }).toBeGreaterThan(0)
    const follow = await service.call('POST', `/v1/profiles/me/followings/${other.profileId}`, {
      ticket: member.ticket,
    })
    expect(follow.status).toBe(204)
    expect(answered).toBe(0)
    await client.query('commit')
    expect(new Set(await Promise.all(changes))).toEqual(new Set([201]))
  } finally {
    await client.end()
  }
})

const waitingForHead = reading<NoParameters, { pid: number }>(
  'waitingForHead',
  `select pid from pg_stat_activity
   where datname = current_database() and wait_event_type = 'Lock' and query like '%audit_head%'`,
)
