// Decisions that wait for a second person: how the first one is answered, who sees what, and what ends them.

import { beforeAll, describe, expect, test } from 'vitest'
import { newReference } from '../harness/movements.ts'
import { operatorNamed, type TestOperator } from '../harness/operators.ts'
import { captured, debtor, disputed, refundsOf, sentRefund, tell } from '../harness/refunds.ts'
import { type Json, type TestService, useService } from '../harness/service.ts'
import { addCard, deposit, HOLDER, ledgerProblems, newDepositor, sweepUntil } from '../harness/wallets.ts'
import { paidOutside, player, reviewedWithdrawal, waitingWithdrawal, win, withdrawn } from '../harness/withdrawals.ts'

const service = useService({ RESOLUTION_FOUR_EYES_ABOVE: '1.00' })
let ann: TestOperator
let bob: TestOperator

beforeAll(async () => {
  ann = await operatorNamed(service, 'Ann')
  bob = await operatorNamed(service, 'Bob')
})

const NOTE = 'Letter of the bank of 3 March'

type Call = readonly [method: string, path: string, body: object]
/** `proposal`: where the answer of the first has it. `done`: what the answer of the second has. */
type Decided = {
  call: Call
  kind: string
  subject: string
  customerId: number
  outcome: string | RegExp
  proposal: (answer: Json) => Json
  done: object
  status: number
}

const onTop = (answer: Json) => answer.proposal

async function reviewedDeposit(service: TestService) {
  const payer = await newDepositor(service, { token: 'sandbox:capture-refused' })
  const { paymentId } = (await deposit(service, payer)).json().whoWallets
  await sweepUntil(service, payer.id, ['REVIEW'])
  return { ...payer, paymentId }
}

const CARD = {
  type: 'CARD',
  token: 'sandbox:approve',
  limits: { minDeposit: '5.00', maxDeposit: '10.00' },
  card: { number: '411111******4242', expiryDate: '12/49', country: 'GB', scheme: 'VISA', ...HOLDER },
}

const DECISIONS: Record<string, () => Promise<Decided>> = {
  'the resolution of a deposit': async () => {
    const { id, paymentId } = await reviewedDeposit(service)
    return {
      call: ['POST', `deposits/${paymentId}/resolution`, { outcome: 'captured', note: NOTE }],
      ...{ kind: 'deposit', subject: paymentId, customerId: id, outcome: 'captured', proposal: onTop, status: 200 },
      done: { state: 'CAPTURED', waitsFor: null, proposal: null },
    }
  },
  'the resolution of a refund': async () => {
    const id = await sentRefund(service)
    const { items } = (await service.operator('GET', '/operator/v1/refunds?limit=100')).body
    const customerId = Number(items.find((one: Json) => one.id === id).customerId)
    return {
      call: ['POST', `refunds/${id}/resolution`, { outcome: 'done', note: NOTE }],
      ...{ kind: 'refund', subject: id, customerId, outcome: 'done', proposal: onTop, status: 200 },
      done: { state: 'DONE', paid: '5.00', waitsFor: null, proposal: null },
    }
  },
  'the resolution of a withdrawal': async () => {
    const { id, customer } = await reviewedWithdrawal(service)
    const { parts } = (await service.operator('GET', `/operator/v1/withdrawals/${id}`)).body
    return {
      call: ['POST', `withdrawals/${id}/resolution`, { outcome: 'returned', note: NOTE, partId: parts[0].id }],
      ...{ kind: 'part', subject: parts[0].id, customerId: customer.id, outcome: 'returned', status: 200 },
      proposal: (answer) => answer.parts[0].proposal,
      done: { state: 'RETURNED', returned: '20.00', waitsFor: null },
    }
  },
  'the end of a dispute': async () => {
    const { disputeId, id } = await disputed(service)
    return {
      call: ['POST', `disputes/${disputeId}/end`, { note: NOTE }],
      ...{ kind: 'dispute', subject: disputeId, customerId: id, outcome: 'ended', proposal: onTop, status: 200 },
      done: { endedAt: expect.any(String), endReason: expect.stringContaining(NOTE), proposal: null },
    }
  },
  'a card of a customer with open withdrawals': async () => {
    const { id } = (await waitingWithdrawal(service)).customer
    return {
      call: ['PUT', `customers/${id}/payment-methods/99${id}`, CARD],
      ...{
        kind: 'card',
        subject: `99${id}`,
        customerId: id,
        outcome: /^VISA 411111\*{6}4242, 12\/49/,
        proposal: onTop,
      },
      done: { id: `99${id}`, proposal: null },
      status: 201,
    }
  },
  'that the account behind a card is closed': async () => {
    const { id, method } = await newDepositor(service)
    return {
      call: ['POST', `customers/${id}/payment-methods/${method}/account-closure`, { note: NOTE }],
      ...{ kind: 'account-closure', subject: `${method}`, customerId: id, outcome: 'closed', proposal: onTop },
      done: { accountClosedAt: expect.any(String), proposal: null },
      status: 200,
    }
  },
  'a payment outside': async () => {
    const { id } = await service.customer()
    await win(service, { id }, '5.00')
    const bankReference = newReference()
    return {
      call: ['POST', `customers/${id}/outside-payments`, { amount: '5.00', bankReference, note: NOTE }],
      ...{ kind: 'outside-payment', subject: `${id}`, customerId: id, outcome: `5.00 GBP by ${bankReference}` },
      proposal: onTop,
      done: {
        withdrawal: expect.objectContaining({ state: 'PAID', paid: '5.00', paymentMethodId: null }),
        proposal: null,
      },
      status: 201,
    }
  },
  'that a payment outside came back': async () => {
    const withdrawal = await paidOutside(service)
    const { customerId } = (await service.operator('GET', `/operator/v1/withdrawals/${withdrawal}`)).body
    return {
      call: ['POST', `withdrawals/${withdrawal}/outside-return`, { note: NOTE }],
      ...{ kind: 'outside-return', subject: withdrawal, customerId: Number(customerId), outcome: 'returned' },
      ...{ proposal: onTop, status: 200 },
      done: { state: 'RETURNED', returned: '5.00', waitsFor: null, proposal: null },
    }
  },
  'a debt that is written off': async () => {
    const { id } = await debtor(service)
    return {
      call: ['POST', `customers/${id}/debt-write-offs`, { amount: '15.00', note: NOTE }],
      ...{ kind: 'debt-write-off', subject: `${id}`, customerId: id, outcome: '15.00 GBP', proposal: onTop },
      done: { debt: '5.00', currency: 'GBP', proposal: null },
      status: 201,
    }
  },
  'an adjustment': async () => {
    const { id } = await service.customer()
    const reference = newReference()
    return {
      call: ['POST', 'movements', { reference, customerId: `${id}`, kind: 'adjustment', amount: '1000.01' }],
      ...{ kind: 'movement', subject: reference, customerId: id, outcome: `adjustment 1000.01 GBP of customer ${id}` },
      proposal: onTop,
      done: { outcome: 'applied', balance: '1000.01', proposal: null },
      status: 201,
    }
  },
}

