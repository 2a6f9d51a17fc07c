// Time-outs and self-exclusions by customers (docs/deposits.md).

import { beforeEach, describe, expect, test } from 'vitest'
import { monthsLater } from '../../src/platform/runtime/calendar.ts'
import { DAY_MS, HOUR_MS } from '../../src/platform/runtime/durations.ts'
import { balanceOf } from '../../src/wallets/account/ledger.ts'
import { moveToQuietNoon, wallet } from '../harness/limits.ts'
import { move, newReference } from '../harness/movements.ts'
import { caughtUp } from '../harness/notifications.ts'
import { credentials, openConnection } from '../harness/raw-connection.ts'
import { refundsOf, tell } from '../harness/refunds.ts'
import { type Json, useService } from '../harness/service.ts'
import {
  addCard,
  deposit,
  depositStates,
  ledgerProblems,
  paidOrFaultCode,
  slowGateway,
  sweepUntil,
} from '../harness/wallets.ts'

const gateway = slowGateway()
const service = useService({}, { gateway: gateway.observe })
beforeEach(() => moveToQuietNoon(service))

const PASSWORD = 'correct horse battery'

/** Somebody with a log-in, a profile and a card. */
async function newPlayer() {
  const player = await service.member({ username: `player-${Math.random()}`, password: PASSWORD })
  const { username } = (await service.operator('GET', `/operator/v1/customers/${player.id}`)).body
  return { ...player, username: username as string, method: await addCard(service, player) }
}
type Player = Awaited<ReturnType<typeof newPlayer>>

async function logIn({ username }: Player): Promise<number> {
  const form = new URLSearchParams({ username, password: PASSWORD })
  return (await service.call('POST', `/v1/sessions/tickets?${form}`)).status
}

const put = ({ ticket }: Player, what: string) => wallet(service, ticket, 'PUT', what)
const customer = async ({ id }: Player): Promise<Json> =>
  (await service.operator('GET', `/operator/v1/customers/${id}`)).body
const operate = (method: string, { id }: Player, path: string, body?: object) =>
  service.operator(method, `/operator/v1/customers/${id}${path}`, body)

const KINDS = [
  ['a time-out', 'time-out?hours=24', 'time-out'],
  ['a self-exclusion', 'exclusion?months=6', 'self-exclusion'],
] as const

