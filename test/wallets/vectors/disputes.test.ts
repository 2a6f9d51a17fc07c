// Computed cases 6 to 9: disputes and refunds of the back office beside withdrawals. Nothing goes out twice, whatever comes first.

import { expect, test } from 'vitest'
import { DAY_MS } from '../../../src/platform/runtime/durations.ts'
import { sweep } from '../../../src/wallets/sweep/sweeper.ts'
import {
  bankReports,
  books,
  leftOf,
  moneyOf,
  newCard,
  newClient,
  optionsOf,
  partReference,
  partsOf,
  payInCaptured,
  sweepUntilWithdrawal,
  takeOut,
  twoPersons,
  withdrawalOf,
} from '../../harness/cashier.ts'
import { useService } from '../../harness/service.ts'

// Withdrawals of customers wait for persons above 99 pounds of a day, unless a test says otherwise.
const service = useService({ WITHDRAWAL_APPROVED_UP_TO: '99.00', REVIEW_AFTER_SECONDS: '86400' })

/** A 100, captured. */
async function hundred(token = 'sandbox:approve') {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A', { token })
  return { client, A, a: await payInCaptured(service, client, A, 100) }
}

/** A 100, of which a withdrawal of 100 was requested, and approved by two persons if `isApproved`. */
async function withdrawn(token: string, isApproved: boolean) {
  const { client, A, a } = await hundred(token)
  const id = await takeOut(service, client, { card: A, pounds: 100, status: 'requested' })
  if (isApproved) {
    const [, second] = await twoPersons(service, ['POST', `withdrawals/${id}/approval`])
    expect(second.body.state).toBe('APPROVED')
  }
  return { client, A, a, id }
}

// ---- Case 6

async function paidThenCharged() {
  const { client, a, id } = await withdrawn('sandbox:approve', true)
  await sweepUntilWithdrawal(service, id, 'PAID')
  const reference = await partReference(service, id)
  await bankReports(service, { event: 'CHARGEBACK', reference: a, pounds: 100 })
  expect(await moneyOf(service, client)).toEqual({ balance: 0, debt: 100, pending: 0 })
  expect(await leftOf(service, a)).toBe(0)
  return { client, a, id, reference }
}

test('6: a chargeback of what was paid back is a debt; reversed, nothing is owed and nothing is left', async () => {
  const { client, a } = await paidThenCharged()
  await bankReports(service, { event: 'CHARGEBACK_REVERSED', reference: a, pounds: 100 })
  expect(await moneyOf(service, client)).toEqual({ balance: 0, debt: 0, pending: 0 })
  expect(await leftOf(service, a)).toBe(0)
  expect(await optionsOf(service, client)).toEqual({ available: 0, keptBack: 0, A: '0' })
  await books(service)
})

test('6, the return comes back instead: it pays the debt, and its claim is the bank’s', async () => {
  const { client, a, id, reference } = await paidThenCharged()
  const before = await books(service)
  await bankReports(service, { event: 'REFUND_FAILED', reference, pounds: 100 })
  expect(await partsOf(service, id, { [a]: 'A' })).toEqual(['return 100 of A: paid 0, returned 100, RETURNED'])
  expect(await moneyOf(service, client)).toEqual({ balance: 0, debt: 0, pending: 0 })
  expect(await leftOf(service, a)).toBe(0)
  const after = await books(service)
  expect(after.psp_captured - before.psp_captured).toBe(-100)
  expect(after.debt - before.debt).toBe(100)
})

// ---- Case 7

type Ending = (a: string) => Promise<unknown>

const reported =
  (event: string): Ending =>
  (a) =>
    bankReports(service, { event, reference: a, pounds: 100, endsDispute: true })

const byTwoPersons: Ending = async (a) => {
  const [dispute] = (await service.operator('GET', `/operator/v1/disputes?paymentId=${a}`)).body.items
  const answers = await twoPersons(service, ['POST', `disputes/${dispute.id}/end`], { note: 'the bank says so' })
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
}

const byTime: Ending = async () => {
  service.clock.advance(119 * DAY_MS)
  await sweep(service.context)
  service.clock.advance(1 * DAY_MS)
  await sweep(service.context)
}

const ENDINGS: [string, Ending][] = [
  ['the time for evidence ends', reported('DISPUTE_DEFENSE_PERIOD_ENDED')],
  ['the issuer does not answer in time', reported('ISSUER_RESPONSE_TIMEFRAME_EXPIRED')],
  ['two persons end it', byTwoPersons],
  ['there is no news for 120 days', byTime],
]

test.each(ENDINGS)('7: a chargeback takes back what waits, and what is left is reserved until %s', async (_, end) => {
  const { client, a, id } = await withdrawn('sandbox:approve', false)
  await bankReports(service, { event: 'CHARGEBACK', reference: a, pounds: 30 })
  expect(await partsOf(service, id, { [a]: 'A' })).toEqual(['return 100 of A: paid 0, returned 100, RETURNED'])
  expect((await withdrawalOf(service, id)).state).toBe('RETURNED')
  expect(await moneyOf(service, client)).toEqual({ balance: 70, debt: 0, pending: 0 })
  expect(await leftOf(service, a)).toBe(70)
  expect(await optionsOf(service, client)).toEqual({ available: 70, keptBack: 0, A: '0' })
  await bankReports(service, { event: 'CHARGEBACK_REVERSED', reference: a, pounds: 10 })
  expect((await moneyOf(service, client)).balance).toBe(80)
  expect(await leftOf(service, a)).toBe(80)
  expect(await optionsOf(service, client)).toEqual({ available: 80, keptBack: 0, A: '0' })
  await end(a)
  expect(await optionsOf(service, client)).toEqual({ available: 80, keptBack: 0, A: '80 (80 + 0 + 0)' })
  await books(service)
})

