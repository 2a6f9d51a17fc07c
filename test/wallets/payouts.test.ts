// What every gateway promises of payouts, and how Adyen is called for them.

import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adyenGateway } from '../../src/wallets/gateways/adyen/gateway.ts'
import type { Gateway, PayoutRequest } from '../../src/wallets/gateways/gateway.ts'
import { openSandboxBank } from '../../src/wallets/gateways/sandbox/bank.ts'
import { sandboxGateway } from '../../src/wallets/gateways/sandbox/gateway.ts'
import { remoteSandboxGateway } from '../../src/wallets/gateways/sandbox/remote-gateway.ts'
import { startSandboxGateway } from '../../src/wallets/gateways/sandbox/server.ts'
import { fakeAdyenSettings, startFakeAdyen } from '../harness/adyen.ts'
import { PAYOUT_KEYS } from '../harness/adyen-payouts.ts'
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
  amount: 1000n,
  currency: 'GBP',
  gatewayReference: null,
})
const paidBy = async (gateway: Gateway, terms: PayoutRequest) => (await gateway.payout(terms)).outcome

describe.each(['sandbox', 'sandbox over HTTP', 'adyen'])('%s', (name) => {
  const gateway = () => gateways[name] as Gateway
  const [refused, lost] =
    name === 'adyen' ? ['payout-refused', 'payout-lost'] : ['sandbox:payout-refused', 'sandbox:payout-unknown']
  const paid = name === 'adyen' ? 'received' : 'paid'

  test('a payout may be repeated, and is the same', async () => {
    const terms = request(name === 'adyen' ? 'approve' : 'sandbox:approve')
    const first = await gateway().payout(terms)
    expect(first.outcome).toBe(paid)
    expect(await gateway().payout(terms)).toEqual(first)
    expect((await gateway().payout({ ...terms, gatewayReference: first.gatewayReference })).outcome).toBe(paid)
  })

  test('one that is refused is returned, and one without an answer is unknown until it is repeated', async () => {
    expect(await paidBy(gateway(), request(refused))).toBe('returned')
    const terms = request(lost)
    expect(await gateway().payout(terms)).toMatchObject({ outcome: 'unknown', gatewayReference: null })
    expect(await paidBy(gateway(), terms)).toBe(paid)
  })

  test('a payout that was declined is never paid, and one that was paid cannot be declined', async () => {
    const never = request(name === 'adyen' ? 'approve' : 'sandbox:payout-silent')
    expect((await gateway().declinePayout(never)).outcome).toBe('declined')
    expect((await gateway().declinePayout(never)).outcome).toBe('declined')
    expect(['returned', 'unknown']).toContain(await paidBy(gateway(), never))
    const sent = request(name === 'adyen' ? 'approve' : 'sandbox:approve')
    await gateway().payout(sent)
    expect((await gateway().declinePayout(sent)).outcome).toBe('refused')
  })
})

test.each(['sandbox', 'sandbox over HTTP'])('%s: slow and returned payouts are first received', async (name) => {
  const results = async (token: string) => {
    const terms = request(token)
    return [1, 2, 3].reduce<Promise<string[]>>(
      async (before, _) => [...(await before), await paidBy(gateways[name] as Gateway, terms)],
      Promise.resolve([]),
    )
  }
  expect(await results('sandbox:payout-slow')).toEqual(['received', 'received', 'paid'])
  expect(await results('sandbox:payout-returned')).toEqual(['received', 'returned', 'returned'])
  expect(await results('sandbox:payout-silent')).toEqual(['unknown', 'unknown', 'unknown'])
})

test('adyen gets a payout with its key, and the confirmation with that of the reviewer', async () => {
  const terms = request('approve')
  const before = fake.requests.length
  const { gatewayReference } = await (gateways.adyen as Gateway).payout(terms)
  expect(fake.requests.slice(before)).toEqual([
    {
      path: '/pal/servlet/Payout/v68/submitThirdParty',
      key: terms.reference,
      body: {
        merchantAccount: 'PaddockTest',
        reference: terms.reference,
        amount: { value: 1000, currency: 'GBP' },
        recurring: { contract: 'PAYOUT' },
        selectedRecurringDetailReference: 'approve',
        shopperReference: '7',
        shopperEmail: 'payouts@shop.example',
        entityType: 'NaturalPerson',
      },
    },
    {
      path: '/pal/servlet/Payout/v68/confirmThirdParty',
      key: `${terms.reference}-confirm`,
      body: { merchantAccount: 'PaddockTest', originalReference: gatewayReference },
    },
  ])
})

test('without its settings, or with a wrong key, adyen pays nothing out', async () => {
  const settings = fakeAdyenSettings(fake.url)
  const without = adyenGateway({ ...settings, payouts: null }, TIMEOUT_MS)
  expect(without.paysOut).toBe(false)
  expect(await paidBy(without, request('approve'))).toBe('unknown')
  expect((await without.declinePayout(request('approve'))).outcome).toBe('unknown')
  const wrong = { ...settings.payouts, reviewKey: PAYOUT_KEYS.submitKey }
  const unable = adyenGateway({ ...settings, payouts: wrong }, TIMEOUT_MS)
  const terms = request('approve')
  expect(await paidBy(unable, terms)).toBe('unknown')
  expect([...fake.payouts.values()].find(({ reference }) => reference === terms.reference)?.state).toBe('submitted')
  await without.close()
  await unable.close()
})