describe.each(KINDS)('%s', (_, call, kind) => {
  test('ends sessions and streams, and refuses log-ins and deposits', async () => {
    const player = await newPlayer()
    const { ticket } = player
    // A session of its own: when the stream ends, its ticket is cached no longer.
    const other = await service.context.sessions?.issue(player.id, null)
    const stream = await openConnection(service.publicUrl)
    stream.send(`GET /v1/stream HTTP/1.1\r\n${credentials()}who-ticket: ${other?.ticket}\r\n\r\n`)
    await stream.until(/event: ready\ndata: .*\n\n/)
    service.clock.hold()
    const { excludedUntil } = await put(player, call)
    expect(Date.parse(excludedUntil)).toBe(
      kind === 'time-out' ? service.clock.now() + DAY_MS : monthsLater(service.clock.now(), 6),
    )
    // The ticket is still cached, because the clock stands still.
    expect(paidOrFaultCode(await deposit(service, player))).toBe('24004')
    expect(await logIn(player)).toBe(401)
    await expect.poll(() => stream.received().endsWith('\r\n0\r\n\r\n'), { timeout: 60_000 }).toBe(true)
    stream.destroy()
    service.clock.advance(5_000)
    expect((await service.call('GET', '/v1/profiles/me', { ticket })).status).toBe(401)
    expect((await customer(player)).exclusion).toMatchObject({ kind, returnsAt: null })
    const issued = await operate('POST', player, '/tickets', {})
    expect([issued.status, issued.body.detail]).toEqual([409, expect.stringContaining(`is in a ${kind}`)])
  })

  test('voids the deposit in flight, whatever the gateway answers', async () => {
    const player = await newPlayer()
    gateway.meanwhile(() => put(player, call))
    expect(paidOrFaultCode(await deposit(service, { ...player, key: 'k' }))).toBe('24004')
    expect(await balanceOf(service.context.database, player.id, 'GBP')).toBe(0n)
    expect(await depositStates(service, player.id)).toEqual(['VOIDING'])
    await sweepUntil(service, player.id, ['VOIDED'])
    expect(await ledgerProblems(service)).toEqual([])
  })

  test('shows operators the balance that is to be paid, until it is paid or the exclusion is over', async () => {
    const player = await newPlayer()
    const toPay = async () => {
      const { items } = (await service.operator('GET', '/operator/v1/balances-to-pay?limit=100')).body
      return items.find((one: Json) => one.customerId === `${player.id}`)
    }
    await put(player, call)
    expect(await toPay()).toBeUndefined()
    // A bet of before is settled.
    await move(service, { reference: newReference(), customerId: player.id, kind: 'winnings', amount: '12.00' })
    const shown = { customerId: `${player.id}`, currency: 'GBP', balance: '12.00', excludedUntil: expect.any(String) }
    expect(await toPay()).toEqual(shown)
    await move(service, { reference: newReference(), customerId: player.id, kind: 'adjustment', amount: '-12.00' })
    expect(await toPay()).toBeUndefined()
    await move(service, { reference: newReference(), customerId: player.id, kind: 'winnings', amount: '12.00' })
    expect(await toPay()).toEqual(shown)
    if (kind === 'self-exclusion') return
    service.clock.advance(DAY_MS)
    expect(await toPay()).toBeUndefined()
  })

  test('a capture that is found after its void is refunded while it lasts', async () => {
    const player = await newPlayer()
    gateway.meanwhile(() => put(player, call))
    expect(paidOrFaultCode(await deposit(service, player))).toBe('24004')
    await sweepUntil(service, player.id, ['VOIDED'])
    const { items } = (await service.operator('GET', `/operator/v1/deposits?customerId=${player.id}`)).body
    const [{ paymentId }] = items
    expect((await tell(service, paymentId, 'CAPTURE')).status).toBeLessThan(300)
    expect(await depositStates(service, player.id)).toEqual(['REVIEW'])
    const resolution = { outcome: 'captured', note: 'the gateway shows the capture' }
    const resolved = await service.operator('POST', `/operator/v1/deposits/${paymentId}/resolution`, resolution)
    expect([resolved.status, resolved.body.state]).toEqual([200, 'CAPTURED'])
    expect(await balanceOf(service.context.database, player.id, 'GBP')).toBe(0n)
    expect((await refundsOf(service, paymentId)).items).toMatchObject([
      {
        amount: '10.00',
        state: 'REQUESTED',
        needsApproval: false,
        reason: 'captured after the customer excluded themselves',
      },
    ])
    expect(await ledgerProblems(service)).toEqual([])
  })

  test('is not shortened by operators, feeds, erasure or statements', async () => {
    const player = await newPlayer()
    await put(player, call)
    const before = (await customer(player)).exclusion
    await operate('PUT', player, '', { status: 'active', password: 'another horse battery' })
    await operate('PUT', player, '/status', { status: 'suspended', reason: 'x' })
    await operate('PUT', player, '/status', { status: 'active', reason: 'x' })
    await operate('PUT', player, '/status', { status: 'closed', reason: 'x' })
    expect((await operate('POST', player, '/reinstatement', { reason: 'x' })).status).toBe(409)
    const line = JSON.stringify({ put: 'customer', id: `${player.id}`, data: { status: 'active' } })
    await service.operator('POST', '/operator/v1/feed', Buffer.from(`${line}\n`))
    expect((await operate('POST', player, '/return', { reason: 'asked by phone' })).status).toBe(409)
    expect((await operate('DELETE', player, '/personal-data')).status).toBe(204)
    expect((await operate('POST', player, '/reinstatement', { reason: 'x' })).status).toBe(409)
    expect((await customer(player)).exclusion).toEqual(before)
    for (const change of [
      'play_from = 0',
      'timed_out_until = null, play_from = 1',
      'excluded_until = 1, play_from = 1',
    ])
      await expect(
        service.context.database.script(`update customer set ${change} where id = ${player.id}`),
      ).rejects.toThrow('nothing shortens')
  })

  test('is an event of the customer', async () => {
    const player = await newPlayer()
    const { excludedUntil } = await put(player, call)
    const read = async () => {
      const { body } = await service.operator('GET', '/operator/v1/events?kinds=customer.excluded&limit=1000')
      return body.events.filter((event: Json) => event.subject.id === `${player.id}`).map((event: Json) => event.data)
    }
    const until = new Date(excludedUntil).toISOString()
    await expect.poll(read, { timeout: 30_000 }).toEqual([{ kind, until }])
  })

  test('takes the profile out of rankings and stops its notifications; its tips and its profile stay', async () => {
    const [player, other] = [await newPlayer(), await service.member()]
    const path = `/v1/profiles/me/followings/${player.profileId}`
    await service.call('POST', path, { ticket: other.ticket })
    const ranked = async (days: number) => {
      const reply = await service.call('GET', `/v1/profiles/followers/mostFollowed?numDays=${days}`)
      return reply.text.includes(`id="${player.profileId}"`)
    }
    await service.context.database.script(
      `update profile_count set num_followers = 1000 where profile_id = ${player.profileId}`,
    )
    expect(await ranked(0)).toBe(true)
    await put(player, call)
    expect(await ranked(0)).toBe(false)
    expect((await service.call('GET', `/v1/profiles/${player.profileId}`)).status).toBe(200)
    await service.call('DELETE', path, { ticket: other.ticket })
    await caughtUp(service.context.database)
    const third = await service.member()
    await service.call('POST', path, { ticket: third.ticket })
    await caughtUp(service.context.database)
    const rows = await service.operator('GET', `/operator/v1/customers/${player.id}/personal-data`)
    expect(rows.body.notifications.filter((one: Json) => one.numActors > 0)).toEqual([])
    await service.context.database.script(
      `update profile_count set num_followers = 1 where profile_id = ${player.profileId}`,
    )
  })
})

