// What the console's customer page reads and changes: cards, bets, tips, flags and the timeline.

import { expect, test } from 'vitest'
import { excludeCustomer } from '../../src/wallets/reviews/exclusions.ts'
import { makeDeposit, registerReturnAddresses } from '../harness/challenges.ts'
import { captured, refund, tell } from '../harness/refunds.ts'
import { type Json, type TestCustomer, useService } from '../harness/service.ts'
import { newBet, newMatch, newTip, settle, type TestOutcome } from '../harness/sportsbook.ts'
import { addCard, deposit, newDepositor } from '../harness/wallets.ts'
import { sweepUntilPaid, withdrawn } from '../harness/withdrawals.ts'
import { newToken } from './cases.ts'

const service = useService()

async function read(id: number, part: string, token?: string): Promise<Json> {
  const reply = await service.operator('GET', `/operator/v1/customers/${id}/${part}`, undefined, token)
  expect([part, reply.status]).toEqual([part, 200])
  return reply.body
}

/** All items of a list that is read page by page. */
async function readAll(id: number, part: string, limit: number): Promise<Json[]> {
  const items: Json[] = []
  for (let cursor = ''; cursor !== null; ) {
    const page = await read(id, `${part}${part.includes('?') ? '&' : '?'}limit=${limit}&cursor=${cursor}`)
    expect(page.items.length).toBeLessThanOrEqual(limit)
    items.push(...page.items)
    cursor = page.cursor
  }
  return items
}

const methodsOf = async ({ ticket }: TestCustomer) =>
  service.call('GET', '/v1/wallets/me/methods', { ticket, accept: 'application/json' })

const flag = (kind: 'comment' | 'profile', id: number, { ticket }: TestCustomer) =>
  kind === 'comment'
    ? service.call('POST', `/v1/communities/comments/${id}/flag`, { ticket })
    : service.call('PUT', `/v1/profiles/${id}/flag`, { ticket })

test('a closed card is not listed to the customer and takes no deposits, until it is reopened', async () => {
  const customer = await newDepositor(service)
  const other = await addCard(service, customer)
  const { id, method } = customer
  const closure = `/operator/v1/customers/${id}/payment-methods/${method}/closure`
  const [card] = (await read(id, 'payment-methods')).items
  expect(card).toEqual({
    id: String(method),
    type: 'CARD',
    number: '411111******1111',
    expiryDate: '12/49',
    country: 'GB',
    scheme: 'VISA',
    funding: 'debit',
    minDeposit: '5.00',
    maxDeposit: '1000.00',
    wrongCv2: 0,
    firstName: null,
    lastName: null,
    registeredAt: expect.any(String),
    paidIn: '0.00',
    paidOut: '0.00',
    closedAt: null,
    removedAt: null,
    accountClosedAt: null,
    proposal: null,
  })
  for (const body of [{}, { reason: ' ' }]) expect((await service.operator('POST', closure, body)).status).toBe(422)
  const closed = await service.operator('POST', closure, { reason: 'stolen' })
  expect([closed.status, closed.body]).toEqual([200, { ...card, closedAt: expect.any(String) }])
  const again = await service.operator('POST', closure, { reason: 'stolen' })
  expect(again.body.closedAt).toBe(closed.body.closedAt)
  // A feed that sends the card again does not open it.
  await addCard(service, customer, { id: method })
  expect((await methodsOf(customer)).text).not.toContain(`"${method}"`)
  expect((await methodsOf(customer)).text).toContain(`${other}`)
  const refused = await deposit(service, customer)
  const unknown = await deposit(service, { ...customer, method: 9_999_999 })
  expect([refused.status, refused.text]).toEqual([unknown.status, unknown.text])
  expect((await deposit(service, { ...customer, method: other })).text).toContain('paymentId')
  const exported = (await read(id, 'personal-data')).wallet.paymentMethods
  expect(exported.map((one: Json) => one.closedAt)).toEqual([closed.body.closedAt, null])

  const reopened = await service.operator('DELETE', closure)
  expect([reopened.status, reopened.body]).toEqual([200, card])
  expect((await deposit(service, customer)).text).toContain('paymentId')
  const [entry] = (await service.operator('GET', '/operator/v1/audit?limit=1&operation=reopenPaymentMethod')).body.items
  expect(entry.detail.changes).toEqual({ closed: { from: true, to: false } })
})

