// Who reads which events: pull by role, and what the audit trail has of it.

import { expect, test } from 'vitest'
import { PUBLIC_KINDS } from '../../src/operator/events/event-kinds.ts'
import { type Json, useService } from '../harness/service.ts'
import { newMatch, newTip, operatorOk, type TestOutcome } from '../harness/sportsbook.ts'
import { deposit, newDepositor } from '../harness/wallets.ts'
import { newToken } from './cases.ts'

const service = useService()

const pull = (token: string, query = '') => service.operator('GET', `/operator/v1/events?${query}`, undefined, token)

async function lastEntry(): Promise<Json> {
  return (await service.operator('GET', '/operator/v1/audit?limit=1')).body.items[0]
}

/** A deposit, a flag, a like, a self-exclusion and a tip, all in the log. */
async function happenings() {
  const { token } = await newToken(service, 'events')
  const [author, reporter] = [await service.member(), await service.member()]
  const tip = await newTip(service, author, ((await newMatch(service)) as [TestOutcome])[0].id)
  for (const path of ['like', 'flag']) {
    await service.call('POST', `/v1/communities/comments/${tip}/${path}`, { ticket: reporter.ticket })
  }
  const payer = await newDepositor(service)
  const { paymentId } = (await deposit(service, payer)).json().whoWallets
  await operatorOk(service, 'PUT', `/customers/${author.id}`, { status: 'self-excluded' })
  const all = async () => (await pull(token, 'limit=1000')).body.events as Json[]
  await expect.poll(async () => (await all()).at(-1)?.data.status, { timeout: 20_000 }).toBe('self-excluded')
  return { token, tip, paymentId, author, all: await all() }
}

test('feed reads what everybody can see, events the whole log', async () => {
  const { tip, paymentId, author, all } = await happenings()
  const types = new Set(all.map(({ type }) => type))
  expect([...types]).toEqual(
    expect.arrayContaining(['deposit.authorised', 'flag.created', 'like.created', 'customer.changed', 'tip.created']),
  )
  expect(JSON.stringify(all)).toContain(paymentId)
  const { token } = await newToken(service, 'feed')
  const { events, next } = (await pull(token, 'limit=1000')).body
  expect(events).toEqual(
    all.filter(({ type }) => PUBLIC_KINDS.includes(type)).map((event) => ({ ...event, customerId: null })),
  )
  expect(events.map(({ type, subject }: Json) => [type, subject.id])).toContainEqual(['tip.created', `${tip}`])
  expect(next).toBe(all.at(-1)?.position)
  expect(all.find(({ type }) => type === 'tip.created')?.customerId).toBe(`${author.id}`)
})

test.each(['deposit.captured', 'flag.created', 'customer.changed', 'tip.created,appeal.made', 'like.created'])(
  'feed is refused the types %s',
  async (kinds) => {
    const { token, name } = await newToken(service, 'feed')
    const { status, body } = await pull(token, `kinds=${kinds}`)
    expect([status, body.detail]).toEqual([403, expect.stringMatching(/ need the role events; .* has feed\.$/)])
    expect(await lastEntry()).toMatchObject({ actor: name, action: 'listEvents', detail: { refused: 403 } })
  },
)

test('each read that shows personal events is in the audit trail, and no other', async () => {
  const { all } = await happenings()
  const { token, name } = await newToken(service, 'events')
  const before = await lastEntry()
  for (const query of ['kinds=tip.created,market.settled', `after=${all.at(-1)?.position}`]) await pull(token, query)
  expect(await lastEntry()).toEqual(before)
  await pull(token, 'after=0&kinds=deposit.authorised,flag.created')
  expect(await lastEntry()).toMatchObject({
    actor: name,
    role: 'events',
    action: 'listEvents',
    sentence: `${name} read events after position 0 of the types deposit.authorised,flag.created`,
    detail: { query: { after: 0, kinds: 'deposit.authorised,flag.created', limit: 100 } },
  })
})
