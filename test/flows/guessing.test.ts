// Guessing passwords, secrets and tokens is slowed down, and others do not notice.

import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type NoParameters, reading } from '../../src/platform/database/database.ts'
import { expectFault } from '../harness/answers.ts'
import { raisePasswordCost } from '../harness/password-cost.ts'
import { type CallOptions, type Reply, useService } from '../harness/service.ts'

const service = useService({ TRUST_PROXY: '127.0.0.1' })
const PATH = '/v1/sessions/tickets'
const FREE_GUESSES = 10
const FREE_GUESSES_OF_APPLICATION = 100
const FREE_SECRETS = 200

// Failures expire with time: here only when a test moves the clock.
beforeAll(() => service.clock.hold())

let names = 0
let username = ''
let application: CallOptions
beforeEach(async () => {
  username = await newCustomer()
  application = await newApplication()
})

async function newApplication() {
  const { body } = await service.operator('POST', '/operator/v1/applications', { name: 'Guessing' })
  return { key: body.apiKey as string, secret: body.secret as string }
}

async function newCustomer(): Promise<string> {
  const name = `guessed-${++names}`
  await service.customer({ username: name, password: 'right password' })
  return name
}

function logIn(name: string, password: string, options: CallOptions = application): Promise<Reply> {
  return service.call('POST', `${PATH}?${new URLSearchParams({ username: name, password })}`, options)
}

async function guess(times: number, name = username): Promise<number[]> {
  const statuses: number[] = []
  for (let turn = 0; turn < times; turn++) statuses.push((await logIn(name, 'wrong password')).status)
  return statuses
}

const times = (count: number, status: number) => Array<number>(count).fill(status)
const retryAfter = (reply: { headers: Headers }) => Number(reply.headers.get('retry-after'))

describe('a password', () => {
  test('can be guessed some times, then only after growing pauses', async () => {
    expect(await guess(FREE_GUESSES + 1)).toEqual(times(FREE_GUESSES + 1, 401))
    const pauses: number[] = []
    for (let turn = 0; turn < 4; turn++) {
      const refused = await logIn(username, 'wrong password')
      expectFault(refused, PATH, 'tooManyRequests', undefined)
      pauses.push(retryAfter(refused))
      service.clock.advance(retryAfter(refused) * 1000)
      expect(await guess(1)).toEqual([401])
    }
    expect(pauses).toEqual([1, 2, 4, 8])
  })

  test('that is right is not checked during a pause, and resets the count afterwards', async () => {
    await guess(FREE_GUESSES + 1)
    expect((await logIn(username, 'right password')).status).toBe(429)
    service.clock.advance(1_000)
    expect((await logIn(username, 'right password')).status).toBe(201)
    expect(await guess(FREE_GUESSES)).toEqual(times(FREE_GUESSES, 401))
  })

  test('of an unknown user name gives the same answers', async () => {
    await guess(FREE_GUESSES + 1)
    expect(await guess(FREE_GUESSES + 1, 'nobody-at-all')).toEqual(times(FREE_GUESSES + 1, 401))
    const [known, unknown] = [await logIn(username, 'x'), await logIn('nobody-at-all', 'x')]
    expect([known.status, known.text, retryAfter(known)]).toEqual([429, unknown.text, retryAfter(unknown)])
  })

  test('cannot be guessed more often by concurrent guesses, and others log in meanwhile', async () => {
    const other = await newCustomer()
    const guessing = Promise.all(Array.from({ length: 80 }, () => guess(1)))
    const elsewhere = await newApplication()
    expect((await logIn(other, 'right password', elsewhere)).status).toBe(201)
    const statuses = (await guessing).flat()
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(FREE_GUESSES + 1)
    expect(statuses.filter((status) => status !== 401 && status !== 429 && status !== 503)).toEqual([])
  })

  test('that is guessed for one name at once leaves room for others of the same application', async () => {
    const other = await newCustomer()
    raisePasswordCost()
    let isOver = false
    const guessing = Promise.all(Array.from({ length: FREE_GUESSES }, () => guess(1, 'nobody-at-the-till')))
    const ended = guessing.finally(() => {
      isOver = true
    })
    const statuses: number[] = []
    while (!isOver) statuses.push((await logIn(other, 'right password')).status)
    expect(new Set(statuses)).toEqual(new Set([201]))
    // Those that wait too long for their turn are refused.
    expect((await ended).flat().filter((status) => status !== 401 && status !== 503)).toEqual([])
  })

  test('guessed for many names is slowed down for the application, and for no other', async () => {
    const statuses: number[] = []
    for (let guessed = 0; guessed <= FREE_GUESSES_OF_APPLICATION; guessed += FREE_GUESSES) {
      statuses.push(...(await guess(FREE_GUESSES, await newCustomer())))
    }
    const before = FREE_GUESSES_OF_APPLICATION + 1
    expect(statuses).toEqual([...times(before, 401), ...times(statuses.length - before, 429)])
    const other = await newCustomer()
    const refused = await logIn(other, 'right password')
    expect([refused.status, retryAfter(refused)]).toEqual([429, 1])
    expect((await logIn(other, 'right password', await newApplication())).status).toBe(201)
    service.clock.advance(1_000)
    expect((await logIn(other, 'right password')).status).toBe(201)
  })

  test('is never stored with the count of its guesses, nor is the name', async () => {
    await guess(1, 'a-password-in-the-wrong-field')
    const all = reading<NoParameters, object>('allFailures', 'select * from failed_log_in')
    const rows = await service.context.database.query(all, {})
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows) + service.logged()).not.toContain('a-password-in-the-wrong-field')
  })

  test('that was guessed is logged with the client’s address and the customer', async () => {
    const { id } = await service.customer({ username: 'logged.log-in', password: 'right password' })
    const from = { ...application, headers: { 'x-forwarded-for': '203.0.113.77' } }
    await logIn('logged.log-in', 'wrong password', from)
    await logIn('logged.log-in', 'right password', from)
    const lines = service
      .logged()
      .split('\n')
      .filter((line) => line.includes('203.0.113.77') && line.includes('"msg":"log-in'))
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { msg: 'log-in refused', address: '203.0.113.77', customerId: id, application: application.key },
      { msg: 'log-in', address: '203.0.113.77', customerId: id, application: application.key },
    ])
  })
})