test('the durations are 24 hours to 6 weeks and 6 to 60 months', async () => {
  const player = await newPlayer()
  for (const wrong of ['23', '1009', '024', '24.0', '-24', 'x'])
    expect(await put(player, `time-out?hours=${wrong}`)).toBe('10071 hours')
  for (const wrong of ['5', '61', '0', '06', 'x'])
    expect(await put(player, `exclusion?months=${wrong}`)).toBe('10071 months')
  expect(await put(player, 'time-out')).toBe('10070 hours')
  expect(await put(player, 'exclusion?months=')).toBe('10070 months')
})

test('a shorter one than in force is 10071, a longer one extends it', async () => {
  const player = await newPlayer()
  service.clock.hold()
  await put(player, 'time-out?hours=48')
  expect(await put(player, 'time-out?hours=47')).toBe('10071 hours')
  const { excludedUntil } = await put(player, 'time-out?hours=1008')
  expect(Date.parse(excludedUntil)).toBe(service.clock.now() + 42 * DAY_MS)
  await put(player, 'exclusion?months=12')
  expect(await put(player, 'exclusion?months=11')).toBe('10071 months')
  expect(await put(player, 'time-out?hours=1008')).toBe('10071 hours')
  await put(player, 'exclusion?months=60')
  expect((await customer(player)).exclusion.kind).toBe('self-exclusion')
})

test('after a time-out the customer logs in again', async () => {
  const player = await newPlayer()
  await put(player, 'time-out?hours=24')
  service.clock.advance(DAY_MS - HOUR_MS)
  expect(await logIn(player)).toBe(401)
  service.clock.advance(HOUR_MS)
  expect(await logIn(player)).toBe(201)
  expect((await customer(player)).exclusion).toBe(null)
})

test('a self-exclusion goes on after its end, until the customer asks to return and 24 hours have passed', async () => {
  const player = await newPlayer()
  const { excludedUntil } = await put(player, 'exclusion?months=6')
  service.clock.advance(Date.parse(excludedUntil) - service.clock.now() - HOUR_MS)
  expect((await operate('POST', player, '/return', { reason: 'asked by phone' })).status).toBe(409)
  service.clock.advance(30 * DAY_MS)
  expect(await logIn(player)).toBe(401)
  const asked = await operate('POST', player, '/return', { reason: 'asked by phone' })
  expect(asked.status).toBe(200)
  service.clock.advance(DAY_MS - HOUR_MS)
  expect(await logIn(player)).toBe(401)
  const again = await operate('POST', player, '/return', { reason: 'asked again' })
  expect(again.body.exclusion).toEqual(asked.body.exclusion)
  service.clock.advance(HOUR_MS)
  expect(await logIn(player)).toBe(201)
  expect((await operate('POST', player, '/return', { reason: 'x' })).status).toBe(409)
})

test('a log-in and a self-exclusion at once leave no session', { timeout: 300_000 }, async () => {
  for (let round = 0; round < 8; round++) {
    const player = await newPlayer()
    const issue = () => service.context.sessions?.issue(player.id, null)
    const [issued] = await Promise.all([issue(), put(player, 'exclusion?months=6'), issue()])
    const ticket = issued?.ticket ?? player.ticket
    service.clock.advance(5_000)
    expect((await service.call('GET', '/v1/profiles/me', { ticket })).status).toBe(401)
  }
})

test.each([
  ['2027-08-31T10:00:00.000Z', 6, '2028-02-29T10:00:00.000Z'],
  ['2026-08-31T10:00:00.000Z', 6, '2027-02-28T10:00:00.000Z'],
  ['2028-02-29T23:59:59.999Z', 12, '2029-02-28T23:59:59.999Z'],
  ['2026-12-15T00:00:00.000Z', 60, '2031-12-15T00:00:00.000Z'],
])('%s and %i months is %s', (from, months, to) => {
  expect(new Date(monthsLater(Date.parse(from), months)).toISOString()).toBe(to)
})
