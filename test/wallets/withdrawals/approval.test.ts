// Withdrawals that operators decide: approval by two, holds, refusals, customers without a session, and unknown results.

import { expect, test } from 'vitest'
import { DAY_MS } from '../../../src/platform/runtime/durations.ts'
import { excludeCustomer } from '../../../src/wallets/reviews/exclusions.ts'
import { type Json, useService } from '../../harness/service.ts'
import { deposit, ledgerProblems, paidOrFaultCode } from '../../harness/wallets.ts'
import {
  APPROVE,
  anotherOperator,
  decideWithdrawal,
  HOLD,
  moneyOf,
  player,
  REFUSE,
  RELEASE,
  RESOLVE,
  readWithdrawal,
  reviewedWithdrawal,
  statusOrFault,
  sweepUntilPaid,
  waitingWithdrawal,
  withdraw,
  withdrawn,
} from '../../harness/withdrawals.ts'

const service = useService({ GATEWAY_TIMEOUT_MS: '1000', REVIEW_AFTER_SECONDS: '60' })
const WAITS = 'We check this withdrawal before we send it.'

test('two different operators approve what is above the setting; one of them twice does not', async () => {
  const { id, customer } = await waitingWithdrawal(service)
  expect(await readWithdrawal(service, customer.ticket, id)).toMatchObject({ status: 'requested', holdReason: WAITS })
  expect(await moneyOf(service, customer.ticket)).toEqual(['300.00', '1200.00'])
  const first = await decideWithdrawal(service, id, APPROVE)
  expect([first.status, first.body.state, first.body.approvedBy.length]).toEqual([200, 'REQUESTED', 1])
  expect((await decideWithdrawal(service, id, APPROVE)).status).toBe(409)
  const second = await decideWithdrawal(service, id, APPROVE, { token: await anotherOperator(service) })
  expect([second.status, second.body.state, second.body.approvedBy.length]).toEqual([200, 'APPROVED', 2])
  await sweepUntilPaid(service, id)
  expect(await readWithdrawal(service, customer.ticket, id)).not.toHaveProperty('holdReason')
  expect((await decideWithdrawal(service, id, REFUSE, { body: { reason: 'late' } })).status).toBe(409)
  expect(await ledgerProblems(service)).toEqual([])
})

test('of two operators who approve at once both count; of one who sends it twice only one does', async () => {
  const tokens = [await anotherOperator(service), await anotherOperator(service)]
  const both = await waitingWithdrawal(service)
  const replies = await Promise.all(
    tokens.map((token) => decideWithdrawal(service, both.id, APPROVE, { token: token })),
  )
  expect(replies.map(({ status }) => status)).toEqual([200, 200])
  // Each answer has the state in which it was read, which the other approval may have changed.
  expect(replies.map(({ body }) => body.state)).toContain('APPROVED')
  const one = await waitingWithdrawal(service)
  const [token] = tokens as [string]
  const twice = await Promise.all([1, 2].map(() => decideWithdrawal(service, one.id, APPROVE, { token })))
  expect(twice.map(({ status }) => status).sort()).toEqual([200, 409])
  await sweepUntilPaid(service, both.id)
  expect((await service.operator('GET', `/operator/v1/withdrawals/${one.id}`)).body.state).toBe('REQUESTED')
})

test('the rule counts the withdrawals of the day together, and approves none of a customer who may not play', async () => {
  const { id, ticket, cards } = await player(service, { amount: '1000.00' })
  const [card] = cards as [number]
  const statuses: string[] = []
  for (const amount of ['300.00', '200.00', '0.01']) {
    statuses.push(statusOrFault(await withdraw(service, { ticket, card, amount })))
  }
  expect(statuses).toEqual(['approved', 'approved', 'requested'])
  service.clock.advance(DAY_MS)
  const { ticket: ofNextDay = '' } = (await service.context.sessions?.issue(id, null)) ?? {}
  expect(statusOrFault(await withdraw(service, { ticket: ofNextDay, card, amount: '0.01' }))).toBe('approved')
  const suspended = await player(service, {})
  await service.operator('PUT', `/operator/v1/customers/${suspended.id}`, { verified: false })
  const order = { ticket: suspended.ticket, card: suspended.cards[0] as number, amount: '1.00' }
  expect(statusOrFault(await withdraw(service, order))).toBe('requested')
})

