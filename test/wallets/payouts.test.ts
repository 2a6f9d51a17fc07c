// What every gateway promises of payouts, how Adyen is called for them, and how the sandbox's cards play returns.

import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adyenGateway } from '../../src/wallets/gateways/adyen/gateway.ts'
import { latinName } from '../../src/wallets/gateways/adyen/holder-name.ts'
import { type Cv2, parseCv2 } from '../../src/wallets/gateways/cv2.ts'
import type { Gateway, HeldPayment, PayoutRequest } from '../../src/wallets/gateways/gateway.ts'
import { openSandboxBank } from '../../src/wallets/gateways/sandbox/bank.ts'
import { sandboxGateway } from '../../src/wallets/gateways/sandbox/gateway.ts'
import { remoteSandboxGateway } from '../../src/wallets/gateways/sandbox/remote-gateway.ts'
import { startSandboxGateway } from '../../src/wallets/gateways/sandbox/server.ts'
import { fakeAdyenSettings, startFakeAdyen } from '../harness/adyen.ts'
import { TRANSFERS } from '../harness/adyen-transfers.ts'
import { newDataFolder } from '../harness/data-folder.ts'

const TIMEOUT_MS = 60_000
const folder = newDataFolder()
const gateways: Record<string, Gateway> = {}
let fake: Awaited<ReturnType<typeof startFakeAdyen>>
let remote: Awaited<ReturnType<typeof startSandboxGateway>>

beforeAll(async () => {
  fake = await startFakeAdyen()
  remote = await startSandboxGateway(join(folder, 'remote.db'), '127.0.0.1', 0)
  gateways.sandbox = sandboxGateway(openSandboxBank(join(folder, 'bank.db')), TIMEOUT_MS)
  gateways['sandbox over HTTP'] = remoteSandboxGateway(remote.url, TIMEOUT_MS)
  gateways.adyen = adyenGateway(fakeAdyenSettings(fake.url), TIMEOUT_MS)
})
afterAll(async () => {
  for (const one of [...Object.values(gateways), fake, remote]) await one.close()
  rmSync(folder, { recursive: true })
})

const request = (token: string): PayoutRequest => ({
  reference: randomUUID(),
  customerId: 7,
  token,
  holder: { firstName: 'Zoë', lastName: 'O’Brien-Łęcka' },
  amount: 1000n,
  currency: 'GBP',
})
const gatewayOf = (name: string) => gateways[name] as Gateway

/** Outcome, and refusal if there is one, of so many calls. */
async function results(calls: number, call: () => Promise<{ outcome: string; refusal: string | null }>) {
  const found: string[] = []
  for (let made = 0; made < calls; made++) {
    const { outcome, refusal } = await call()
    found.push(refusal === null ? outcome : `${outcome} ${refusal}`)
  }
  return found
}

describe.each([
  ['sandbox', 'sandbox:approve', 'sandbox:payout-refused', 'sandbox:payout-unknown', 'paid'],
  ['sandbox over HTTP', 'sandbox:approve', 'sandbox:payout-refused', 'sandbox:payout-unknown', 'paid'],
  ['adyen', 'approve', 'transfer-refused-restrictedCard', 'transfer-lost', 'received'],
])('%s', (name, approves, refuses, loses, sent) => {
  const payout = (terms: PayoutRequest) => gatewayOf(name).payout(terms)
  const lookUp = (terms: PayoutRequest) => gatewayOf(name).lookUpPayout(terms)

  test('a payout may be repeated and looked up, and is the same', async () => {
    const terms = request(approves)
    expect(await lookUp(terms)).toMatchObject({ outcome: 'notFound', gatewayReference: null })
    const first = await payout(terms)
    expect(first).toMatchObject({ outcome: sent, refusal: null, gatewayReference: expect.any(String) })
    expect(await payout(terms)).toEqual(first)
    expect(await lookUp(terms)).toEqual(first)
  })

  test('one that is refused has words and stays refused', async () => {
    const terms = request(refuses)
    const first = await payout(terms)
    expect(first).toMatchObject({ outcome: 'refused', refusal: 'card', reason: expect.stringContaining('card') })
    expect(await payout(terms)).toEqual(first)
    expect(await lookUp(terms)).toEqual(first)
  })

  test('one without an answer is found, and not sent again', async () => {
    const terms = request(loses)
    expect(await payout(terms)).toMatchObject({ outcome: 'unknown', refusal: null, gatewayReference: null })
    expect((await lookUp(terms)).outcome).toBe(sent)
    expect((await payout(terms)).outcome).toBe(sent)
  })

  test('the reference with another amount decides nothing', async () => {
    const terms = request(approves)
    await payout(terms)
    const other = { ...terms, amount: 1001n }
    expect((await payout(other)).outcome).toBe('unknown')
    expect((await lookUp(other)).outcome).toBe('unknown')
    expect((await payout(terms)).outcome).toBe(sent)
  })
})

