// What operators may change of a card, and that payouts to a card that is new or changed wait.

import { expect, test } from 'vitest'
import { HOUR_MS } from '../../../src/platform/runtime/durations.ts'
import { sweep } from '../../../src/wallets/sweep/sweeper.ts'
import {
  approve,
  type Client,
  newCard,
  newClient,
  partsOf,
  payInCaptured,
  sweepUntilWithdrawal,
  takeOut,
  win,
  withdrawalOf,
} from '../../harness/cashier.ts'
import { metric } from '../../harness/metric.ts'
import { useService } from '../../harness/service.ts'
import { type CardOptions, HOLDER } from '../../harness/wallets.ts'

const service = useService({ PAYOUT_DELAY_HOURS: '24', WITHDRAWAL_APPROVED_UP_TO: '1000.00' })

const pathOf = ({ id }: Client, card: number) => `/operator/v1/customers/${id}/payment-methods/${card}`

function put(client: Client, card: number, { token = 'sandbox:approve', number, expiryDate, max }: CardOptions) {
  return service.operator('PUT', pathOf(client, card), {
    type: 'CARD',
    token,
    limits: { minDeposit: '1.00', maxDeposit: max ?? '5000.00' },
    card: {
      number: number ?? '411111******1111',
      expiryDate: expiryDate ?? '12/49',
      country: 'GB',
      scheme: 'VISA',
      ...HOLDER,
    },
  })
}

test.each(['deposit', 'closure', 'withdrawal'])(
  'under an id with a %s another token or number is refused; expiry date and limits may change',
  async (history) => {
    const client = await newClient(service)
    const card = await newCard(service, client, 'A')
    const other = { token: 'sandbox:slow', number: '411111******1111' }
    expect((await put(client, card, other)).status).toBe(200)
    expect((await put(client, card, { number: '411111******1142' })).status).toBe(200)
    expect((await put(client, card, {})).status).toBe(200)
    if (history === 'closure') await service.operator('POST', `${pathOf(client, card)}/closure`, { reason: 'stolen' })
    else if (history === 'deposit') await payInCaptured(service, client, card, 10)
    else {
      await win(service, client, 20)
      await takeOut(service, client, { card, pounds: 10, status: 'requested' })
    }
    for (const another of [{ token: 'sandbox:slow' }, { number: '411111******1142' }]) {
      const refused = await put(client, card, another)
      expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('an id of its own')])
    }
    expect((await put(client, card, { expiryDate: '11/48', max: '20.00' })).status).toBe(200)
    const { items } = (await service.operator('GET', `/operator/v1/customers/${client.id}/payment-methods`)).body
    expect(items).toMatchObject([{ number: '411111******1111', expiryDate: '11/48', maxDeposit: '20.00' }])
  },
)

test.each<[string, (client: Client, card: number) => Promise<unknown>]>([
  ['new', async () => undefined],
  ['changed in its expiry date', (client, card) => put(client, card, { expiryDate: '11/48' })],
  ['reopened', (client, card) => service.operator('DELETE', `${pathOf(client, card)}/closure`)],
])('payouts to a card that is %s wait 24 hours, returns do not', async (how, change) => {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A')
  const a = await payInCaptured(service, client, A, 10)
  await win(service, client, 20)
  if (how !== 'new') service.clock.advance(48 * HOUR_MS)
  await change(client, A)
  const id = await takeOut(service, client, { card: A, pounds: 30 })
  const paid = async () => (await withdrawalOf(service, id)).paid
  for (let turn = 0; turn < 3; turn++) await sweep(service.context)
  await expect.poll(paid, { timeout: 20_000 }).toBe('10.00')
  service.clock.advance(23 * HOUR_MS)
  for (let turn = 0; turn < 3; turn++) await sweep(service.context)
  expect(await partsOf(service, id, { [a]: 'A' })).toEqual([
    'return 10 of A: paid 10, returned 0, PAID',
    'payout 20 of winnings: paid 0, returned 0, WAITING',
  ])
  const metrics = await (await fetch(`${service.operatorUrl}/metrics`)).text()
  expect(metric(metrics, 'paddock_deposit_waiting_oldest_seconds{kind="payout"}')).toBe(0)
  service.clock.advance(HOUR_MS)
  await sweepUntilWithdrawal(service, id, 'PAID')
})

