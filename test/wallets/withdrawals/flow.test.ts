// Money out: how it is paid, and what becomes of it when the bank does not. What may go to which card: vectors/.

import { expect, test } from 'vitest'
import { refund, tell } from '../../harness/refunds.ts'
import { useService } from '../../harness/service.ts'
import { addCard, deposit, ledgerProblems } from '../../harness/wallets.ts'
import {
  moneyOf,
  optionsOf,
  player,
  readWithdrawal,
  statusOrFault,
  sweepUntilPaid,
  withdraw,
  withdrawn,
} from '../../harness/withdrawals.ts'

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
    paid: '0.00',
    returned: '0.00',
    createdDateTimeZoned: expect.any(String),
    part: [{ amount: '12.50', kind: 'return', status: 'waiting', paymentId: expect.any(String) }],
  })
  expect((await moneyOf(service, ticket))[0]).toBe('7.50')
  const { events } = await sweepUntilPaid(service, withdrawal.id)
  expect(events.map(({ event }: { event: string }) => event)).toEqual(['requested', 'approved', 'sending', 'paid'])
  expect(await moneyOf(service, ticket)).toEqual(['7.50', '0.00'])
  const part = [{ ...withdrawal.part[0], status: 'paid' }]
  const paid = { ...withdrawal, status: 'paid', paid: '12.50', part }
  expect(await readWithdrawal(service, ticket, withdrawal.id)).toEqual(paid)
  expect(await ledgerProblems(service)).toEqual([])
  const jobs = service.context.metrics.render().match(/^paddock_\w+_jobs_total\{.*/gm)
  expect(jobs).toContainEqual(expect.stringMatching(/^paddock_payout_jobs_total\{outcome="\w+"\} 1/))
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
  expect(await moneyOf(service, ticket)).toEqual(['50.00', '0.00'])
  expect(await deposit(service, { ticket, method: second, type: 'withdrawal' }).then((one) => one.text)).toContain(
    '10071',
  )
})

test('what is refunded, or under dispute, does not go out', async () => {
  const { id, ticket, cards } = await player(service, {}, {})
  const [first, second] = cards as [number, number]
  const { items } = (await service.operator('GET', `/operator/v1/deposits?customerId=${id}`)).body
  const [newest, oldest] = items as [{ paymentId: string }, { paymentId: string }]
  expect((await refund(service, newest.paymentId, '15.00')).status).toBe(201)
  expect(await optionsOf(service, ticket)).toEqual([
    [first, '20.00'],
    [second, '5.00'],
  ])
  await tell(service, oldest.paymentId, 'NOTIFICATION_OF_CHARGEBACK')
  expect(await optionsOf(service, ticket)).toEqual([[second, '5.00']])
  expect(statusOrFault(await withdraw(service, { ticket, card: first, amount: '0.01' }))).toBe('24003')
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
})

test('a key that was used for a withdrawal is refused for a deposit, and the other way round', async () => {
  const { ticket, cards } = await player(service, {})
  const [card] = cards as [number]
  const [order, payment] = [
    { ticket, card, amount: '5.00' },
    { ticket, method: card, amount: '5.00' },
  ]
  const withdrawal = await withdraw(service, { ...order, key: 'of-a-withdrawal' })
  const paid = await deposit(service, { ...payment, key: 'of-a-deposit' })
  expect([withdrawal.status, paid.status]).toEqual([200, 200])
  const refused = [
    await deposit(service, { ...payment, key: 'of-a-withdrawal' }),
    await withdraw(service, { ...order, key: 'of-a-deposit' }),
  ]
  for (const { text } of refused) expect(text).toMatch(/10071.*Idempotency-Key/s)
  expect((await moneyOf(service, ticket))[0]).toBe('20.00')
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
