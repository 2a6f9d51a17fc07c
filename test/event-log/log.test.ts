// Every kind of event through the public interface: what is reported, once, with which data, and in which order.

import { Ajv } from 'ajv'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { dataOf } from '../../src/event-log/event.ts'
import { deleteOldEvents } from '../../src/event-log/retention.ts'
import { type EventRow, newestPosition } from '../../src/event-log/store.ts'
import { type EventKind, eventKinds } from '../../src/operator/events/event-kinds.ts'
import { REFUSALS_BY_CODE } from '../../src/wallets/deposits/reasons.ts'
import { insertDepositEvent } from '../../src/wallets/deposits/store.ts'
import { sandboxResult } from '../../src/wallets/gateways/sandbox/challenges.ts'
import { changeLimit } from '../../src/wallets/limits/limits.ts'
import { excludeCustomer } from '../../src/wallets/reviews/exclusions.ts'
import { appealed, removedTip } from '../harness/appeals.ts'
import { twoPersons } from '../harness/cashier.ts'
import { finishChallenge, makeDeposit, registerReturnAddresses } from '../harness/challenges.ts'
import { move } from '../harness/movements.ts'
import { notificationsOf } from '../harness/notifications.ts'
import { captured, refund, sweepUntilRefunds, tell } from '../harness/refunds.ts'
import { type Json, type TestService, useService } from '../harness/service.ts'
import { newMatch, newTip, operatorOk, settle, type TestOutcome } from '../harness/sportsbook.ts'
import { addCard, deposit, insertDeposits, newDepositor, sweepUntil } from '../harness/wallets.ts'
import {
  decideWithdrawal,
  HOLD,
  type Player,
  payIn,
  player,
  REFUSE,
  RELEASE,
  sweepUntilPaid,
  withdrawn,
} from '../harness/withdrawals.ts'

const service = useService({ GATEWAY_TIMEOUT_MS: '100', REVIEW_AFTER_SECONDS: '60' })
const ajv = new Ajv({ strict: false })
const seen = new Set<EventKind>()

type Data<Kind extends EventKind> = Extract<EventRow<typeof eventKinds>, { kind: Kind }>['data']
type Happened = { type: EventKind; subject: { type: string; id: string }; profileId: string | null; data: Json }

async function newest(): Promise<number> {
  return (await service.context.database.one(newestPosition, {}))?.position ?? 0
}

/** Events after a position, without those of customers and profiles that the test creates. PostgreSQL gives positions a little later. */
async function eventsAfter(after: number, count: number): Promise<Happened[]> {
  const read = async () => {
    const { body } = await service.operator('GET', `/operator/v1/events?after=${after}&limit=1000`)
    return body.events as (Happened & { position: number; id: string; timestamp: string })[]
  }
  await expect.poll(async () => (await read()).length, { timeout: 20_000, interval: 20 }).toBe(count)
  const events = await read()
  expect(events.map(({ position }) => position)).toEqual(events.map((_, index) => after + 1 + index))
  for (const { type, data, subject } of events) {
    seen.add(type)
    expect([type, data, ajv.validate(eventKinds[type].data, data), ajv.errorsText()]).toEqual([
      type,
      data,
      true,
      'No errors',
    ])
    expect(eventKinds[type].subjects).toContain(subject.type)
  }
  return events
}

/** The position before which everything has one. */
async function settled(service: TestService): Promise<number> {
  const { id } = await service.customer()
  const last = `{"status":"active","verified":true}`
  const read = async () => {
    const after = Math.max((await newest()) - 5, 0)
    const { body } = await service.operator('GET', `/operator/v1/events?after=${after}&kinds=customer.changed&limit=10`)
    return body.events.find((event: Json) => event.customerId === `${id}`)
  }
  await expect.poll(async () => JSON.stringify((await read())?.data), { timeout: 20_000, interval: 20 }).toBe(last)
  return (await read()).position
}

const summary = (events: Happened[]) =>
  events.map(({ type, subject, profileId, data }) => [type, `${subject.type} ${subject.id}`, profileId, data])