test('new limits delay nothing', async () => {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A')
  await payInCaptured(service, client, A, 10)
  await win(service, client, 20)
  service.clock.advance(48 * HOUR_MS)
  expect((await put(client, A, { max: '20.00' })).status).toBe(200)
  await sweepUntilWithdrawal(service, await takeOut(service, client, { card: A, pounds: 30 }), 'PAID')
})

test('the token or number of a card that was closed as stolen does not come back under another id', async () => {
  const client = await newClient(service)
  const S = await newCard(service, client, 'S', { token: 'sandbox:frictionless', number: '411111******1142' })
  const other = await newCard(service, client, 'other')
  const stolen = { token: 'sandbox:frictionless', number: '411111******1142' }
  await service.operator('POST', `${pathOf(client, S)}/closure`, { reason: 'stolen' })
  for (const same of [stolen, { token: stolen.token }, { number: stolen.number }]) {
    for (const id of [S + 100_000, other]) {
      const refused = await put(client, id, same)
      expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining(`Card ${S}`)])
    }
  }
  // Removed, it stays closed.
  expect((await service.operator('DELETE', pathOf(client, S))).status).toBe(204)
  expect((await put(client, S + 100_000, stolen)).status).toBe(409)
  expect((await put(client, S, stolen)).status).toBe(201)
  expect((await service.operator('DELETE', `${pathOf(client, S)}/closure`)).status).toBe(200)
  expect((await put(client, S + 100_000, stolen)).status).toBe(201)
  // Of somebody else.
  expect((await put(await newClient(service), S + 100_001, stolen)).status).toBe(201)
})

const BURGLAR = { firstName: 'Bob', lastName: 'Burglar' }

/** 10 of a card of somebody else, and 20 won. `name`: on record. */
async function withForeignCard(name: { firstName: string; lastName: string } | null) {
  const { id, ticket } = await service.customer(name ?? {})
  const client = { id, ticket, names: new Map<number, string>() }
  const card = await newCard(service, client, 'foreign', { holder: BURGLAR })
  return { client, card }
}

const rename = ({ id }: Client, name: object) => service.operator('PUT', `/operator/v1/customers/${id}`, name)

test.each([
  ['changed', HOLDER],
  ['set', null],
])(
  'the name on record is %s to that of a card while there is money: two persons compare them first',
  async (_, name) => {
    const { client, card } = await withForeignCard(name)
    await payInCaptured(service, client, card, 10)
    await win(service, client, 20)
    expect((await rename(client, BURGLAR)).status).toBe(200)
    // The same again is no change, and returns need nobody.
    const own = await takeOut(service, client, { card, pounds: 10 })
    const id = await takeOut(service, client, { card, pounds: 10, status: 'requested' })
    expect((await rename(client, BURGLAR)).status).toBe(200)
    await approve(service, id)
    await takeOut(service, client, { card, pounds: 5 })
    for (const lastName of ['Other', BURGLAR.lastName]) await rename(client, { lastName })
    await takeOut(service, client, { card, pounds: 5, status: 'requested' })
    await sweepUntilWithdrawal(service, own, 'PAID')
  },
)

test('the name on record is set for the first time before there is money, and the rule decides', async () => {
  const { client, card } = await withForeignCard(null)
  expect((await rename(client, BURGLAR)).status).toBe(200)
  await payInCaptured(service, client, card, 10)
  await win(service, client, 20)
  await takeOut(service, client, { card, pounds: 30 })
})