const send = (by: TestOperator, [method, path, body]: Call) => by(method, `/operator/v1/${path}`, body)

async function listed(by: TestOperator, { kind, subject }: Pick<Decided, 'kind' | 'subject'>): Promise<Json> {
  const { items } = (await by('GET', '/operator/v1/money-proposals?limit=100')).body
  return items.find((one: Json) => one.kind === kind && one.subject === subject)
}

describe.each(Object.entries(DECISIONS))('%s', (_, make) => {
  test('waits for a second person, who is asked for the same', async () => {
    const decided = await make()
    const { call, customerId, status } = decided
    const first = await send(ann, call)
    const outcome = typeof decided.outcome === 'string' ? decided.outcome : expect.stringMatching(decided.outcome)
    const by = expect.stringMatching(/^Ann/)
    expect([first.status, decided.proposal(first.body)]).toMatchObject([
      200,
      { outcome, by, waitsFor: 'another person', at: expect.any(String) },
    ])
    const again = await send(ann, call)
    expect([again.status, again.body.detail]).toEqual([409, expect.stringContaining('another person confirms it')])
    expect(await listed(ann, decided)).toMatchObject({
      customerId: `${customerId}`,
      outcome,
      by,
      waitsFor: 'another person',
    })
    expect(await listed(bob, decided)).toMatchObject({ waitsFor: 'me' })
    const second = await send(bob, call)
    expect([second.status, second.body]).toMatchObject([status, decided.done])
    expect(await listed(bob, decided)).toBeUndefined()
    expect(await ledgerProblems(service)).toEqual([])
  })

  test('is withdrawn: another person begins anew', async () => {
    const decided = await make()
    await send(ann, decided.call)
    const { id } = await listed(bob, decided)
    expect((await bob('DELETE', `/operator/v1/money-proposals/${id}`)).status).toBe(204)
    expect((await ann('DELETE', `/operator/v1/money-proposals/${id}`)).status).toBe(404)
    expect(await listed(bob, decided)).toBeUndefined()
    const { items } = (await service.operator('GET', '/operator/v1/audit?operation=withdrawMoneyProposal&limit=2')).body
    expect(items[1].detail.note).toMatch(new RegExp(`^${decided.kind} .*, proposed by Ann`))
    const next = await send(bob, decided.call)
    expect([next.status, decided.proposal(next.body)?.by]).toEqual([200, expect.stringMatching(/^Bob/)])
  })
})