describe('each change is reported once, in order', () => {
  test('follows, likes and flags', async () => {
    const [author, fan] = [await service.member(), await service.member()]
    const [outcome] = (await newMatch(service)) as [TestOutcome]
    const start = await settled(service)
    const tip = await newTip(service, author, outcome.id)
    const { ticket } = fan
    const [byProfileId, profileId] = [`${fan.profileId}`, `${author.profileId}`]
    for (const [method, path] of [
      ['POST', `/v1/profiles/me/followings/${profileId}`],
      ['POST', `/v1/profiles/me/followings/${profileId}`],
      ['DELETE', `/v1/profiles/me/followings/${profileId}`],
      ['POST', `/v1/communities/comments/${tip}/like`],
      ['POST', `/v1/communities/comments/${tip}/like`],
      ['DELETE', `/v1/communities/comments/${tip}/like`],
      ['POST', `/v1/communities/comments/${tip}/flag`],
      ['PUT', `/v1/profiles/${profileId}/flag`],
    ] as const) {
      expect([path, (await service.call(method, path, { ticket })).status]).toEqual([
        path,
        expect.toSatisfy((status) => status < 300),
      ])
    }
    expect(summary(await eventsAfter(start, 7))).toEqual([
      ['tip.created', `comment ${tip}`, profileId, { outcomeId: `${outcome.id}`, sportId: '1' }],
      ['follow.created', `profile ${profileId}`, profileId, { byProfileId }],
      ['follow.ended', `profile ${profileId}`, profileId, { byProfileId }],
      ['like.created', `comment ${tip}`, profileId, { byProfileId }],
      ['like.ended', `comment ${tip}`, profileId, { byProfileId }],
      ['flag.created', `comment ${tip}`, profileId, { byProfileId }],
      ['flag.created', `profile ${profileId}`, profileId, { byProfileId }],
    ])
  })

  test('decisions on tips and profiles, and tips that their author takes back', async () => {
    const author = await service.member()
    const [outcome] = (await newMatch(service)) as [TestOutcome]
    const [one, other] = [await newTip(service, author, outcome.id), await newTip(service, author, outcome.id)]
    const start = await settled(service)
    for (const action of ['remove', 'restore', 'keep']) {
      await operatorOk(service, 'POST', `/moderation/comments/${one}`, { action, note: 'a note that stays here' })
    }
    await operatorOk(service, 'POST', `/moderation/profiles/${author.profileId}`, { action: 'reset-name', note: '' })
    const path = `/v1/communities/comments/${other}`
    expect((await service.call('PUT', path, { ticket: author.ticket })).status).toBe(204)
    const events = await eventsAfter(start, 7)
    const outcomeId = `${outcome.id}`
    const decision = (action: string) => ({ decisionId: expect.any(String), action })
    expect(summary(events).map(([type, subject, , data]) => [type, subject, data])).toEqual([
      ['tip.removed', `comment ${one}`, { outcomeId }],
      ['decision.made', `comment ${one}`, decision('remove')],
      ['tip.restored', `comment ${one}`, { outcomeId }],
      ['decision.made', `comment ${one}`, decision('restore')],
      ['decision.made', `comment ${one}`, decision('keep')],
      ['decision.made', `profile ${author.profileId}`, decision('reset-name')],
      ['tip.deactivated', `comment ${other}`, { outcomeId }],
    ])
    expect(events.every(({ profileId }) => profileId === `${author.profileId}`)).toBe(true)
    expect(JSON.stringify(events)).not.toContain('stays here')
  })

  test('appeals, made and decided', async () => {
    const { author, tip, decisionId } = await removedTip(service)
    const start = await settled(service)
    const appealId = await appealed(service, author, decisionId)
    await operatorOk(service, 'POST', `/moderation/appeals/${appealId}`, { outcome: 'overturned', reply: 'stays here' })
    const events = await eventsAfter(start, 4)
    const data = { appealId: `${appealId}`, decisionId: `${decisionId}`, party: 'author' }
    expect(summary(events)).toEqual([
      ['appeal.made', `comment ${tip}`, `${author.profileId}`, data],
      ['tip.restored', `comment ${tip}`, `${author.profileId}`, { outcomeId: expect.any(String) }],
      [
        'decision.made',
        `comment ${tip}`,
        `${author.profileId}`,
        { decisionId: expect.any(String), action: 'overturn' },
      ],
      ['appeal.decided', `comment ${tip}`, `${author.profileId}`, { ...data, outcome: 'overturned' }],
    ])
    expect(JSON.stringify(events)).not.toContain('stays here')
  })

  test('settlements, the same results again, and corrections', async () => {
    const authors = [await service.member(), await service.member()]
    const [outcome] = (await newMatch(service)) as [TestOutcome]
    const tips: number[] = []
    for (const author of authors) tips.push(await newTip(service, author, outcome.id))
    const start = await settled(service)
    for (const result of ['win', 'win', 'void'] as const) await settle(service, outcome, result)
    const outcomeId = `${outcome.id}`
    const market = `market ${outcome.marketId}`
    const ofTips = (type: EventKind, result: string) =>
      tips.map((tip, index) => [type, `comment ${tip}`, `${authors[index]?.profileId}`, { outcomeId, result }])
    expect(summary(await eventsAfter(start, 6))).toEqual([
      ['market.settled', market, null, { settled: 1, corrected: 0 }],
      ...ofTips('tip.settled', 'win'),
      ['market.settled', market, null, { settled: 0, corrected: 1 }],
      ...ofTips('tip.corrected', 'void'),
    ])
  })

  test('deposits', async () => {
    const customers: Awaited<ReturnType<typeof newDepositor>>[] = []
    for (const token of ['approve', 'decline', 'timeout-after', 'capture-refused']) {
      customers.push(await newDepositor(service, { token: `sandbox:${token}` }))
    }
    const challenged = await newDepositor(service, { token: 'sandbox:challenge' })
    await registerReturnAddresses(service)
    const start = await settled(service)
    for (const { ticket, method } of customers) await deposit(service, { ticket, method, amount: '12.50' })
    for (const [index, state] of ['CAPTURED', 'DECLINED', 'VOIDED', 'REVIEW'].entries()) {
      await sweepUntil(service, customers[index]?.id as number, [state])
    }
    const { paymentId } = (await makeDeposit(service, { ...challenged, amount: '12.50' })).json().whoWallets
    const result = sandboxResult(paymentId, 'refuse')
    await finishChallenge(service, { ticket: challenged.ticket, paymentId, result })
    customers.push(challenged)
    const { items } = (await service.operator('GET', `/operator/v1/deposits?customerId=${customers[3]?.id}`)).body
    await operatorOk(service, 'POST', `/deposits/${items[0].paymentId}/resolution`, { outcome: 'voided', note: '' })
    const events = (await eventsAfter(start, 9)) as (Happened & { customerId: string })[]
    const of = (index: number) =>
      events
        .filter(({ customerId }) => customerId === `${customers[index]?.id}`)
        .map(({ type, data }) => [type, data.state, data.review ?? data.fault, ...(data.why ? [data.why.title] : [])])
    expect([0, 1, 2, 3, 4].map(of)).toEqual([
      [
        ['deposit.authorised', 'AUTHORISED', null],
        ['deposit.captured', 'CAPTURED', null],
      ],
      [['deposit.declined', 'DECLINED', '24005', 'Refused by the bank']],
      [['deposit.voided', 'VOIDED', '24005', 'No certain answer in time']],
      [
        ['deposit.authorised', 'AUTHORISED', null],
        ['deposit.review', 'REVIEW', 'capture-refused', 'Capture refused'],
        ['deposit.resolved', 'VOIDED', 'capture-refused', 'Taken back after a review'],
      ],
      [
        ['deposit.challenged', 'CHALLENGE', null],
        ['deposit.declined', 'DECLINED', '24005', 'Refused by the bank'],
      ],
    ])
    expect(events.every(({ data }) => data.amount === '12.50' && data.currency === 'GBP')).toBe(true)
  })

  test('every refusal of a deposit has its code', async () => {
    const { database, now } = service.context
    const codes = Object.entries(REFUSALS_BY_CODE)
    const payer = await newDepositor(service)
    const faults = codes.map(([, fault], index) => `when ${index + 1} then '${fault}'`).join(' ')
    await insertDeposits(service, payer, codes.length, `500, 'GBP', 'DECLINED', case i ${faults} end, null, null`)
    const start = await settled(service)
    for (const index of codes.keys()) {
      const depositId = `inserted-${payer.method}-${index + 1}`
      await database.run(insertDepositEvent, { depositId, now: now(), event: 'declined', detail: '' })
    }
    const events = await eventsAfter(start, codes.length)
    expect(events.map(({ data }) => data.fault)).toEqual(codes.map(([code]) => code))
  })

  test('refunds', async () => {
    const [slow, refused, late] = [
      await captured(service, 'sandbox:refund-slow'),
      await captured(service, 'sandbox:refund-failed'),
      await captured(service, 'sandbox:refund-slow'),
    ]
    const start = await settled(service)
    const { id } = (await refund(service, slow.paymentId, '5.00')).body
    await sweepUntilRefunds(service, slow.paymentId, ['SENT'])
    await operatorOk(service, 'POST', `/refunds/${id}/resolution`, { outcome: 'done', note: '' })
    await refund(service, refused.paymentId, '5.00')
    await sweepUntilRefunds(service, refused.paymentId, ['FAILED'])
    const failed = (await refund(service, late.paymentId, '5.00')).body
    await sweepUntilRefunds(service, late.paymentId, ['SENT'])
    await operatorOk(service, 'POST', `/refunds/${failed.id}/resolution`, { outcome: 'failed', note: '' })
    await tell(service, late.paymentId, 'REFUND')
    const events = await eventsAfter(start, 9)
    expect(events.map(({ type, subject, data }) => [type, subject.id, data.amount, data.state])).toEqual([
      ['refund.requested', slow.paymentId, '5.00', 'REQUESTED'],
      ['refund.sent', slow.paymentId, '5.00', 'SENT'],
      ['refund.done', slow.paymentId, '5.00', 'DONE'],
      ['refund.requested', refused.paymentId, '5.00', 'REQUESTED'],
      ['refund.failed', refused.paymentId, '5.00', 'FAILED'],
      ['refund.requested', late.paymentId, '5.00', 'REQUESTED'],
      ['refund.sent', late.paymentId, '5.00', 'SENT'],
      ['refund.failed', late.paymentId, '5.00', 'FAILED'],
      ['refund.review', late.paymentId, '5.00', 'REVIEW'],
    ])
    expect(events[0]?.data.refundId).toBe(id)
  })

  test('disputes', async () => {
    const { paymentId } = await captured(service)
    const start = await settled(service)
    for (const event of ['NOTIFICATION_OF_CHARGEBACK', 'CHARGEBACK', 'CHARGEBACK', 'CHARGEBACK_REVERSED']) {
      await tell(service, paymentId, event)
    }
    const events = await eventsAfter(start, 3)
    expect(events.map(({ type, subject, data }) => [type, subject.id, data.event, data.state, data.debited])).toEqual([
      ['dispute.opened', paymentId, 'NOTIFICATION_OF_CHARGEBACK', 'OPENED', '0.00'],
      ['dispute.changed', paymentId, 'CHARGEBACK', 'CHARGED_BACK', '20.00'],
      ['dispute.changed', paymentId, 'CHARGEBACK_REVERSED', 'REVERSED', '0.00'],
    ])
  })

  test('withdrawals', async () => {
    const [paid, returned, waiting, reviewed] = [
      await player(service, {}),
      await player(service, { token: 'sandbox:payout-refused' }),
      await player(service, { amount: '600.00' }),
      await player(service, { token: 'sandbox:payout-silent' }),
    ]
    const start = await settled(service)
    const take = ({ ticket, cards }: Player, amount = '20.00') =>
      withdrawn(service, { ticket, card: cards[0] as number, amount })
    const id = await take(paid)
    await sweepUntilPaid(service, id)
    await sweepUntilPaid(service, await take(returned), 'RETURNED')
    const held = await take(waiting, '600.00')
    await decideWithdrawal(service, held, HOLD, { body: { reason: 'wait' } })
    await decideWithdrawal(service, held, RELEASE)
    await decideWithdrawal(service, held, REFUSE, { body: { reason: 'no' } })
    const silent = await take(reviewed)
    // The gateway is called now, and has no answer a minute later.
    await sweepUntilPaid(service, silent, 'SENDING')
    service.clock.advance(60_000)
    await sweepUntilPaid(service, silent, 'REVIEW')
    const events = await eventsAfter(start, 19)
    const isReturn = ({ type }: { type: string }) => type.startsWith('refund.')
    expect(events.filter(isReturn).map(({ type }) => type)).toEqual(['refund.done', 'refund.failed', 'refund.review'])
    const own = events.filter((one) => !isReturn(one))
    expect(own.map(({ type, subject, data }) => [type, Number(subject.id), data.amount])).toEqual([
      ...['requested', 'approved', 'sending', 'paid'].map((kind) => [`withdrawal.${kind}`, paid.id, '20.00']),
      ...['requested', 'approved', 'sending', 'returned'].map((kind) => [`withdrawal.${kind}`, returned.id, '20.00']),
      ...['requested', 'held', 'released', 'refused'].map((kind) => [`withdrawal.${kind}`, waiting.id, '600.00']),
      ...['requested', 'approved', 'sending', 'review'].map((kind) => [`withdrawal.${kind}`, reviewed.id, '20.00']),
    ])
    expect(own[3]?.data).toMatchObject({ withdrawalId: id, state: 'PAID', currency: 'GBP' })
  })

  test('a part of a withdrawal that comes back', async () => {
    const client = await player(service, { amount: '300.00' })
    const [card] = client.cards as [number]
    await payIn(service, client, card, '300.00')
    const { items } = (await service.operator('GET', `/operator/v1/deposits?customerId=${client.id}`)).body
    const start = await settled(service)
    const withdrawalId = await withdrawn(service, { ticket: client.ticket, card, amount: '600.00' })
    await tell(service, items[0].paymentId, 'NOTIFICATION_OF_CHARGEBACK')
    const events = await eventsAfter(start, 3)
    expect(events.map(({ type }) => type)).toEqual([
      'withdrawal.requested',
      'withdrawal.part-returned',
      'dispute.opened',
    ])
    expect(events[1]?.data).toMatchObject({ withdrawalId, amount: '300.00' })
  })

  test('cards, and the customer is notified of each change', async () => {
    const client = await service.member()
    const start = await settled(service)
    const path = `/customers/${client.id}/payment-methods`
    const id = await addCard(service, client)
    await addCard(service, client, { id, token: 'sandbox:slow', number: '411111******1142', expiryDate: '12/48' })
    const same = { id, token: 'sandbox:wrong-cv2', number: '411111******1142', expiryDate: '12/47' }
    await addCard(service, client, same)
    await addCard(service, client, { ...same, max: '20.00' })
    await addCard(service, client, { ...same, holder: { firstName: 'Ann', lastName: 'Archer' } })
    for (let turn = 0; turn < 6; turn++) await deposit(service, { ticket: client.ticket, method: id, cv2: '999' })
    for (let turn = 0; turn < 2; turn++) {
      expect((await service.operator('DELETE', `/operator/v1${path}/${id}/closure`)).status).toBe(200)
    }
    for (let turn = 0; turn < 2; turn++)
      await operatorOk(service, 'POST', `${path}/${id}/closure`, { reason: 'stolen' })
    for (let turn = 0; turn < 2; turn++) {
      await twoPersons(service, ['POST', `${path.slice(1)}/${id}/account-closure`], { note: 'a letter of the bank' })
    }
    expect((await service.operator('DELETE', `/operator/v1${path}/${id}`)).status).toBe(204)
    const events = await eventsAfter(start, 14)
    const ofCard = events.filter(({ type }) => type.startsWith('card.'))
    expect(ofCard.map(({ type, subject, data }) => [type, subject.id, data.cardId, data.changed])).toEqual(
      [
        ['added'],
        ['changed', ['token', 'number', 'expiry-date']],
        ['changed', ['token', 'expiry-date']],
        ['changed', ['holder']],
        ['blocked'],
        ['reopened'],
        ['closed'],
        ['account-closed'],
        ['removed'],
      ].map(([kind, changed]) => [`card.${kind}`, `${client.id}`, `${id}`, changed]),
    )
    const { notification, numUnread } = await notificationsOf(service, client.ticket)
    expect(notification.map(({ type, card, action, decisionId }) => [type, card, action, decisionId])).toEqual(
      ofCard.map(({ type }) => ['card', { id: `${id}`, lastFour: '1142' }, type.slice(5), undefined]).reverse(),
    )
    expect(numUnread).toBe(9)
    await addCard(service, client, same)
    expect((await notificationsOf(service, client.ticket)).notification[0]).toMatchObject({ action: 'added' })
    const exported = (await service.operator('GET', `/operator/v1/customers/${client.id}/personal-data`)).body
    expect(exported.notifications[0]).toMatchObject({ type: 'card', action: 'added', cardId: `${id}` })
  })

  test('customers and profiles', async () => {
    const start = await settled(service)
    const { id, profileId } = await service.member({ username: 'not-in-the-log' })
    const put = (body: object) => operatorOk(service, 'PUT', `/customers/${id}`, body)
    await put({ status: 'suspended' })
    await put({ status: 'suspended' })
    await changeLimit(service.context, id, 'week', 5_000n)
    const until = await excludeCustomer(service.context, id, 'time-out', (now) => now + 86_400_000)
    expect((await service.operator('DELETE', `/operator/v1/customers/${id}/personal-data`)).status).toBe(204)
    const events = await eventsAfter(start, 6)
    expect(summary(events).map(([type, subject, , data]) => [type, subject, data])).toEqual([
      ['customer.changed', `customer ${id}`, { status: 'active', verified: true }],
      ['profile.created', `profile ${profileId}`, {}],
      ['customer.changed', `customer ${id}`, { status: 'suspended', verified: true }],
      ['limit.changed', `customer ${id}`, { period: 'week', change: 'set', amount: '50.00', requested: null }],
      ['customer.excluded', `customer ${id}`, { kind: 'time-out', until: new Date(until).toISOString() }],
      ['customer.erased', `customer ${id}`, {}],
    ])
    expect(JSON.stringify(events)).not.toContain('not-in-the-log')
  })

  test('movements', async () => {
    const { id } = await service.customer()
    const start = await settled(service)
    const kinds = ['winnings', 'stake', 'void', 'adjustment'] as const
    for (const kind of kinds) await move(service, { reference: `log-${kind}`, customerId: id, kind, amount: '5.00' })
    const balances = { winnings: '5.00', stake: '0.00', void: '5.00', adjustment: '10.00' }
    expect(summary(await eventsAfter(start, 4)).map(([type, subject, , data]) => [type, subject, data])).toEqual(
      kinds.map((kind) => [
        `movement.${kind}`,
        `customer ${id}`,
        { reference: `log-${kind}`, amount: '5.00', currency: 'GBP', betId: null, balance: balances[kind] },
      ]),
    )
  })

  test('no text of a customer and nothing of a card is in it', async () => {
    const written = await service.member()
    const [outcome] = (await newMatch(service)) as [TestOutcome]
    const { ticket } = written
    await service.call('PUT', '/v1/profiles/me?name=Sentinel-name&biography=Sentinel-biography', { ticket })
    await newTip(service, written, outcome.id, { text: 'Sentinel-text' })
    const { method, ...payer } = await newDepositor(service)
    await deposit(service, { ticket: payer.ticket, method, cv2: '7391' })
    const last = await settled(service)
    const log: string[] = []
    for (let after = 0; after < last; ) {
      const { body } = await service.operator('GET', `/operator/v1/events?after=${after}&limit=1000`)
      log.push(JSON.stringify(body.events))
      after = body.next
    }
    expect(log.join()).toContain(`"profileId":"${written.profileId}"`)
    expect(log.join()).not.toMatch(/Sentinel|A fine price|411111|7391|sandbox:/)
  })

  test('all kinds were seen', () => {
    expect([...seen].sort()).toEqual(Object.keys(eventKinds).sort())
  })

  /** The compiler checks it. */
  test('the kind of an event says the type of its data', () => {
    expectTypeOf(dataOf<Data<'like.created'>>).returns.toEqualTypeOf<{ readonly byProfileId: string }>()
    expectTypeOf(dataOf<Data<'decision.made'>>).returns.toEqualTypeOf<{
      readonly decisionId: string
      readonly action: string
    }>()
  })
})

