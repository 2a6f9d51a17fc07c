// PostgreSQL goes away and comes back under a running service: 503 meanwhile, never a 500, and all is there after.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectFault } from '../harness/answers.ts'
import { startPostgres, type TestPostgres } from '../harness/postgres.ts'
import { engine, startTestService, type TestService } from '../harness/service.ts'

describe.runIf(engine === 'postgres')('PostgreSQL restarts', () => {
  let postgres: TestPostgres
  let service: TestService

  beforeAll(async () => {
    postgres = await startPostgres()
    service = await startTestService({ DATABASE_URL: postgres.url })
  })

  afterAll(async () => {
    await service.close()
    await postgres.remove()
  })

  test('requests answer 503 while it is away, and succeed when it is back', async () => {
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

  test('under load no answer is a 500, and what was answered is there', async () => {
    const star = await service.member()
    const fans = await Promise.all(Array.from({ length: 30 }, () => service.member()))
    const answered = new Set<number>()
    const statuses = new Set<number>()
    let running = true
    const load = fans.map(async (fan) => {
      while (running && !answered.has(fan.profileId)) {
        const path = `/v1/profiles/me/followings/${star.profileId}`
        const { status } = await service.call('POST', path, { ticket: fan.ticket })
        statuses.add(status)
        if (status === 204) answered.add(fan.profileId)
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 40))
      }
    })
    await postgres.stop('SIGQUIT')
    await new Promise((resolve) => setTimeout(resolve, 200))
    await postgres.start()
    await Promise.all(load)
    running = false
    expect([...statuses].filter((status) => status !== 204 && status !== 503)).toEqual([])
    const reply = await service.call('GET', `/v1/profiles/${star.profileId}/followers?blockSize=100`, {
      accept: 'application/json',
    })
    const followers = reply.json().whoProfiles.map((entry: { profile: { id: string } }) => Number(entry.profile.id))
    expect(new Set(followers)).toEqual(answered)
  })
})
