// Long lists of the console: from a day on, or up to it. What tells cards apart is in each list of money.

import { beforeAll, expect, test } from 'vitest'
import { appealed, removedTip } from '../harness/appeals.ts'
import { captured, refund } from '../harness/refunds.ts'
import { type Json, useService } from '../harness/service.ts'
import { newMatch, newTip, type TestOutcome } from '../harness/sportsbook.ts'
import { APPROVE, decideWithdrawal, player, waitingWithdrawal, withdrawn } from '../harness/withdrawals.ts'

const service = useService()
const DAY_MS = 86_400_000
const CARD = { scheme: 'VISA', lastFour: '1111', expiryDate: '12/49' }

const today = () => new Date(service.clock.now()).toISOString().slice(0, 10)

async function read(path: string): Promise<Json> {
  const reply = await service.operator('GET', `/operator/v1/${path}`)
  expect([path, reply.status]).toEqual([path, 200])
  return reply.body
}

/** All items, a few on each page. */
async function readAll(path: string): Promise<Json[]> {
  const items: Json[] = []
  for (let cursor = ''; cursor !== null; ) {
    const page = await read(`${path}${path.includes('?') ? '&' : '?'}limit=2&cursor=${cursor}`)
    items.push(...page.items)
    cursor = page.cursor
  }
  return items
}

const idsOf = (items: Json[]) => items.map(({ id }) => id)

/** The clock stops at the beginning of the next day, so that a test stays within it. */
function nextDay(): string {
  service.clock.advance(DAY_MS - (service.clock.now() % DAY_MS))
  return today()
}

/** Tickets end before the next day. */
async function ticketOf(customer: number): Promise<string> {
  return (await service.operator('POST', `/operator/v1/customers/${customer}/tickets`, {})).body.ticket
}

beforeAll(() => service.clock.hold())

test('what a customer did is listed up to a day: bets, tips, flags and the timeline', async () => {
  nextDay()
  const [author, flagger] = [await service.member(), await service.member()]
  const [outcome, other] = (await newMatch(service)) as [TestOutcome, TestOutcome]
  const made: { day: string; tip: number }[] = []
  for (const { id } of [outcome, other]) {
    const tip = await newTip(service, { ...author, ticket: await ticketOf(author.id) }, id)
    await service.call('POST', `/v1/communities/comments/${tip}/flag`, { ticket: await ticketOf(flagger.id) })
    made.push({ day: today(), tip })
    nextDay()
  }
  const [first, second] = made as [{ day: string; tip: number }, { day: string; tip: number }]
  const of = (id: number, list: string, to: string) => readAll(`customers/${id}/${list}to=${to}`)
  for (const [{ day }, expected] of [
    [first, [`${first.tip}`]],
    [second, [`${second.tip}`, `${first.tip}`]],
  ] as const) {
    expect(idsOf(await of(author.id, 'comments?', day))).toEqual(expected)
    expect(idsOf(await of(author.id, 'flags?', day))).toEqual(expected)
    expect(idsOf(await of(flagger.id, 'flags?direction=given&', day))).toEqual(expected)
    expect(await of(author.id, 'bets?', day)).toHaveLength(expected.length)
    const tips = (await of(author.id, 'timeline?', day)).filter(({ kind }) => kind === 'tip')
    expect(tips.map(({ subject }) => subject.id)).toEqual(expected)
  }
  expect(await of(author.id, 'timeline?', '2020-01-01')).toEqual([])
  const whole = await readAll(`customers/${author.id}/timeline`)
  expect(await of(author.id, 'timeline?', today())).toEqual(whole)
  for (const list of ['bets', 'comments', 'flags', 'timeline']) {
    const path = `/operator/v1/customers/${author.id}/${list}?to=2026-02-30`
    expect([list, (await service.operator('GET', path)).status]).toEqual([list, 422])
  }
})

test('the timeline of somebody with many newer entries begins at the day all the same', async () => {
  nextDay()
  const { id } = await service.member()
  const day = today()
  const later = nextDay()
  // More than one read skips. The service itself numbers its entries from 1.
  await service.context.database.script(`with recursive n (i) as (select 1 union all select i + 1 from n where i < 1200)
    insert into audit (id, at, actor, role, action, subject, detail)
    select -i, ${service.clock.now()} + i, 'filler', 'admin', 'putCustomer', '${id}', '{}' from n`)
  const texts = (await readAll(`customers/${id}/timeline?to=${day}`)).map(({ text }) => text)
  expect(texts).toEqual(['Session started', 'Registered'])
  expect((await read(`customers/${id}/timeline?to=${later}`)).items[0].text).toContain('filler')
})