// ---- The sandbox

describe.each(['sandbox', 'sandbox over HTTP'])('%s', (name) => {
  const cv2 = parseCv2('737') as Cv2

  async function captured(token: string): Promise<HeldPayment> {
    const { holder: _, ...terms } = request(token)
    expect((await gatewayOf(name).authorise(terms, cv2)).outcome).toBe('approved')
    await gatewayOf(name).capture({ ...terms, gatewayReference: null })
    return { ...terms, gatewayReference: null }
  }

  test.each([
    ['payout-slow', ['received', 'received', 'paid']],
    ['payout-returned', ['received', 'refused card', 'refused card']],
    ['payout-refused', ['refused card', 'refused card', 'refused card']],
    ['payout-unknown', ['unknown', 'paid', 'paid']],
    ['payout-silent', ['unknown', 'unknown', 'unknown']],
    ['payout-unfunded', ['unfunded', 'unfunded', 'paid']],
    ['account-closed', ['refused account-closed', 'refused account-closed', 'refused account-closed']],
    ['return-refused', ['paid', 'paid', 'paid']],
  ])('a payout to %s is %j', async (token, outcomes) => {
    const terms = request(`sandbox:${token}`)
    expect(await results(3, () => gatewayOf(name).payout(terms))).toEqual(outcomes)
  })

  test.each([
    ['payout-slow', ['received', 'paid']],
    ['payout-returned', ['returned card', 'returned card']],
    ['payout-refused', ['refused card', 'refused card']],
    ['payout-unknown', ['paid', 'paid']],
    ['payout-silent', ['unknown', 'unknown']],
    // Nothing was sent, and looking changes nothing.
    ['payout-unfunded', ['notFound', 'notFound']],
    ['account-closed', ['refused account-closed', 'refused account-closed']],
  ])('a payout to %s that is looked up after it was sent is %j', async (token, outcomes) => {
    const terms = request(`sandbox:${token}`)
    await gatewayOf(name).payout(terms)
    expect(await results(2, () => gatewayOf(name).lookUpPayout(terms))).toEqual(outcomes)
  })

  test.each([
    ['approve', ['done', 'done', 'done'], 'done'],
    ['payout-slow', ['received', 'received', 'done'], 'done'],
    ['payout-returned', ['received', 'refused card', 'refused card'], 'done'],
    ['payout-refused', ['refused card', 'refused card', 'refused card'], 'done'],
    ['payout-unknown', ['unknown', 'done', 'done'], 'done'],
    ['payout-silent', ['unknown', 'unknown', 'unknown'], 'done'],
    ['payout-unfunded', ['done', 'done', 'done'], 'done'],
    [
      'account-closed',
      ['refused account-closed', 'refused account-closed', 'refused account-closed'],
      'refused account-closed',
    ],
    ['return-refused', ['refused deposit', 'refused deposit', 'refused deposit'], 'refused deposit'],
    ['refund-failed', ['refused other', 'refused other', 'refused other'], 'refused other'],
    ['refund-slow', ['received', 'received', 'received'], 'received'],
  ])('a return to %s is %j, a refund by an operator %s', async (token, outcomes, ofOperator) => {
    const payment = await captured(`sandbox:${token}`)
    const refund = (reference: string, amount: bigint, isReturn: boolean) =>
      gatewayOf(name).refund(payment, { reference, amount, isReturn, gatewayReference: null })
    const reference = randomUUID()
    expect(await results(3, () => refund(reference, 400n, true))).toEqual(outcomes)
    // What did not go back to the card is still there to be returned, and no more.
    const isBack = ['done', 'received'].includes(outcomes[2] as string)
    const left = isBack ? 600n : 1000n
    expect(await results(1, () => refund(randomUUID(), left + 1n, false))).toEqual([
      ofOperator.startsWith('refused') ? ofOperator : 'refused deposit',
    ])
    expect(await results(1, () => refund(randomUUID(), left, false))).toEqual([ofOperator])
  })

  test('a refund is known by its reference: other terms decide nothing', async () => {
    const [payment, another] = [await captured('sandbox:approve'), await captured('sandbox:approve')]
    const refund = { reference: randomUUID(), amount: 400n, isReturn: true, gatewayReference: null }
    expect(await results(2, () => gatewayOf(name).refund(payment, refund))).toEqual(['done', 'done'])
    expect((await gatewayOf(name).refund(payment, { ...refund, amount: 1n })).outcome).toBe('unknown')
    expect((await gatewayOf(name).refund(another, refund)).outcome).toBe('unknown')
  })

  test('what is not captured is not returned', async () => {
    const { holder: _, ...terms } = request('sandbox:approve')
    const refund = { reference: randomUUID(), amount: 1n, isReturn: true, gatewayReference: null }
    const payment = { ...terms, gatewayReference: null }
    expect(await results(1, () => gatewayOf(name).refund(payment, refund))).toEqual(['refused deposit'])
  })
})

