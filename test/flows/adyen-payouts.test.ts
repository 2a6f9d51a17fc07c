// Payouts with the Adyen gateway: what is sent, and notifications in every order.

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sweep } from '../../src/wallets/sweeper.ts'
import { adyenNotification, adyenSettings, startFakeAdyen } from '../harness/adyen.ts'
import { propertyRuns } from '../harness/property-runs.ts'
import { type Json, startTestService, type TestService } from '../harness/service.ts'
import { ledgerProblems } from '../harness/wallets.ts'
import { decideWithdrawal, moneyOf, player, RESOLVE, sweepUntilPaid, withdrawn } from '../harness/withdrawals.ts'

let fake: Awaited<ReturnType<typeof startFakeAdyen>>
let service: TestService

beforeAll(async () => {
  fake = await startFakeAdyen()
  service = await startTestService({
    GATEWAY: 'adyen',
    GATEWAY_TIMEOUT_MS: '2000',
    REVIEW_AFTER_SECONDS: '3600',
    WITHDRAWAL_APPROVED_UP_TO: '1000000.00',
    ...adyenSettings(fake.url),
  })
})
afterAll(async () => {
  await service.close()
  await fake.close()
})

type Told = 'paid' | 'failed' | 'declined' | 'expired' | 'reversed'

const NOTIFICATIONS: Record<Told, { event: string; success?: boolean }> = {
  paid: { event: 'PAYOUT_THIRDPARTY' },
  failed: { event: 'PAYOUT_THIRDPARTY', success: false },
  declined: { event: 'PAYOUT_DECLINE' },
  expired: { event: 'PAYOUT_EXPIRE' },
  reversed: { event: 'PAIDOUT_REVERSED' },
}

async function tell(told: Told, { reference, gatewayReference }: Json, value = 1000): Promise<void> {
  const options = { ...NOTIFICATIONS[told], reference, psp: `${gatewayReference}`, value }
  const reply = await service.call('POST', '/v1/notifications/adyen', {
    key: null,
    secret: null,
    headers: { 'content-type': 'application/json' },
    body: adyenNotification(options),
  })
  expect(reply.text).toBe('[accepted]')
}

const stateOf = async (id: string) => (await service.operator('GET', `/operator/v1/withdrawals/${id}`)).body
let customer: Awaited<ReturnType<typeof player>>

/** A withdrawal that Adyen has received and confirmed. */
async function sentWithdrawal(token = 'approve'): Promise<Json> {
  customer = await player(service, { token, amount: '10.00' })
  const id = await withdrawn(service, { ticket: customer.ticket, card: customer.cards[0] as number, amount: '10.00' })
  const isReceived = async () => {
    await sweep(service.context)
    return (await stateOf(id)).gatewayReference
  }
  await expect.poll(isReceived, { timeout: 60_000, interval: 20 }).not.toBeNull()
  return stateOf(id)
}

const balance = async () => (await moneyOf(service, customer.ticket))[0]

test('Adyen has confirmed it; its notification says that it is paid, and that it came back', async () => {
  const sent = await sentWithdrawal()
  expect(sent).toMatchObject({ state: 'SENDING', gatewayReference: expect.stringMatching(/^PAYOUT/) })
  expect(fake.payouts.get(sent.gatewayReference)).toMatchObject({ reference: sent.reference, state: 'confirmed' })
  // Of another amount, or of somebody else: nothing.
  await tell('paid', { ...sent, gatewayReference: 'OTHER' }, 999)
  await tell('paid', { ...sent, reference: 'unknown', gatewayReference: 'ANOTHER' })
  expect((await stateOf(sent.id)).state).toBe('SENDING')
  for (const _ of [1, 2]) await tell('paid', sent)
  expect([(await stateOf(sent.id)).state, await balance()]).toEqual(['PAID', '0.00'])
  for (const _ of [1, 2]) await tell('reversed', sent)
  expect([(await stateOf(sent.id)).state, await balance()]).toEqual(['RETURNED', '10.00'])
  expect(await ledgerProblems(service)).toEqual([])
})

test('one that Adyen refuses is returned; where the answer to a confirmation is lost, it is confirmed again', async () => {
  customer = await player(service, { token: 'payout-refused', amount: '10.00' })
  const order = { ticket: customer.ticket, card: customer.cards[0] as number, amount: '10.00' }
  await sweepUntilPaid(service, await withdrawn(service, order), 'RETURNED')
  expect(await balance()).toBe('10.00')
  const sent = await sentWithdrawal('payout-lost')
  expect([...fake.payouts.values()].filter(({ reference }) => reference === sent.reference)).toEqual([
    expect.objectContaining({ state: 'confirmed' }),
  ])
})

test('one without a notification is in review after its time; resolved as returned, it is declined at Adyen', async () => {
  const sent = await sentWithdrawal()
  service.clock.advance(3_600_000)
  await sweepUntilPaid(service, sent.id, 'REVIEW')
  // It was confirmed, so that Adyen does not decline it.
  const resolve = (outcome: string) => decideWithdrawal(service, sent.id, RESOLVE, { body: { outcome, note: '' } })
  expect((await resolve('returned')).status).toBe(409)
  const payout = fake.payouts.get(sent.gatewayReference)
  if (payout !== undefined) payout.state = 'submitted'
  expect((await resolve('returned')).status).toBe(200)
  expect(payout?.state).toBe('declined')
  expect(await balance()).toBe('10.00')
  await tell('declined', sent)
  expect((await stateOf(sent.id)).state).toBe('RETURNED')
})

/** Whatever the order: what came back is credited; what was said to be paid and not paid needs a person. */
function ending(told: readonly Told[]): string {
  if (told.includes('reversed')) return 'RETURNED'
  const [paid, not] = [told.includes('paid'), told.some((one) => one !== 'paid')]
  if (paid && not) return 'REVIEW'
  return paid ? 'PAID' : not ? 'RETURNED' : 'SENDING'
}

test('notifications in every order, repeated, end the same', async () => {
  const orders = fc.array(fc.constantFrom<Told>('paid', 'failed', 'declined', 'expired', 'reversed'), { maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(orders, async (told) => {
      const sent = await sentWithdrawal()
      for (const one of told) await tell(one, sent)
      const { state, review } = await stateOf(sent.id)
      expect(state).toBe(ending(told))
      const isCredited = state === 'RETURNED' || review === 'paid-after-return'
      expect(await balance()).toBe(isCredited ? '10.00' : '0.00')
      if (state === 'REVIEW') {
        for (const outcome of ['paid', 'returned'] as const) {
          const { status } = await decideWithdrawal(service, sent.id, RESOLVE, { body: { outcome, note: '' } })
          expect(status).toBe(outcome === 'paid' ? 200 : 409)
        }
        expect(await balance()).toBe('0.00')
      }
      expect(await ledgerProblems(service)).toEqual([])
    }),
    { numRuns: propertyRuns(15) },
  )
})