test('withdrawals are listed from a day on or up to it, in a state, of a customer, or all', async () => {
  nextDay()
  const earlier = (await waitingWithdrawal(service)).id
  const [before, day] = [today(), nextDay()]
  const [{ id, customer }, other] = [await waitingWithdrawal(service), await waitingWithdrawal(service)]
  nextDay()
  const listed = async (query: string) => idsOf(await readAll(`withdrawals?${query}`))
  expect(await listed(`state=REQUESTED&from=${day}`)).toEqual([id, other.id])
  expect((await listed(`state=REQUESTED&to=${before}`)).at(-1)).toBe(earlier)
  expect(await listed(`from=${before}&to=${before}`)).toEqual([earlier])
  expect((await listed(`to=${day}`)).slice(0, 3)).toEqual([other.id, id, earlier])
  expect(await listed(`customerId=${customer.id}&from=${day}`)).toEqual([id])
  expect(await listed(`customerId=${customer.id}&to=${before}`)).toEqual([])
  expect(await listed(`from=${today()}`)).toEqual([])
  expect((await service.operator('GET', '/operator/v1/withdrawals?from=2026-02-30')).status).toBe(422)
})

test('appeals are listed from a day on', async () => {
  nextDay()
  const made: string[] = []
  const days: string[] = []
  for (let turn = 0; turn < 3; turn++) {
    const { author, decisionId } = await removedTip(service, { clause: 'spam' })
    await appealed(service, author, decisionId)
    days.push(today())
    const { items } = await read('moderation/queue?kind=appeal')
    made.push(items.at(-1).id)
    nextDay()
  }
  const listed = async (from: string) => idsOf(await readAll(`moderation/queue?kind=appeal&from=${from}`))
  expect(await listed(days[1] as string)).toEqual(made.slice(1))
  expect(await listed(today())).toEqual([])
})

test('events are read from a day on', async () => {
  const days: { day: string; profile: string }[] = []
  for (let turn = 0; turn < 3; turn++) {
    const day = nextDay()
    days.push({ day, profile: `${(await service.member()).profileId}` })
  }
  nextDay()
  const created = async (from: string) => {
    const { events } = await read(`events?kinds=profile.created&from=${from}`)
    return events.map(({ subject }: Json) => subject.id)
  }
  // PostgreSQL puts events into their order some moments later.
  for (const [index, { day }] of days.entries()) {
    const expected = days.slice(index).map(({ profile }) => profile)
    await expect.poll(() => created(day), { timeout: 60_000 }).toEqual(expected)
  }
  expect(await created(today())).toEqual([])
  const { events } = await read('events?kinds=profile.created&from=2020-01-01&limit=1000')
  expect(events.length).toBeGreaterThan(3)
  expect((await read(`events?after=999999999&from=2020-01-01`)).events).toEqual([])
  expect((await service.operator('GET', '/operator/v1/events?from=2026-02-30')).status).toBe(422)
})

test('withdrawals and refunds have what tells cards apart, as deposits have it, in lists, answers and the timeline', async () => {
  const { id, ticket, method, paymentId } = await captured(service)
  await refund(service, paymentId, '5.00')
  const withdrawal = await withdrawn(service, { ticket, card: method, amount: '4.00' })
  expect((await read(`deposits/${paymentId}`)).lastFour).toBe('1111')
  expect(await read(`withdrawals/${withdrawal}`)).toMatchObject(CARD)
  for (const path of [
    `withdrawals?customerId=${id}`,
    `refunds?customerId=${id}`,
    'refunds',
    `deposits/${paymentId}/refunds`,
  ]) {
    expect([path, (await read(path)).items[0]]).toMatchObject([path, CARD])
  }
  const texts = (await read(`customers/${id}/timeline`)).items.map(({ text }: Json) => text)
  expect(texts).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^Withdrawal of 4\.00 GBP to VISA … 1111, now \w+$/),
      expect.stringMatching(/^Refund of 5\.00 GBP to VISA … 1111, now \w+$/),
      'Deposit of 20.00 GBP with VISA … 1111, now captured',
    ]),
  )
  const personal = await read(`customers/${id}/personal-data`)
  expect([personal.wallet.withdrawals[0], personal.wallet.refunds[0]]).toMatchObject([CARD, CARD])

  const waiting = await waitingWithdrawal(service)
  expect((await read('withdrawals?state=REQUESTED&limit=100')).items.at(-1)).toMatchObject({ id: waiting.id, ...CARD })
  expect((await decideWithdrawal(service, waiting.id, APPROVE)).body).toMatchObject(CARD)
  const { id: customer, cards } = await player(service, {})
  const body = { amount: '5.00', paymentMethodId: `${cards[0]}`, reason: 'asked by letter' }
  const requested = await service.operator('POST', `/operator/v1/customers/${customer}/withdrawals`, body)
  expect([requested.status, requested.body]).toMatchObject([201, CARD])
})