test('the bank of an earlier version has its refunds, and takes new ones', async () => {
  const file = join(folder, 'earlier.db')
  const earlier = new DatabaseSync(file)
  earlier.exec(`create table payment (reference text primary key, token text not null, amount text not null,
      currency text not null, state text not null);
    create table refund (reference text primary key, payment text not null, amount text not null);
    insert into payment values ('p', 'sandbox:approve', '1000', 'GBP', 'captured');
    insert into refund values ('r', 'p', '400')`)
  earlier.close()
  const refund = (reference: string, amount: string) => ({ reference, payment: 'p', amount, isReturn: true })
  for (const _ of [1, 2]) {
    const bank = openSandboxBank(file)
    expect(bank.refund(refund('r', '400')).outcome).toBe('done')
    expect(bank.refund(refund('s', '601')).outcome).toBe('refused')
    expect(bank.refund(refund('t', '600')).outcome).toBe('done')
    expect(bank.refundsOf('p').map(({ reference }) => reference)).toEqual(['r', 't'])
    bank.close()
  }
})

// ---- Adyen

const adyen = () => gatewayOf('adyen')

test('adyen gets the documented transfer, with our reference as the key', async () => {
  const terms = request('approve')
  const before = fake.requests.length
  await adyen().payout(terms)
  expect(fake.requests.slice(before)).toEqual([
    {
      path: '/btl/v4/transfers',
      key: terms.reference,
      body: {
        amount: { value: 1000, currency: 'GBP' },
        balanceAccountId: TRANSFERS.balanceAccount,
        category: 'card',
        counterparty: {
          card: {
            cardHolder: { type: 'individual', firstName: 'Zoe', lastName: 'OBrien-Lecka', reference: '7' },
            cardIdentification: { storedPaymentMethodId: 'approve' },
          },
        },
        reference: terms.reference,
        referenceForBeneficiary: terms.reference.replaceAll('-', ''),
        description: 'Withdrawal',
      },
    },
  ])
})

test.each([
  ['transfer-booked', 'paid'],
  ['transfer-received', 'received'],
  ['transfer-refused-counterpartyAccountClosed', 'refused account-closed'],
  ['transfer-refused-transactionNotPermitted', 'refused not-permitted'],
  ['transfer-failed-doNotHonor', 'refused other'],
  ['transfer-error-error', 'unknown'],
  ['transfer-invalid', 'refused card'],
  ['transfer-http-422-30_009', 'refused other'],
  ['transfer-http-401-000', 'unknown'],
  ['transfer-http-403-010', 'unknown'],
  ['transfer-http-409-000', 'unknown'],
  ['transfer-http-422-704', 'unknown'],
  ['transfer-http-500-000', 'unknown'],
])('adyen: a payout to %s is %s', async (token, outcome) => {
  expect(await results(1, () => adyen().payout(request(token)))).toEqual([outcome])
})

