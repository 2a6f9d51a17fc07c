// An account has one currency for ever, and a key means one request.

import { expect, test } from 'vitest'
import {
  books,
  type Client,
  moneyOf,
  newCard,
  newClient,
  optionsOf,
  payInCaptured,
  win,
} from '../../harness/cashier.ts'
import { sendLines } from '../../harness/movements.ts'
import { useService } from '../../harness/service.ts'
import { deposit, paidOrFaultCode } from '../../harness/wallets.ts'
import { statusOrFault, withdraw } from '../../harness/withdrawals.ts'

const service = useService()

const toEuro = ({ id }: Client) => service.operator('PUT', `/operator/v1/customers/${id}`, { currency: 'EUR' })

const FIXES: [string, (client: Client, card: number) => Promise<unknown>][] = [
  ['a deposit', (client, card) => payInCaptured(service, client, card, 20)],
  [
    'a deposit that was declined',
    async (client) => {
      const card = await newCard(service, client, 'declined', { token: 'sandbox:decline' })
      expect(paidOrFaultCode(await deposit(service, { ticket: client.ticket, method: card }))).toBe('24005')
    },
  ],
  [
    'a limit',
    ({ ticket }) =>
      service.call('PUT', '/v1/wallets/me/limits/day?amount=50.00', { ticket, accept: 'application/json' }),
  ],
  ['a movement', (client) => win(service, client, 20)],
]

test.each(FIXES)('%s fixes the currency: operators and feed lines cannot change it', async (_, fix) => {
  const client = await newClient(service)
  const card = await newCard(service, client, 'A')
  expect((await toEuro(client)).status).toBe(200)
  expect((await service.operator('PUT', `/operator/v1/customers/${client.id}`, { currency: 'GBP' })).status).toBe(200)
  await fix(client, card)
  const refused = await toEuro(client)
  expect([refused.status, refused.body.detail]).toEqual([409, expect.stringMatching(/currency/i)])
  const line = JSON.stringify({ put: 'customer', id: `${client.id}`, data: { currency: 'EUR' } })
  const report = await sendLines(service, [line])
  expect(report.refusals).toEqual([{ line: 1, reason: expect.stringMatching(/currency/i) }])
  expect((await service.operator('GET', `/operator/v1/customers/${client.id}`)).body.currency).toBe('GBP')
  await books(service)
})

test('a repeated key answers the same, whatever has changed of the customer and the card since', async () => {
  const client = await newClient(service)
  const { ticket } = client
  const A = await newCard(service, client, 'A')
  const pay = () => deposit(service, { ticket, method: A, amount: '20.00', key: 'pay' })
  const paid = (await pay()).json().whoWallets.paymentId
  await payInCaptured(service, client, A, 20)
  const order = { ticket, card: A, amount: '10.00', key: 'take' }
  const taken = (await withdraw(service, order)).json().whoWallets.withdrawal.id
  expect((await toEuro(client)).status).toBe(409)
  await service.operator('POST', `/operator/v1/customers/${client.id}/payment-methods/${A}/closure`, { reason: 'lost' })
  const again = [await pay(), await withdraw(service, order)] as const
  expect(again.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual(['true', 'true'])
  expect(again[0].json().whoWallets.paymentId).toBe(paid)
  expect(again[1].json().whoWallets.withdrawal.id).toBe(taken)
  const others = [
    await deposit(service, { ticket, method: A, amount: '21.00', key: 'pay' }),
    await withdraw(service, { ...order, amount: '11.00' }),
  ]
  for (const reply of others)
    expect([paidOrFaultCode(reply), reply.text]).toEqual(['10071', expect.stringContaining('Idempotency-Key')])
  expect(statusOrFault(again[1])).toMatch(/^[a-z]+$/)
  expect(await moneyOf(service, client)).toMatchObject({ balance: 30, debt: 0 })
  expect(await optionsOf(service, client)).toMatchObject({ available: 30 })
})

test('a key of an operator’s refund, movement or adjustment means one request', async () => {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A')
  const a = await payInCaptured(service, client, A, 100)
  const refund = async (amount: string) => {
    const reply = await fetch(`${service.operatorUrl}/operator/v1/deposits/${a}/refunds`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer test-operator-token-0123456789',
        'content-type': 'application/json',
        'idempotency-key': `refund-${client.id}`,
      },
      body: JSON.stringify({ amount, reason: 'asked for it' }),
    })
    return { status: reply.status, id: ((await reply.json()) as { id?: string }).id }
  }
  const first = await refund('10.00')
  expect(await refund('10.00')).toEqual({ status: 200, id: first.id })
  expect((await refund('11.00')).status).toBe(409)
  const movement = { reference: `key-${client.id}`, customerId: `${client.id}`, kind: 'winnings', amount: '5.00' }
  const make = async (change: object) =>
    (await service.operator('POST', '/operator/v1/movements', { ...movement, ...change })).status
  expect([await make({}), await make({}), await make({ amount: '6.00' })]).toEqual([201, 200, 409])
  expect(await moneyOf(service, client)).toMatchObject({ balance: 95, debt: 0 })
})