describe('what was decided about changes meanwhile: one decision before and one after it are not two', () => {
  test('a deposit that leaves its review and comes back', async () => {
    const { paymentId } = await reviewedDeposit(service)
    const call = ['POST', `deposits/${paymentId}/resolution`, { outcome: 'voided', note: NOTE }] as const
    await send(ann, call)
    expect((await tell(service, paymentId, 'CAPTURE')).body.outcome).toBe('applied')
    expect(await listed(bob, { kind: 'deposit', subject: paymentId })).toBeUndefined()
    expect((await tell(service, paymentId, 'CAPTURE_FAILED')).body.outcome).toBe('applied')
    expect((await send(bob, call)).body).toMatchObject({
      state: 'REVIEW',
      proposal: { by: expect.stringMatching(/^Bob/) },
    })
  })

  test('a refund that its notification ends', async () => {
    const id = await sentRefund(service)
    await send(ann, ['POST', `refunds/${id}/resolution`, { outcome: 'failed', note: NOTE }])
    const { paymentId } = (await listedRefund(id)) as Json
    expect((await tell(service, paymentId, 'REFUND')).body.outcome).toBe('applied')
    expect((await refundsOf(service, paymentId)).items[0]).toMatchObject({ state: 'DONE', proposal: null })
    expect(await listed(bob, { kind: 'refund', subject: id })).toBeUndefined()
  })

  test('a dispute about which there is news', async () => {
    const { disputeId, paymentId } = await disputed(service)
    await send(ann, ['POST', `disputes/${disputeId}/end`, { note: NOTE }])
    const { items } = (await tell(service, paymentId, 'CHARGEBACK', '5.00')).body
    expect(items[0]).toMatchObject({ proposal: null, charged: '5.00', debited: '5.00', house: '0.00', endedAt: null })
    expect(items[0].steps.map(({ event, amount }: Json) => [event, amount])).toEqual([
      ['NOTIFICATION_OF_CHARGEBACK', '20.00'],
      ['CHARGEBACK', '5.00'],
    ])
  })
})

async function listedRefund(id: string): Promise<Json> {
  const { items } = (await service.operator('GET', '/operator/v1/refunds?limit=100')).body
  return items.find((one: Json) => one.id === id)
}

describe('refusals', () => {
  test.each([
    ['disputes/999999999/end', { note: NOTE }, 404],
    ['disputes/1/end', { note: ' ' }, 422],
    ['disputes/1/end', {}, 422],
    ['customers/999999999/outside-payments', { amount: '1.00', bankReference: 'a', note: NOTE }, 404],
    ['customers/999999999/debt-write-offs', { amount: '1.00', note: NOTE }, 404],
    ['customers/999999999/payment-methods/1/account-closure', { note: NOTE }, 404],
  ] as const)('%s with %j is %i', async (path, body, status) => {
    expect((await send(ann, ['POST', path, body])).status).toBe(status)
  })

  test('a dispute that has ended is not ended again', async () => {
    const { disputeId } = await disputed(service)
    const call = ['POST', `disputes/${disputeId}/end`, { note: NOTE }] as const
    await send(ann, call)
    await send(bob, call)
    const third = await send(ann, call)
    expect([third.status, third.body.detail]).toEqual([409, 'The dispute has ended already.'])
  })

  test('no more than the debt is written off, and not nothing', async () => {
    const { id } = await debtor(service)
    const off = (amount: string) => send(ann, ['POST', `customers/${id}/debt-write-offs`, { amount, note: NOTE }])
    expect([(await off('0')).status, (await off('20.01')).body.detail]).toEqual([422, 'The customer owes 20.00.'])
  })

  test('a payment outside is recorded once, and only of what no card can take', async () => {
    const { id, method } = await captured(service)
    await win(service, { id }, '7.00')
    const pay = (by: TestOperator, amount: string, bankReference: string) =>
      send(by, ['POST', `customers/${id}/outside-payments`, { amount, bankReference, note: NOTE }])
    expect([(await pay(ann, '0.00', 'A')).status]).toEqual([422])
    const beyond = await pay(ann, '7.01', 'A')
    expect([beyond.status, beyond.body.detail]).toEqual([409, expect.stringContaining('At most 7.00')])
    expect((await pay(ann, '3.00', 'A')).status).toBe(200)
    // Other terms replace what the first has proposed.
    expect((await pay(bob, '3.00', 'B')).status).toBe(200)
    expect((await pay(ann, '3.00', 'B')).status).toBe(201)
    const repeated = await pay(bob, '3.00', 'B')
    expect([repeated.status, repeated.body.detail]).toEqual([
      409,
      expect.stringContaining('recorded the payment B already'),
    ])
    // A card that takes payouts takes the winnings.
    await addCard(service, { id }, { holder: HOLDER })
    expect((await pay(ann, '1.00', 'C')).status).toBe(409)
    const { items } = (await service.operator('GET', `/operator/v1/customers/${id}/withdrawal-options`)).body
    expect(items.map(({ paymentMethodId, max }: Json) => [paymentMethodId, max])).toContainEqual([`${method}`, '20.00'])
  })

  test('another card under the id of one with deposits is refused before anybody decides', async () => {
    const { id, cards } = (await waitingWithdrawal(service)).customer
    const reply = await send(ann, ['PUT', `customers/${id}/payment-methods/${cards[0]}`, CARD])
    expect([reply.status, reply.body.detail]).toEqual([
      409,
      expect.stringContaining('register it with an id of its own'),
    ])
    expect(await listed(bob, { kind: 'card', subject: `${cards[0]}` })).toBeUndefined()
  })
})