test('adyen: a transfer that our account has too little for is followed by another one, and paid once', async () => {
  const terms = request('transfer-unfunded-2')
  const own = () => [...fake.transfers.values()].filter(({ reference }) => reference === terms.reference)
  expect(await results(1, () => adyen().payout(terms))).toEqual(['unfunded'])
  expect(await results(1, () => adyen().lookUpPayout(terms))).toEqual(['notFound'])
  expect(await results(4, () => adyen().payout(terms))).toEqual(['unfunded', 'received', 'received', 'received'])
  expect(own().map(({ status }) => status)).toEqual(['refused', 'refused', 'authorised'])
  const keys = fake.requests.filter(({ body }) => body.reference === terms.reference).map(({ key }) => key)
  expect(keys).toEqual([terms.reference, `${own()[0]?.id}-again`, `${own()[1]?.id}-again`])
})

test('adyen: two processes that pay at the same time make one transfer, also after one that was unfunded', async () => {
  for (const token of ['approve', 'transfer-unfunded-1']) {
    const terms = request(token)
    if (token !== 'approve') await adyen().payout(terms)
    const both = await Promise.all([adyen().payout(terms), adyen().payout(terms)])
    expect(both.map(({ outcome }) => outcome)).toEqual(['received', 'received'])
    const own = [...fake.transfers.values()].filter(({ reference }) => reference === terms.reference)
    expect(own.filter(({ status }) => status === 'authorised')).toHaveLength(1)
  }
})

test('adyen: one that vanished before it was made is sent with the same key', async () => {
  const terms = request('transfer-vanished')
  expect((await adyen().payout(terms)).outcome).toBe('unknown')
  expect((await adyen().lookUpPayout(terms)).outcome).toBe('notFound')
  expect((await adyen().payout(terms)).outcome).toBe('received')
  const keys = fake.requests.filter(({ body }) => body.reference === terms.reference).map(({ key }) => key)
  expect(keys).toEqual([terms.reference, terms.reference])
})

test('adyen: what came back is returned when it is looked up, and refused when it is sent again', async () => {
  const terms = request('approve')
  await adyen().payout(terms)
  for (const one of fake.transfers.values()) {
    if (one.reference === terms.reference)
      Object.assign(one, { status: 'returned', reason: 'counterpartyAccountClosed' })
  }
  expect(await results(1, () => adyen().lookUpPayout(terms))).toEqual(['returned account-closed'])
  expect(await results(1, () => adyen().payout(terms))).toEqual(['refused account-closed'])
})

test('adyen: two transfers with one reference decide nothing', async () => {
  const terms = request('approve')
  await adyen().payout(terms)
  const [made] = [...fake.transfers.values()].filter(({ reference }) => reference === terms.reference)
  fake.transfers.set('TWIN', { ...(made as NonNullable<typeof made>), id: 'TWIN' })
  expect((await adyen().lookUpPayout(terms)).outcome).toBe('unknown')
  expect((await adyen().payout(terms)).outcome).toBe('unknown')
})

test('without its settings, or with a wrong key, adyen pays nothing out', async () => {
  const settings = fakeAdyenSettings(fake.url)
  const before = fake.transfers.size
  const without = adyenGateway({ ...settings, transfers: null }, TIMEOUT_MS)
  expect(without.paysOut).toBe(false)
  const wrong = adyenGateway({ ...settings, transfers: { ...settings.transfers, apiKey: 'wrong' } }, TIMEOUT_MS)
  const unreachable = adyenGateway(
    { ...settings, transfers: { ...settings.transfers, url: 'http://127.0.0.1:9' } },
    TIMEOUT_MS,
  )
  for (const gateway of [without, wrong, unreachable]) {
    expect((await gateway.payout(request('approve'))).outcome).toBe('unknown')
    expect((await gateway.lookUpPayout(request('approve'))).outcome).toBe('unknown')
    await gateway.close()
  }
  expect(fake.transfers.size).toBe(before)
})

test('names are in the letters that adyen takes, or it is not asked', async () => {
  expect(['José', 'Øyvind Ærø', 'Anne-Marie', 'Dr. Weiß', '  A   B ', 'Nguyễn'].map(latinName)).toEqual([
    'Jose',
    'Oyvind AEro',
    'Anne-Marie',
    'Dr. Weiss',
    'A B',
    'Nguyen',
  ])
  expect(['', '—', '李', '1'].map(latinName)).toEqual([null, null, null, null])
  const before = fake.requests.length
  const terms = { ...request('approve'), holder: { firstName: '李', lastName: 'Wei' } }
  expect(await adyen().payout(terms)).toMatchObject({ outcome: 'refused', refusal: 'card' })
  expect(fake.requests.length).toBe(before)
})