test('a customer without usable cards gets the fault of one without cards', async () => {
  const [customer, without] = [await newDepositor(service), await service.customer()]
  const closure = `/operator/v1/customers/${customer.id}/payment-methods/${customer.method}/closure`
  await service.operator('POST', closure, { reason: 'stolen' })
  expect((await methodsOf(customer)).text).toBe((await methodsOf(without)).text)
})

test('reopening lets a card be used again after too many wrong cv2', async () => {
  const customer = await newDepositor(service, { token: 'sandbox:approve' })
  await service.context.database.script(`update payment_method set wrong_cv2 = 5 where id = ${customer.method}`)
  expect((await deposit(service, customer)).text).not.toContain('paymentId')
  expect((await read(customer.id, 'payment-methods')).items[0].wrongCv2).toBe(5)
  await service.operator('DELETE', `/operator/v1/customers/${customer.id}/payment-methods/${customer.method}/closure`)
  expect((await deposit(service, customer)).text).toContain('paymentId')
})

test('cards of others, and lists of unknown customers, are not found', async () => {
  const [{ method }, { id }] = [await newDepositor(service), await service.customer()]
  for (const verb of ['POST', 'DELETE']) {
    const path = `/operator/v1/customers/${id}/payment-methods/${method}/closure`
    expect((await service.operator(verb, path, verb === 'POST' ? { reason: 'x' } : undefined)).status).toBe(404)
  }
  for (const part of ['payment-methods', 'bets', 'comments', 'flags', 'timeline']) {
    expect((await service.operator('GET', `/operator/v1/customers/404404/${part}`)).status).toBe(404)
  }
})

test('bets are listed with the names, prices and results of their outcomes', async () => {
  const { id } = await service.customer()
  const [one, other] = (await newMatch(service)) as [TestOutcome, TestOutcome]
  const single = await newBet(service, id, [one.id])
  const double = await newBet(service, id, [one.id, other.id])
  const legs = [{ outcomeId: other.id, price: { num: 5, den: 2 } }]
  const cashOut = [{ at: '2026-01-01T00:00:00Z', fraction: { num: 1, den: 2 } }]
  await service.operator('PUT', `/operator/v1/bets/${single}`, { customerId: id, legs, cashOut })
  await settle(service, one, 'win')
  const names = { event: `Event ${one.eventId}`, startsAt: '2030-01-01T15:00:00.000Z', market: 'Match result' }
  const lost = { outcomeId: `${other.id}`, ...names, outcome: `Outcome ${other.id}`, price: null, result: null }
  const won = { ...lost, outcomeId: `${one.id}`, outcome: `Outcome ${one.id}`, result: 'win' }
  const placedAt = expect.any(String)
  const expected = [
    { id: `${double}`, placedAt, cashedOut: false, legs: [won, lost] },
    { id: `${single}`, placedAt, cashedOut: true, legs: [{ ...lost, price: '5/2' }] },
  ]
  expect((await read(id, 'bets')).items).toEqual(expected)
  expect(await readAll(id, 'bets', 1)).toEqual(expected)
})

test('tips are listed in any state, newest first; a customer without a profile has none', async () => {
  const author = await service.member()
  const [one, other] = (await newMatch(service)) as [TestOutcome, TestOutcome]
  const live = await newTip(service, author, one.id, { text: 'First words' })
  const removed = await newTip(service, author, other.id)
  await service.operator('POST', `/operator/v1/moderation/comments/${removed}`, { action: 'remove' })
  const tips = await readAll(author.id, 'comments', 1)
  expect(tips.map(({ id, state, status, text }) => [id, state, status, text])).toEqual([
    [`${removed}`, 'removed', 'open', 'A fine price'],
    [`${live}`, 'live', 'open', 'First words'],
  ])
  expect(tips[0]).toMatchObject({ event: `Event ${one.eventId}`, startsAt: '2030-01-01T15:00:00.000Z' })
  const { id } = await service.customer()
  for (const part of ['comments', 'flags']) expect(await read(id, part)).toEqual({ items: [], cursor: null })
})