// ---- Case 8

type Step = [event: 'CHARGEBACK' | 'CHARGEBACK_REVERSED' | 'SECOND_CHARGEBACK', pounds: number]
/** What is due of the customer afterwards, what the house has lost, and the contradiction that is open. */
type After = { due: number; house: number; contradiction: string | null }

const STORIES: [string, [Step, After][]][] = [
  [
    'charged 20, reversed 5, charged 5',
    [
      [['CHARGEBACK', 20], { due: 20, house: 0, contradiction: null }],
      [['CHARGEBACK_REVERSED', 5], { due: 15, house: 0, contradiction: null }],
      [['CHARGEBACK', 5], { due: 20, house: 0, contradiction: null }],
    ],
  ],
  [
    'charged 20, reversed 5, charged 5 again, as a second chargeback',
    [
      [['CHARGEBACK', 20], { due: 20, house: 0, contradiction: null }],
      [['CHARGEBACK_REVERSED', 5], { due: 15, house: 0, contradiction: null }],
      [['SECOND_CHARGEBACK', 5], { due: 20, house: 0, contradiction: null }],
    ],
  ],
  [
    'reversed 5 before it was charged 20',
    [
      [['CHARGEBACK_REVERSED', 5], { due: 0, house: 0, contradiction: 'reversed-beyond-charge' }],
      [['CHARGEBACK', 20], { due: 15, house: 0, contradiction: null }],
    ],
  ],
  [
    'charged 20, reversed 25',
    [
      [['CHARGEBACK', 20], { due: 20, house: 0, contradiction: null }],
      [['CHARGEBACK_REVERSED', 25], { due: 0, house: 0, contradiction: 'reversed-beyond-charge' }],
    ],
  ],
  ['charged 130', [[['CHARGEBACK', 130], { due: 100, house: 30, contradiction: 'charged-beyond-deposit' }]]],
]

test.each(STORIES)('8: %s', async (_, steps) => {
  const { client, a } = await hundred()
  const before = await books(service)
  for (const [[event, pounds], { due, house, contradiction }] of steps) {
    await bankReports(service, { event, reference: a, pounds })
    expect(await moneyOf(service, client)).toEqual({ balance: 100 - due, debt: 0, pending: 0 })
    expect(await leftOf(service, a)).toBe(100 - due)
    const [dispute] = (await service.operator('GET', `/operator/v1/disputes?paymentId=${a}`)).body.items
    expect(dispute).toMatchObject({ debited: `${due}.00`, house: `${house}.00` })
    expect(await contradictionsOf(a)).toEqual(contradiction === null ? [] : [contradiction])
    expect(before.house_losses - (await books(service)).house_losses).toBe(house)
  }
})

/** Those that a person still has to look at. */
async function contradictionsOf(paymentId: string): Promise<string[]> {
  const { items } = (await service.operator('GET', '/operator/v1/notifications/unapplied')).body
  return items
    .filter(({ reference }: { reference: string }) => reference === paymentId)
    .map(({ contradiction }: { contradiction: string }) => contradiction)
}

// ---- Case 9

const backOfficeRefund = (a: string) => bankReports(service, { event: 'REFUND', reference: a, pounds: 40 })

test('9: a refund of the back office takes back the part that waits, and debits the rest', async () => {
  const { client, a, id } = await withdrawn('sandbox:approve', false)
  await backOfficeRefund(a)
  expect(await partsOf(service, id, { [a]: 'A' })).toEqual(['return 100 of A: paid 0, returned 100, RETURNED'])
  expect(await moneyOf(service, client)).toEqual({ balance: 60, debt: 0, pending: 0 })
  expect(await leftOf(service, a)).toBe(60)
  expect(await optionsOf(service, client)).toEqual({ available: 60, keptBack: 0, A: '60 (60 + 0 + 0)' })
  await books(service)
})

test('9, with the call begun: a debt, until the gateway refuses the return', async () => {
  const { client, a, id } = await withdrawn('sandbox:payout-slow', true)
  await sweepUntilWithdrawal(service, id, 'SENDING')
  await backOfficeRefund(a)
  expect(await partsOf(service, id, { [a]: 'A' })).toEqual(['return 100 of A: paid 0, returned 0, SENDING'])
  expect(await moneyOf(service, client)).toEqual({ balance: 0, debt: 40, pending: 100 })
  const reference = await partReference(service, id)
  await bankReports(service, { event: 'REFUND', success: false, reference, pounds: 100 })
  expect((await withdrawalOf(service, id)).state).toBe('RETURNED')
  expect(await moneyOf(service, client)).toEqual({ balance: 60, debt: 0, pending: 0 })
  expect(await leftOf(service, a)).toBe(60)
  expect(await optionsOf(service, client)).toEqual({ available: 60, keptBack: 0, A: '60 (60 + 0 + 0)' })
  await books(service)
})