test('a hold keeps operators from approving, and the customer reads why', async () => {
  const { id, customer } = await waitingWithdrawal(service)
  const held = await decideWithdrawal(service, id, HOLD, {
    body: { reason: 'Please send us a proof of your address.' },
  })
  expect([held.status, held.body.heldBy]).toEqual([200, expect.any(String)])
  const read = () => readWithdrawal(service, customer.ticket, id)
  expect((await read()).holdReason).toBe('Please send us a proof of your address.')
  expect((await decideWithdrawal(service, id, APPROVE)).status).toBe(409)
  expect((await decideWithdrawal(service, id, RELEASE)).body.heldBy).toBeNull()
  expect((await read()).holdReason).toBe(WAITS)
  expect((await decideWithdrawal(service, id, APPROVE)).status).toBe(200)
  // A hold after the first approval stops the second.
  await decideWithdrawal(service, id, HOLD, { body: { reason: 'Once more.' } })
  expect((await decideWithdrawal(service, id, APPROVE, { token: await anotherOperator(service) })).status).toBe(409)
})

test('a refusal credits the money back, once, with a reason that the customer reads', async () => {
  const { id, customer } = await waitingWithdrawal(service)
  const refusals = [1, 2].map(() => decideWithdrawal(service, id, REFUSE, { body: { reason: 'Not your card.' } }))
  expect((await Promise.all(refusals)).map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await readWithdrawal(service, customer.ticket, id)).toMatchObject({
    status: 'refused',
    holdReason: 'Not your card.',
  })
  expect(await moneyOf(service, customer.ticket)).toEqual(['1500.00', '0.00'])
  expect((await decideWithdrawal(service, id, APPROVE)).status).toBe(409)
  expect(await ledgerProblems(service)).toEqual([])
})

test('lists: those that wait, the oldest first; those of a customer, newest first', async () => {
  const waiting = [(await waitingWithdrawal(service)).id, (await waitingWithdrawal(service)).id]
  const listed = async (query: string): Promise<string[]> => {
    const reply = await service.operator('GET', `/operator/v1/withdrawals?${query}`)
    return reply.body.items.map(({ id }: { id: string }) => id)
  }
  expect((await listed('state=REQUESTED&limit=100')).slice(-2)).toEqual(waiting)
  expect((await listed('limit=2')).toReversed()).toEqual(waiting)
  const { ticket, id, cards } = await player(service, {})
  const own = [
    await withdrawn(service, { ticket, card: cards[0] as number, amount: '1.00' }),
    await withdrawn(service, { ticket, card: cards[0] as number, amount: '1.00' }),
  ]
  expect((await listed(`customerId=${id}`)).toReversed()).toEqual(own)
  expect(await listed(`customerId=${id}&state=REFUSED`)).toEqual([])
  const personal = (await service.operator('GET', `/operator/v1/customers/${id}/personal-data`)).body
  expect(personal.wallet.withdrawals.map((one: { id: string }) => one.id).toReversed()).toEqual(own)
})

test('an excluded customer cannot deposit, and gets their money out through two operators', async () => {
  const { id, ticket, cards } = await player(service, {})
  const [card] = cards as [number]
  await excludeCustomer(service.context, id, 'self-exclusion', (now) => now + 200 * 86_400_000)
  expect(
    paidOrFaultCode(await deposit(service, { ticket, method: card }).catch(() => ({ json: () => ({}) }) as never)),
  ).not.toBe('paid')
  const path = `/operator/v1/customers/${id}`
  const options = await service.operator('GET', `${path}/withdrawal-options`)
  expect(options.body.items).toMatchObject([{ paymentMethodId: `${card}`, max: '20.00' }])
  const request = (amount: string) =>
    service.operator('POST', `${path}/withdrawals`, { amount, paymentMethodId: `${card}`, reason: 'asked by letter' })
  expect((await request('20.01')).status).toBe(409)
  const requested = await request('20.00')
  expect([requested.status, requested.body.state]).toEqual([201, 'REQUESTED'])
  const { id: withdrawal } = requested.body
  // Who requested it is the first of the two.
  expect((await decideWithdrawal(service, withdrawal, APPROVE)).status).toBe(409)
  const approved = await decideWithdrawal(service, withdrawal, APPROVE, { token: await anotherOperator(service) })
  expect(approved.body.state).toBe('APPROVED')
  await sweepUntilPaid(service, withdrawal)
  expect(await ledgerProblems(service)).toEqual([])
})

