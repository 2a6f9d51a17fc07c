// Money out: what may go to which card, how it is paid, and what becomes of it when the bank does not.

import { expect, test } from 'vitest'
import { useService } from '../harness/service.ts'
import { addCard, deposit, ledgerProblems } from '../harness/wallets.ts'
import {
  moneyOf,
  optionsOf,
  payIn,
  player,
  readWithdrawal,
  statusOrFault,
  sweepUntilPaid,
  win,
  withdraw,
  withdrawn,
} from '../harness/withdrawals.ts'

const service = useService({ GATEWAY_TIMEOUT_MS: '1000' })

test('a withdrawal leaves the account at once, and is paid out by its job', async () => {
  const { ticket, cards } = await player(service, {})
  const [card] = cards as [number]
  expect(await optionsOf(service, ticket)).toEqual([[card, '20.00']])
  const reply = await withdraw(service, { ticket, card, amount: '12.50' })
  const { withdrawal } = reply.json().whoWallets
  expect(withdrawal).toEqual({
    id: expect.stringMatching(/^[0-9]+$/),
    amount: '12.50',
    methodId: `${card}`,
    status: 'approved',
    createdDateTimeZoned: expect.any(String),
  })
  expect((await moneyOf(service, ticket))[0]).toBe('7.50')
  const { events } = await sweepUntilPaid(service, withdrawal.id)
  expect(events.map(({ event }: { event: string }) => event)).toEqual(['requested', 'approved', 'sending', 'paid'])
  expect(await moneyOf(service, ticket)).toEqual(['7.50', '0.00'])
  expect(await readWithdrawal(service, ticket, withdrawal.id)).toEqual({ ...withdrawal, status: 'paid' })
  expect(await ledgerProblems(service)).toEqual([])
  const metrics = service.context.metrics.render()
  expect(metrics).toMatch(/^paddock_payout_jobs_total\{outcome="\w+"\} [1-9]/m)
  expect(metrics).not.toContain('paddock_deposit_jobs_total{kind="payout"')
})

test('more than the balance is 24007, more than may go to the card 24003, another card 24001', async () => {
  const { id, ticket, cards } = await player(service, {}, { amount: '30.00' })
  const [first, second] = cards as [number, number]
  const unused = await addCard(service, { id })
  const fault = async (card: number | string, amount: string) =>
    statusOrFault(await withdraw(service, { ticket, card, amount }))
  expect(await fault(first, '50.01')).toBe('24007')
  expect(await fault(first, '20.01')).toBe('24003')
  expect(await fault(second, '30.01')).toBe('24003')
  expect(await fault(unused, '0.01')).toBe('24003')
  expect(await fault(first, '0.00')).toBe('24002')
  expect(await fault(999_999, '1.00')).toBe('24001')
  const [other] = (await player(service, {})).cards as [number]
  expect(await fault(other, '1.00')).toBe('24001')
  await service.operator('POST', `/operator/v1/customers/${id}/payment-methods/${first}/closure`, { reason: 'stolen' })
  expect(await fault(first, '1.00')).toBe('24001')
  expect(await moneyOf(service, ticket)).toEqual(['50.00', '0.00'])
  expect(await deposit(service, { ticket, method: second, type: 'withdrawal' }).then((one) => one.text)).toContain(
    '10071',
  )
})

test('money goes back to the cards that it came from, the oldest first; the last one takes the winnings', async () => {
  const customer = await player(service, {}, { amount: '30.00' })
  const { ticket, cards } = customer
  const [first, second] = cards as [number, number]
  await win(service, customer, 10_000n)
  expect(await optionsOf(service, ticket)).toEqual([
    [first, '20.00'],
    [second, '30.00'],
  ])
  await withdrawn(service, { ticket, card: first, amount: '15.00' })
  expect(await optionsOf(service, ticket)).toEqual([
    [first, '5.00'],
    [second, '30.00'],
  ])
  await withdrawn(service, { ticket, card: first, amount: '5.00' })
  // No other card has anything open, and it was used last.
  expect(await optionsOf(service, ticket)).toEqual([[second, '130.00']])
  await withdrawn(service, { ticket, card: second, amount: '130.00' })
  expect(await optionsOf(service, ticket)).toEqual([])
  // The first card is now the last one that was used.
  await payIn(service, customer, first, '5.00')
  await win(service, customer, 1_000n)
  expect(await optionsOf(service, ticket)).toEqual([[first, '15.00']])
})

test('where the balance is less than what is open, the oldest card gets it', async () => {
  const customer = await player(service, {}, { amount: '30.00' })
  const [first, second] = customer.cards as [number, number]
  const stake = { reference: 'staked', customerId: `${customer.id}`, kind: 'stake', amount: '25.00' }
  expect((await service.operator('POST', '/operator/v1/movements', stake)).status).toBe(201)
  expect(await optionsOf(service, customer.ticket)).toEqual([
    [first, '20.00'],
    [second, '5.00'],
  ])
})

