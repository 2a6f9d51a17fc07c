import { expect, test } from 'vitest'
import { type Json, startTestService, useService } from '../harness/service.ts'
import { newMatch, newTip } from '../harness/sportsbook.ts'
import { addCard, deposit, insertDeposits, newDepositor, sweepUntil } from '../harness/wallets.ts'
import { newToken } from './cases.ts'

const service = useService()
const DAY_MS = 86_400_000

async function read(days: number): Promise<Json> {
  const reply = await service.operator('GET', `/operator/v1/statistics?days=${days}`)
  expect(reply.status).toBe(200)
  return reply.body
}

const countsOf = (body: Json, name: string): number[] => body.series.find((one: Json) => one.name === name).counts

test('events are counted by day, and days without events are included', async () => {
  const [one, other, third] = [await service.member(), await service.member(), await service.member()]
  service.clock.advance(2 * DAY_MS)
  const path = `/v1/profiles/me/followings/${other.profileId}`
  expect((await service.call('POST', path, { ticket: await ticketOf(one.id) })).status).toBe(204)
  expect((await service.call('POST', path, { ticket: await ticketOf(third.id) })).status).toBe(204)
  await service.call('PUT', `/v1/profiles/${other.profileId}/flag`, { ticket: await ticketOf(one.id) })
  service.clock.advance(DAY_MS)
  await service.call('DELETE', path, { ticket: await ticketOf(third.id) })
  await service.operator('POST', `/operator/v1/moderation/profiles/${other.profileId}`, { action: 'keep' })

  const body = await read(4)
  const today = new Date(service.clock.now()).toISOString().slice(0, 10)
  expect(body.days).toHaveLength(4)
  expect(body.days.at(-1)).toBe(today)
  expect(body.days).toEqual([...body.days].sort())
  expect(body.series.map((series: Json) => series.name)).toEqual(expect.arrayContaining(['follows', 'profiles']))
  expect(countsOf(body, 'profiles')).toEqual([3, 0, 0, 0])
  expect(countsOf(body, 'follows')).toEqual([0, 0, 1, 0])
  expect(countsOf(body, 'flags')).toEqual([0, 0, 1, 0])
  expect(countsOf(body, 'decisions')).toEqual([0, 0, 0, 1])
  expect(countsOf(await read(3), 'profiles')).toEqual([0, 0, 0])
})

/** The clock was moved past the life of the first ticket. */
async function ticketOf(customerId: number): Promise<string> {
  return (await service.operator('POST', `/operator/v1/customers/${customerId}/tickets`)).body.ticket
}

test.each(['0', '91', 'x', '-1', '1.5'])('%s days are refused', async (days) => {
  const reply = await service.operator('GET', `/operator/v1/statistics?days=${days}`)
  expect([reply.status, reply.body.errors[0].pointer]).toEqual([422, 'query/days'])
})

test('a token learns its name, its role and what it may do', async () => {
  const me = async (token?: string) => (await service.operator('GET', '/operator/v1/me', undefined, token)).body
  expect(await me()).toMatchObject({ name: 'bootstrap', role: 'admin' })
  expect((await me()).calls).toContain('POST /tokens')
  const { token } = await newToken(service, 'moderator', 'Mo')
  const { name, role, calls } = await me(token)
  expect([name, role]).toEqual(['Mo', 'moderator'])
  expect(calls).toEqual(expect.arrayContaining(['GET /moderation/queue', 'POST /moderation/profiles/{id}']))
  expect(calls).not.toContain('GET /tokens')
  const reader = await me((await newToken(service, 'auditor', 'Al')).token)
  expect(reader.calls.length).toBeGreaterThan(3)
  // Which item a tab of the console shows is no change of data.
  const isReading = (call: string) => call.startsWith('GET ') || call === 'PUT /presence'
  expect(reader.calls.every(isReading)).toBe(true)
})

test('tips and likes are counted', async () => {
  const [outcome] = await newMatch(service)
  const [tipster, fan] = [await service.member(), await service.member()]
  const tip = await newTip(service, tipster, (outcome as { id: number }).id)
  await service.call('POST', `/v1/communities/comments/${tip}/like`, { ticket: fan.ticket })
  const body = await read(1)
  for (const name of ['tips', 'likes']) expect(countsOf(body, name), name).toEqual([1])
})

async function money(days: number): Promise<Json> {
  return (await service.operator('GET', `/operator/v1/statistics/money?days=${days}`)).body
}