test('an operator’s request is made once for its Idempotency-Key', async () => {
  const { id, ticket, cards } = await player(service, {})
  const [card] = cards as [number]
  const request = async (key: string, amount: string, token = 'test-operator-token-0123456789') => {
    const reply = await fetch(`${service.operatorUrl}/operator/v1/customers/${id}/withdrawals`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ amount, paymentMethodId: `${card}`, reason: 'asked by letter' }),
    })
    return { status: reply.status, body: (await reply.json()) as Json }
  }
  const both = await Promise.all([request('letter-1', '5.00'), request('letter-1', '5.00')])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 201])
  expect(both[0]?.body).toEqual(both[1]?.body)
  // The rule would approve as much for a customer who asks: what an operator requests it never does.
  expect(both[0]?.body.state).toBe('REQUESTED')
  expect(await moneyOf(service, ticket)).toEqual(['15.00', '5.00'])
  const other = await request('letter-1', '6.00')
  expect([other.status, other.body.detail]).toEqual([409, expect.stringContaining('Idempotency-Key')])
  expect((await request('letter 1', '5.00')).status).toBe(422)
  // The key means one request, whoever sends it; a blank one is none.
  const another = await anotherOperator(service)
  const others = [await request('letter-1', '2.00', another), await request('letter-1', '5.00', another)]
  expect(others.map(({ status }) => status)).toEqual([409, 200])
  expect([await request('', '1.00'), await request(' ', '1.00')].map(({ status }) => status)).toEqual([201, 201])
  expect(await moneyOf(service, ticket)).toEqual(['13.00', '7.00'])
  // A customer's key is another one.
  expect(statusOrFault(await withdraw(service, { ticket, card, amount: '3.00', key: 'letter-1' }))).toBe('approved')
  expect(await ledgerProblems(service)).toEqual([])
})

test.each(['paid', 'returned'] as const)('an unknown result that an operator resolves as %s', async (outcome) => {
  const { id, customer } = await reviewedWithdrawal(service)
  expect(await moneyOf(service, customer.ticket)).toEqual(['0.00', '20.00'])
  const resolutions = [1, 2].map(() => decideWithdrawal(service, id, RESOLVE, { body: { outcome, note: 'seen' } }))
  expect((await Promise.all(resolutions)).map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await moneyOf(service, customer.ticket)).toEqual([outcome === 'paid' ? '0.00' : '20.00', '0.00'])
  expect((await readWithdrawal(service, customer.ticket, id)).status).toBe(outcome)
  expect(await ledgerProblems(service)).toEqual([])
})

test('no statement moves a withdrawal or a part otherwise, or changes its terms', async () => {
  const { id, customer } = await waitingWithdrawal(service)
  const { database } = service.context
  const change = (set: string) => database.script(`update withdrawal set ${set} where id = ${id}`)
  const changePart = (set: string) => database.script(`update withdrawal_part set ${set} where withdrawal_id = ${id}`)
  await expect(change(`state = 'SENDING'`)).rejects.toThrow('illegal state transition')
  await expect(
    change(`approved_by = 'a', approved_person = 'a', approved_again_by = 'b', approved_again_person = 'a'`),
  ).rejects.toThrow()
  await expect(change('amount = 1')).rejects.toThrow('do not change')
  await expect(changePart(`state = 'SENDING', begun_at = 1`)).rejects.toThrow('not approved by two persons, or is held')
  await expect(changePart(`state = 'PAID', paid = amount`)).rejects.toThrow('not approved by two persons, or is held')
  await expect(changePart(`state = 'REVIEW'`)).rejects.toThrow()
  await expect(changePart('amount = 1')).rejects.toThrow('do not change')
  await expect(changePart('paid = 1')).rejects.toThrow()
  for (const table of ['withdrawal', 'withdrawal_part']) {
    await expect(database.script(`delete from ${table} where customer_id = ${customer.id}`)).rejects.toThrow('are kept')
  }
  await expect(database.script('delete from withdrawal_event')).rejects.toThrow('append-only')
})