test('a card that alone has something open, and was not used last, gets no winnings', async () => {
  const customer = await player(service, {}, { amount: '30.00' })
  const { ticket } = customer
  const [first, second] = customer.cards as [number, number]
  await win(service, customer, 10_000n)
  await withdrawn(service, { ticket, card: second, amount: '30.00' })
  expect(await optionsOf(service, ticket)).toEqual([[first, '20.00']])
  await withdrawn(service, { ticket, card: first, amount: '20.00' })
  expect(await optionsOf(service, ticket)).toEqual([[second, '100.00']])
})

test('what is refunded, or not certainly captured, does not go out', async () => {
  const { id, ticket, cards } = await player(service, {}, {})
  const [first, second] = cards as [number, number]
  const [newest] = (await service.operator('GET', `/operator/v1/deposits?customerId=${id}`)).body.items
  await service.operator('POST', `/operator/v1/deposits/${newest.paymentId}/refunds`, {
    amount: '15.00',
    reason: 'asked',
  })
  expect(await optionsOf(service, ticket)).toEqual([
    [first, '20.00'],
    [second, '5.00'],
  ])
  const uncertain = await addCard(service, { id }, { token: 'sandbox:capture-refused' })
  await deposit(service, { ticket, method: uncertain, amount: '40.00' })
  expect(await moneyOf(service, ticket)).toEqual(['65.00', '0.00'])
  expect(await optionsOf(service, ticket)).toEqual([
    [first, '20.00'],
    [second, '5.00'],
  ])
})

test('what is credited and not captured yet is no winnings of another card', async () => {
  const { id, ticket, cards } = await player(service, {})
  const [card] = cards as [number]
  await deposit(service, { ticket, method: await addCard(service, { id }), amount: '40.00' })
  expect(await moneyOf(service, ticket)).toEqual(['60.00', '0.00'])
  expect(await optionsOf(service, ticket)).toEqual([[card, '20.00']])
  expect(statusOrFault(await withdraw(service, { ticket, card, amount: '20.01' }))).toBe('24003')
})

test('an Idempotency-Key answers the same withdrawal again', async () => {
  const { ticket, cards } = await player(service, {})
  const [card] = cards as [number]
  const order = { ticket, card, amount: '5.00', key: 'once' }
  const first = await withdraw(service, order)
  const again = await withdraw(service, order)
  expect(again.json().whoWallets.withdrawal.id).toBe(first.json().whoWallets.withdrawal.id)
  expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true'])
  expect((await withdraw(service, { ...order, amount: '6.00' })).text).toContain('Idempotency-Key')
  expect((await moneyOf(service, ticket))[0]).toBe('15.00')
  // The same key for a deposit is another payment.
  expect((await deposit(service, { ticket, method: card, amount: '5.00', key: 'once' })).text).toContain('paymentId')
})

test.each([
  ['sandbox:payout-slow', 'PAID', '0.00'],
  ['sandbox:payout-unknown', 'PAID', '0.00'],
  ['sandbox:payout-returned', 'RETURNED', '20.00'],
  ['sandbox:payout-refused', 'RETURNED', '20.00'],
])('%s ends as %s with the balance %s', async (token, state, balance) => {
  const { ticket, cards } = await player(service, { token })
  const [card] = cards as [number]
  const id = await withdrawn(service, { ticket, card })
  expect((await moneyOf(service, ticket))[0]).toBe('0.00')
  await sweepUntilPaid(service, id, state)
  expect(await moneyOf(service, ticket)).toEqual([balance, '0.00'])
  expect(await optionsOf(service, ticket)).toEqual(balance === '0.00' ? [] : [[card, balance]])
  expect(await ledgerProblems(service)).toEqual([])
})

test('customers list their own withdrawals, newest first, and cannot read those of others', async () => {
  const { ticket, cards } = await player(service, {})
  const [card] = cards as [number]
  const path = '/v1/wallets/me/withdrawals'
  expect((await service.call('GET', path, { ticket })).status).toBe(204)
  const ids = [
    await withdrawn(service, { ticket, card, amount: '5.00' }),
    await withdrawn(service, { ticket, card, amount: '6.00' }),
  ]
  const listed = (await service.call('GET', path, { ticket, accept: 'application/json' })).json().whoWallets.withdrawals
  expect(listed.map(({ id }: { id: string }) => id)).toEqual(ids.toReversed())
  const { ticket: other } = await service.customer()
  expect((await service.call('GET', `${path}/${ids[0]}`, { ticket: other })).text).toContain('10071')
  expect((await service.call('DELETE', `${path}/${ids[0]}`, { ticket })).status).toBe(405)
})