describe('pull', () => {
  const read = async (query: string) => (await service.operator('GET', `/operator/v1/events?${query}`)).body

  test('reads in blocks, by kind, and from anywhere', async () => {
    const last = await settled(service)
    const all: Json[] = []
    for (let after = 0; after < last; ) {
      const { events, next } = await read(`after=${after}&limit=7`)
      expect(next).toBeGreaterThan(after)
      all.push(...events)
      after = next
    }
    expect(all.map(({ position }) => position)).toEqual(Array.from({ length: last }, (_, index) => index + 1))
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    const ofKinds = await read('after=0&kinds=like.created,like.ended&limit=1000')
    expect(ofKinds.events).toEqual(all.filter(({ type }) => type.startsWith('like.')))
    expect(ofKinds.next).toBe(last)
    expect(await read(`after=${last}`)).toEqual({ events: [], next: last, oldest: 1 })
    expect((await read(`after=${last + 1000}`)).next).toBe(last)
  })

  test.each(['kinds=nonsense', 'after=-1', 'limit=1001', 'limit=0', 'after=x'])('refuses %s', async (query) => {
    expect((await service.operator('GET', `/operator/v1/events?${query}`)).status).toBe(422)
  })

  test('events are kept for a time, and the newest one for ever', async () => {
    const last = await settled(service)
    await deleteOldEvents(service.context.database, Date.now() + 3_600_000)
    const kept = await read('after=0')
    expect([kept.events.map(({ position }: Json) => position), kept.oldest]).toEqual([[last], last])
    expect(await settled(service)).toBeGreaterThan(last)
  })
})
