// PostgreSQL stops and starts under a running service: 503 meanwhile, never a 500, nothing hangs, and every
// acknowledged write is there afterwards.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DatabaseUnavailable, type NoParameters, reading } from '../../src/platform/database/database.ts'
import { openPostgres } from '../../src/platform/database/postgres/postgres.ts'
import { expectFault } from '../harness/answers.ts'
import { freezableProxy } from '../harness/freezable-proxy.ts'
import { startPostgres, type TestPostgres } from '../harness/postgres.ts'
import { expectNothingLost, startLoad } from '../harness/restart-load.ts'
import { engine, startTestService, type TestService } from '../harness/service.ts'
import { type Bank, startBank } from '../harness/wallets.ts'

const select1 = reading<NoParameters, { one: number }>('select1', 'select 1 as one')

describe.runIf(engine === 'postgres')('PostgreSQL restarts', () => {
  let postgres: TestPostgres
  let bank: Bank
  let service: TestService

  beforeAll(async () => {
    postgres = await startPostgres()
    bank = await startBank()
    service = await startTestService({
      DATABASE_URL: postgres.url,
      SANDBOX_GATEWAY_URL: bank.url,
      GATEWAY_TIMEOUT_MS: '500',
      DEPOSIT_LEASE_SECONDS: '2',
      VOID_GRACE_SECONDS: '1',
    })
  })

  afterAll(async () => {
    await service?.close()
    await bank?.close()
    await postgres?.remove()
  })

  test('requests answer 503 while it is down, and succeed when it is back', async () => {
    const [fan, star] = [await service.member(), await service.member()]
    const read = () => service.call('GET', `/v1/profiles/${star.profileId}`)
    const write = () => service.call('POST', `/v1/profiles/me/followings/${star.profileId}`, { ticket: fan.ticket })
    expect((await read()).status).toBe(200)
    expect((await fetch(`${service.operatorUrl}/health/ready`)).status).toBe(200)
    await postgres.stop('SIGQUIT')
    for (const reply of await Promise.all([read(), write(), read(), write()])) {
      expectFault(reply, '/v1/profiles', 'unavailable', undefined)
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect((await fetch(`${service.operatorUrl}/health/ready`)).status).toBe(503)
    await postgres.start()
    expect((await write()).status).toBe(204)
    expect((await read()).text).toContain('<numFollowers>1</numFollowers>')
  })

  // A fast shutdown (sessions are notified), and an immediate one (connections break at any point).
  test('under load every answer is correct or a 503 in time, and no acknowledged write is lost', async () => {
    const load = await startLoad(service)
    for (const signal of ['SIGINT', 'SIGQUIT', 'SIGINT', 'SIGQUIT'] as const) {
      await load.untilAllServed()
      await postgres.stop(signal)
      await load.untilRefused()
      await postgres.start()
    }
    await load.untilAllServed()
    const done = await load.stop()
    expect(done.unexpected).toEqual([])
    await expectNothingLost(service, bank, done)
  })

  test('a transaction whose server stops responding fails as soon as that is detected', async () => {
    const way = await freezableProxy(postgres.port)
    const url = new URL(postgres.url)
    url.port = `${way.port}`
    // Silence is detected after 3 seconds, a failed connection attempt after 1.5.
    const database = openPostgres({ url: url.href, statementTimeoutMs: 1_000, connectTimeoutMs: 1_500 })
    try {
      const failed: string[] = []
      const silence = Promise.withResolvers<void>()
      const another = silence.promise.then(() => database.one(select1, {})).catch(() => failed.push('another request'))
      const transaction = database.transaction(async (handle) => {
        await handle.one(select1, {})
        way.freeze()
        const answer = handle.one(select1, {}) as Promise<unknown>
        await answer.finally(silence.resolve)
      })
      await expect(transaction).rejects.toBeInstanceOf(DatabaseUnavailable)
      failed.push('the transaction')
      await another
      // The transaction fails first: it waits for no rollback, which would take as long again.
      expect(failed).toEqual(['the transaction', 'another request'])
      way.thaw()
      expect(await database.transaction((handle) => handle.one(select1, {}))).toEqual({ one: 1 })
    } finally {
      await database.close()
      await way.close()
    }
  })
})