test('expired failures are deleted', async () => {
  await guess(1)
  service.clock.advance(86_400_000)
  await service.context.sessions?.deleteExpired()
  const count = reading<NoParameters, { count: number }>('countFailures', 'select count(*) as count from failed_log_in')
  expect(Number((await service.context.database.one(count, {}))?.count)).toBe(0)
})

describe('an application’s secret', () => {
  const call = (secret: string, address: string) =>
    service.call('GET', '/v1/profiles/1', { ...application, secret, headers: { 'x-forwarded-for': address } })

  test('can be guessed some times from one address, which must wait then; others need not', async () => {
    const right = application.secret as string
    const replies = await Promise.all(Array.from({ length: FREE_SECRETS + 1 }, () => call('wrong', '203.0.113.1')))
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([401]))
    for (const secret of ['wrong', right]) {
      const refused = await call(secret, '203.0.113.1')
      expectFault(refused, '/v1/profiles', 'tooManyRequests', undefined)
      expect(retryAfter(refused)).toBe(1)
    }
    expect((await call(right, '203.0.113.2')).status).toBe(404)
    service.clock.advance(1_000)
    expect((await call(right, '203.0.113.1')).status).toBe(404)
    expect(service.logged()).toMatch(/"address":"203.0.113.1","application":"\w+","msg":"wrong application secret"/)
  })
})

describe('from an IPv6 network, whose addresses count as one,', () => {
  const isRefused = async (guessFrom: (address: string) => Promise<{ status: number }>) => {
    const addresses = Array.from({ length: FREE_SECRETS + 1 }, (_, host) => `2001:db8::${host.toString(16)}`)
    const replies = await Promise.all(addresses.map(guessFrom))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401]))
    expect((await guessFrom('2001:db8::ffff')).status).toBe(429)
    expect((await guessFrom('2001:db8:0:1::1')).status).toBe(401)
  }

  test('an application’s secret can be guessed some times', () =>
    isRefused((address) =>
      service.call('GET', '/v1/profiles/1', { ...application, secret: 'x', headers: { 'x-forwarded-for': address } }),
    ))

  test('an operator token can be guessed some times', () =>
    isRefused((address) =>
      fetch(`${service.operatorUrl}/operator/v1/me`, {
        headers: { authorization: 'Bearer wrong', 'x-forwarded-for': address },
      }),
    ))
})

describe('an operator token', () => {
  test('can be guessed some times from one address, which must wait then', async () => {
    const me = (token: string | null) => service.operator('GET', '/operator/v1/me', undefined, token)
    const replies = await Promise.all(Array.from({ length: FREE_SECRETS + 1 }, () => me('wrong')))
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([401]))
    const refused = await me('wrong')
    expect([refused.status, refused.body.title, retryAfter(refused)]).toEqual([429, 'Too many requests', 1])
    expect((await me(null)).status).toBe(401)
    expect((await fetch(`${service.operatorUrl}/health/live`)).status).toBe(200)
    service.clock.advance(1_000)
    expect((await service.operator('GET', '/operator/v1/me')).status).toBe(200)
    expect(service.logged()).toMatch(/"address":"127.0.0.1","msg":"wrong operator token"/)
  })
})