test('flags are listed as given and as received, on comments and profiles', async () => {
  const [author, ann, bob] = [await service.member(), await service.member(), await service.member()]
  const [one, other] = (await newMatch(service)) as [TestOutcome, TestOutcome]
  const [first, second] = [await newTip(service, author, one.id), await newTip(service, author, other.id)]
  for (const flagger of [ann, bob]) {
    for (const tip of [first, second]) await flag('comment', tip, flagger)
    await flag('profile', author.profileId, flagger)
  }
  await service.operator('POST', `/operator/v1/moderation/comments/${first}`, { action: 'keep' })
  const shown = (items: Json[]) => items.map(({ kind, id, byProfileId, decided }) => [kind, id, byProfileId, decided])
  const [a, b, p] = [`${ann.profileId}`, `${bob.profileId}`, `${author.profileId}`]
  const received = [
    ['comment', `${second}`, a, false],
    ['comment', `${second}`, b, false],
    ['comment', `${first}`, a, true],
    ['comment', `${first}`, b, true],
    ['profile', p, a, false],
    ['profile', p, b, false],
  ]
  expect(shown((await read(author.id, 'flags')).items)).toEqual(received)
  for (const limit of [1, 2, 4, 5]) expect(shown(await readAll(author.id, 'flags', limit))).toEqual(received)
  const given = [received[0], received[2], received[4]]
  for (const limit of [1, 2, 50]) expect(shown(await readAll(ann.id, 'flags?direction=given', limit))).toEqual(given)
  expect((await service.operator('GET', `/operator/v1/customers/${ann.id}/flags?direction=both`)).status).toBe(422)
})

async function eventfulCustomer() {
  const customer = await service.member()
  const method = await addCard(service, customer)
  service.clock.advance(1000)
  const reply = await deposit(service, { ...customer, method, amount: '12.50' })
  service.clock.advance(1000)
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  const tip = await newTip(service, customer, outcome.id)
  service.clock.advance(1000)
  await service.operator('POST', `/operator/v1/moderation/comments/${tip}`, { action: 'remove' })
  service.clock.advance(1000)
  const body = { action: 'reset-biography' }
  await service.operator('POST', `/operator/v1/moderation/profiles/${customer.profileId}`, body)
  service.clock.advance(1000)
  const status = { status: 'suspended', reason: 'two accounts' }
  await service.operator('PUT', `/operator/v1/customers/${customer.id}/status`, status)
  return { ...customer, method, tip, paymentId: reply.json().whoWallets.paymentId as string, outcome }
}

test('the timeline merges everything by time, page by page, and shows deposits only to those who may list them', async () => {
  const { id, profileId, method, tip, paymentId, outcome } = await eventfulCustomer()
  // Sessions ended with the suspension.
  await service.context.database.script(`update customer set status = 'active' where id = ${id}`)
  await service.operator('POST', `/operator/v1/customers/${id}/tickets`, {})
  const texts = [
    `bootstrap issued a ticket for customer ${id}`,
    'Session started',
    `bootstrap suspended customer ${id} (reason: two accounts)`,
    `bootstrap reset the biography of profile ${profileId}`,
    `bootstrap removed comment ${tip}`,
    expect.stringMatching(
      new RegExp(
        `^Tip on Outcome ${outcome.id}, Event ${outcome.eventId} \\(\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC\\)$`,
      ),
    ),
    expect.stringMatching(/^Deposit of 12\.50 GBP with VISA … 1111, now \w+$/),
    `bootstrap added or replaced card ${method} of customer ${id}`,
    'Registered',
  ]
  const { items, cursor } = await read(id, 'timeline')
  expect([items.map(({ text }: Json) => text), cursor]).toEqual([texts, null])
  expect(items.map(({ subject }: Json) => subject).filter((one: Json) => one !== null)).toEqual([
    { kind: 'profile', id: `${profileId}` },
    { kind: 'comment', id: `${tip}` },
    { kind: 'comment', id: `${tip}` },
    { kind: 'deposit', id: paymentId },
  ])
  for (const limit of [1, 2, 3, 8]) expect(await readAll(id, 'timeline', limit)).toEqual(items)
  const { token } = await newToken(service, 'accounts')
  const seen = (await read(id, 'timeline', token)).items.map(({ text }: Json) => text)
  expect(seen).toEqual(texts.filter((_, index) => index !== 6))
})