test('money is reported by day: amounts by currency, the approval rate and refusals by reason', async () => {
  const pay = async (amount: string, settings: { token?: string; currency?: string } = {}) => {
    const { token = 'sandbox:approve', currency = 'GBP' } = settings
    const customer = await service.customer({ currency })
    await deposit(service, { ...customer, method: await addCard(service, customer, { token }), amount })
  }
  service.clock.advance(DAY_MS)
  expect(await money(1)).toMatchObject({ amounts: [], approved: [0], refused: [0], approvalRate: [null], refusals: [] })
  await pay('12.34')
  await pay('5.00')
  await pay('20.00', { token: 'sandbox:insufficient-funds' })
  service.clock.advance(DAY_MS)
  await pay('7.50', { currency: 'EUR' })
  await pay('10.00', { token: 'sandbox:insufficient-funds' })
  await pay('10.00', { token: 'sandbox:decline' })
  const body = await money(3)
  expect(body.days).toHaveLength(3)
  expect(body).toMatchObject({
    amounts: [
      { currency: 'EUR', amounts: ['0.00', '0.00', '7.50'] },
      { currency: 'GBP', amounts: ['0.00', '17.34', '0.00'] },
    ],
    approved: [0, 2, 1],
    refused: [0, 1, 2],
    approvalRate: [null, 0.6667, 0.3333],
    refusals: [
      { code: '24005', counts: [0, 0, 1] },
      { code: '24007', title: expect.any(String), counts: [0, 1, 1] },
    ],
  })
})

test('each figure has its total in the period before, which ends at the present time of day', async () => {
  const own = await startTestService()
  try {
    own.clock.hold()
    // So that it is noon.
    own.clock.advance(DAY_MS - (own.clock.now() % DAY_MS) + DAY_MS / 2)
    const customer = await own.customer()
    const payer = { id: customer.id, method: await addCard(own, customer) }
    const noon = own.clock.now()
    await insertDeposits(
      own,
      payer,
      5,
      `100 * i, 'GBP', case i when 4 then 'DECLINED' else 'CAPTURED' end,
      case i when 4 then 'cv2Invalid' end, null, null`,
    )
    const days = [4, 3.9, 2.1, 2, 1.9]
    for (const [index, daysAgo] of days.entries()) {
      await own.context.database.script(
        `update deposit set created_at = ${noon - daysAgo * DAY_MS} where amount = ${100 * (index + 1)}`,
      )
    }
    // These two days begin at 1.5 days ago. Those before begin at 3.5 days ago and end at 2 days ago.
    const { body } = await own.operator('GET', '/operator/v1/statistics/money?days=2')
    expect(body).toMatchObject({ approved: [0, 0], refused: [0, 0], approvalRate: [null, null] })
    const before = { amounts: [{ currency: 'GBP', amount: '3.00' }], approved: 1, refused: 0, approvalRate: 1 }
    expect(body.before).toEqual(before)
    expect(body.daysBefore).toEqual({
      amounts: [{ currency: 'GBP', amounts: expect.arrayContaining(['3.00', '0.00']) }],
      approved: expect.arrayContaining([1, 0]),
      refused: [0, 0],
      approvalRate: expect.arrayContaining([1, null]),
    })
    own.clock.advance(1)
    const later = (await own.operator('GET', '/operator/v1/statistics/money?days=2')).body
    expect(later.before).toEqual({ ...before, refused: 1, approvalRate: 0.5 })
    own.clock.advance(DAY_MS / 2)
    const { series } = (await own.operator('GET', '/operator/v1/statistics?days=1')).body
    expect(series.every((one: Json) => one.before === 0 && one.counts.length === 1)).toBe(true)
  } finally {
    await own.close()
  }
})

test('follows of the days before are counted too', async () => {
  const [one, other] = [await service.member(), await service.member()]
  await service.call('POST', `/v1/profiles/me/followings/${other.profileId}`, { ticket: await ticketOf(one.id) })
  service.clock.advance(3 * DAY_MS)
  const { series } = await read(3)
  const follows = series.find(({ name }: Json) => name === 'follows')
  expect([follows.counts, follows.before, follows.countsBefore.length]).toEqual([[0, 0, 0], 1, 3])
  expect(follows.countsBefore.toSorted()).toEqual([0, 0, 1])
})

test('a manually voided deposit counts neither as money nor as a refusal', async () => {
  service.clock.advance(DAY_MS)
  const payer = await newDepositor(service, { token: 'sandbox:capture-refused' })
  const { paymentId } = (await deposit(service, { ...payer, amount: '9.00' })).json().whoWallets
  expect(await money(1)).toMatchObject({ amounts: [{ amounts: ['9.00'] }], approved: [1] })
  await sweepUntil(service, payer.id, ['REVIEW'])
  await service.operator('POST', `/operator/v1/deposits/${paymentId}/resolution`, { outcome: 'voided', note: 'n' })
  expect(await money(1)).toMatchObject({ amounts: [], approved: [0], refused: [0], approvalRate: [null] })
})

test('moderators get no money statistics', async () => {
  const { token } = await newToken(service, 'moderator', 'Not of money')
  const reply = await service.operator('GET', '/operator/v1/statistics/money', undefined, token)
  expect(reply.status).toBe(403)
})