test('with another holder, withdrawals to a card wait for new approvals; above the sum, the holder for a second person', async () => {
  const customer = await player(service, { amount: '1500.00' })
  const [card] = customer.cards as [number]
  const putHolder = (lastName: string) =>
    send(ann, ['PUT', `customers/${customer.id}/payment-methods/${card}`, sameCard(lastName)])
  // Not approved by the rule: the customer is not verified any more.
  await service.operator('PUT', `/operator/v1/customers/${customer.id}`, { verified: false })
  const id = await withdrawn(service, { ticket: customer.ticket, card, amount: '4.00' })
  const path = `/operator/v1/withdrawals/${id}`
  expect((await ann('POST', `${path}/approval`)).body).toMatchObject({ waitsFor: 'another person', hold: null })
  expect((await bob('GET', path)).body).toMatchObject({ waitsFor: 'me', approvedBy: [expect.stringMatching(/^Ann/)] })
  expect((await putHolder('Archer')).body.proposal).toBeNull()
  expect((await bob('GET', path)).body).toMatchObject({ hold: null, approvedBy: [expect.stringMatching(/^Ann/)] })
  expect((await putHolder('Baines')).body.proposal).toBeNull()
  expect((await ann('GET', path)).body).toMatchObject({ hold: 'card', waitsFor: 'me', approvedBy: [] })
  await withdrawn(service, { ticket: customer.ticket, card, amount: '600.00' })
  expect((await putHolder('Archer')).body.proposal).toMatchObject({ waitsFor: 'another person' })
})

function sameCard(lastName: string) {
  const card = { number: '411111******1111', issueDate: '01/24', expiryDate: '12/49', country: 'GB', scheme: 'VISA' }
  const limits = { minDeposit: '5.00', maxDeposit: '5000.00' }
  return { type: 'CARD', token: 'sandbox:approve', limits, card: { ...card, firstName: HOLDER.firstName, lastName } }
}

test('excluded customers with a balance are listed, and no others', async () => {
  const excluded = await captured(service)
  const penniless = await service.customer()
  for (const { id } of [excluded, penniless]) {
    await service.operator('PUT', `/operator/v1/customers/${id}`, { status: 'self-excluded' })
  }
  const out = await captured(service)
  const { body } = await service.operator('GET', '/operator/v1/balances-to-pay?limit=100')
  const of = (id: number) => body.items.find((one: Json) => one.customerId === `${id}`)
  expect(of(excluded.id)).toEqual({
    customerId: `${excluded.id}`,
    currency: 'GBP',
    balance: '20.00',
    excludedUntil: null,
  })
  expect([of(penniless.id), of(out.id)]).toEqual([undefined, undefined])
  await service.call('PUT', '/v1/wallets/me/time-out?hours=24', { ticket: out.ticket })
  const page = (await service.operator('GET', '/operator/v1/balances-to-pay?limit=1')).body
  expect([page.items.length, typeof page.cursor]).toEqual([1, 'string'])
  const next = (await service.operator('GET', `/operator/v1/balances-to-pay?limit=100&cursor=${page.cursor}`)).body
  expect([...page.items, ...next.items].find((one) => one.customerId === `${out.id}`)).toMatchObject({
    balance: '20.00',
    excludedUntil: expect.any(String),
  })
})