test('the timeline has limits, time-outs, self-exclusions and the challenges of issuers, also after their events are gone', async () => {
  await registerReturnAddresses(service)
  const { id, ticket, method } = await newDepositor(service, { token: 'sandbox:challenge' })
  const setLimit = (query: string) => service.call('PUT', `/v1/wallets/me/limits/week?amount=${query}`, { ticket })
  const later = () => service.clock.advance(1000)
  later()
  await setLimit('50.00')
  later()
  await setLimit('80.00')
  later()
  await service.call('DELETE', '/v1/wallets/me/limits/week', { ticket })
  later()
  const { paymentId } = (await makeDeposit(service, { ticket, method })).json().whoWallets
  later()
  await service.call('PUT', '/v1/wallets/me/time-out?hours=24', { ticket })
  await excludeCustomer(service.context, id, 'self-exclusion', (now) => now + 200 * 86_400_000)
  await service.context.database.script(`delete from event_log where customer_id = ${id}`)
  const texts = [
    expect.stringMatching(/^Excluded themselves until 20\d\d-/),
    expect.stringMatching(/^Took a time-out until 20\d\d-/),
    'The card’s issuer requested a confirmation of the deposit of 10.00 GBP',
    expect.stringMatching(/^Deposit of 10\.00 GBP with VISA … 1111, now void\w+: customer may not deposit$/),
    'Requested no limit for each week; 50.00 stays in force',
    'Requested a limit of 80.00 for each week; 50.00 stays in force',
    'Set a limit of 50.00 for each week',
    expect.stringContaining('card'),
    'Registered',
  ]
  const { items } = await read(id, 'timeline')
  expect(items.map(({ text }: Json) => text)).toEqual(texts)
  const kinds = ['exclusion', 'exclusion', 'deposit', 'deposit', 'limit', 'limit', 'limit', 'change', 'registration']
  expect(items.map(({ kind }: Json) => kind)).toEqual(kinds)
  expect(items[2].subject).toEqual({ kind: 'deposit', id: paymentId })
  expect(items[3].why.nextStep).toBe('Look at the status of the customer. Do not help around an exclusion.')
  for (const limit of [1, 2, 3]) expect(await readAll(id, 'timeline', limit)).toEqual(items)
  const { token } = await newToken(service, 'accounts')
  const seen = (await read(id, 'timeline', token)).items.map(({ kind }: Json) => kind)
  expect(seen).toEqual(kinds.filter((kind) => kind !== 'deposit'))
})

test('the timeline has refunds, disputes and withdrawals, for those who may list deposits', async () => {
  const { id, ticket, method, paymentId } = await captured(service)
  const later = () => service.clock.advance(1000)
  later()
  await refund(service, paymentId, '5.00')
  later()
  const withdrawal = await withdrawn(service, { ticket, card: method, amount: '4.00' })
  await sweepUntilPaid(service, withdrawal)
  later()
  await tell(service, paymentId, 'CHARGEBACK', '3.00')
  const kinds = ['deposit', 'refund', 'dispute', 'withdrawal']
  const { items } = await read(id, 'timeline')
  const money = items.filter(({ kind }: Json) => kinds.includes(kind))
  const ofDeposit = { kind: 'deposit', id: paymentId }
  expect(money.map(({ kind, text, subject }: Json) => [kind, text, subject])).toEqual([
    ['dispute', 'Dispute of 3.00 GBP, now charged back', ofDeposit],
    ['refund', expect.stringMatching(/^Refund of 4\.00 GBP to VISA … 1111, now done$/), ofDeposit],
    ['withdrawal', expect.stringMatching(/^Withdrawal of 4\.00 GBP to VISA …/), { kind: 'withdrawal', id: withdrawal }],
    ['refund', expect.stringMatching(/^Refund of 5\.00 GBP to VISA … 1111, now \w+$/), ofDeposit],
    ['deposit', 'Deposit of 20.00 GBP with VISA … 1111, now captured', ofDeposit],
  ])
  const times = (read: Json[]) => read.map(({ at, kind }) => [at, kind])
  for (const limit of [1, 2, 5]) expect(times(await readAll(id, 'timeline', limit))).toEqual(times(items))
  const { token } = await newToken(service, 'accounts')
  const seen = (await read(id, 'timeline', token)).items.map(({ kind }: Json) => kind)
  expect(seen.filter((kind: string) => kinds.includes(kind))).toEqual([])
})

test('what an operator was refused is not in the timeline, and a foreign cursor is refused', async () => {
  const { id } = await service.customer()
  await service.operator('PUT', `/operator/v1/customers/${id}/status`, { status: 'suspended' })
  await service.operator('GET', `/operator/v1/customers/${id}`)
  const texts = (await read(id, 'timeline')).items.map(({ text }: Json) => text)
  expect(texts).toEqual(['Session started', 'Registered'])
  for (const part of ['timeline', 'bets', 'comments', 'flags']) {
    const cursor = Buffer.from('1,2').toString('base64url')
    const reply = await service.operator('GET', `/operator/v1/customers/${id}/${part}?cursor=${cursor}`)
    expect([part, reply.status]).toEqual([part, 422])
  }
})
