// The parts of a withdrawal: what becomes of them when a card, a deposit, a debt or our own account is in the way.

import { expect, test } from 'vitest'
import { HOUR_MS } from '../../../src/platform/runtime/durations.ts'
import { sweep } from '../../../src/wallets/sweep/sweeper.ts'
import {
  approve,
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
  reasonOf,
  refusedWithdrawal,
  sweepUntilWithdrawal,
  takeOut,
  twoPersons,
  win,
  withdrawalOf,
} from '../../harness/cashier.ts'
import { refundsOf } from '../../harness/refunds.ts'
import { useService } from '../../harness/service.ts'
import { addCard } from '../../harness/wallets.ts'
import { anotherOperator } from '../../harness/withdrawals.ts'

let isUnfunded = false
/** The references of payouts that were looked up. */
const lookedUp = new Set<string>()

const service = useService(
  { WITHDRAWAL_APPROVED_UP_TO: '400.00', MAX_WITHDRAWAL_PARTS: '3' },
  {
    gateway: (port) => ({
      ...port,
      async payout(request) {
        if (!isUnfunded) return port.payout(request)
        return { outcome: 'unfunded', reason: 'notEnoughBalance', refusal: null, gatewayReference: null }
      },
      lookUpPayout(request) {
        lookedUp.add(request.reference)
        return port.lookUpPayout(request)
      },
    }),
  },
)

test('a deposit that cannot be returned is paid out when the customer asks again', async () => {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A', { token: 'sandbox:return-refused' })
  const a = await payInCaptured(service, client, A, 50)
  const first = await takeOut(service, client, { card: A, pounds: 50 })
  await sweepUntilWithdrawal(service, first, 'RETURNED')
  expect(await moneyOf(service, client)).toEqual({ balance: 50, debt: 0, pending: 0 })
  const second = await takeOut(service, client, { card: A, pounds: 50 })
  await sweepUntilWithdrawal(service, second, 'PAID')
  expect(await partsOf(service, second, { [a]: 'A' })).toEqual(['payout 50 of A: paid 50, returned 0, PAID'])
  expect(await leftOf(service, a)).toBe(0)
  await books(service)
})

test('while our account at the gateway has too little a payout waits, and is never returned', async () => {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A', { token: 'sandbox:payout-unfunded' })
  const a = await payInCaptured(service, client, A, 50)
  await win(service, client, 20)
  const id = await takeOut(service, client, { card: A, pounds: 70 })
  await sweepUntilWithdrawal(service, id, 'PAID')
  expect(await partsOf(service, id, { [a]: 'A' })).toEqual([
    'return 50 of A: paid 50, returned 0, PAID',
    'payout 20 of winnings: paid 20, returned 0, PAID',
  ])
  const { events } = await withdrawalOf(service, id)
  expect(events.map(({ event }: { event: string }) => event)).not.toContain('returned')
  await books(service)
})

test('while our account at the gateway has too little for days a payout waits, and nobody has to look at it', async () => {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A')
  await payInCaptured(service, client, A, 50)
  await win(service, client, 20)
  const id = await takeOut(service, client, { card: A, pounds: 70 })
  isUnfunded = true
  try {
    for (let hour = 0; hour < 72; hour++) {
      await sweep(service.context)
      service.clock.advance(HOUR_MS)
    }
    expect((await withdrawalOf(service, id)).parts[1]).toMatchObject({ kind: 'payout', state: 'SENDING', review: null })
  } finally {
    isUnfunded = false
  }
  await sweepUntilWithdrawal(service, id, 'PAID')
  await books(service)
})

test('what persons look at because of its amount is not looked up at the gateway', async () => {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A', { token: 'sandbox:payout-slow' })
  await payInCaptured(service, client, A, 50)
  const back = await takeOut(service, client, { card: A, pounds: 50 })
  await sweepUntilWithdrawal(service, back, 'PAID')
  await win(service, client, 20)
  const id = await takeOut(service, client, { card: A, pounds: 20 })
  await sweepUntilWithdrawal(service, id, 'SENDING')
  const reference = await partReference(service, id)
  await bankReports(service, { event: 'PAYOUT_THIRDPARTY', reference, pounds: 30 })
  expect((await withdrawalOf(service, id)).parts[0]).toMatchObject({ state: 'REVIEW', review: 'another-amount' })
  lookedUp.clear()
  for (let hour = 0; hour < 3; hour++) {
    service.clock.advance(HOUR_MS)
    await sweep(service.context)
  }
  expect(lookedUp).not.toContain(reference)
})

test('the maximum of a card is what as many parts as the setting allows can take', async () => {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A')
  for (const pounds of [10, 20, 30, 40]) await payInCaptured(service, client, A, pounds)
  expect(await optionsOf(service, client)).toEqual({ available: 100, keptBack: 0, A: '90 (90 + 0 + 0)' })
  expect(await refusedWithdrawal(service, client, A, 91)).toBe('24003')
  const id = await takeOut(service, client, { card: A, pounds: 90 })
  expect((await withdrawalOf(service, id)).parts).toHaveLength(3)
  expect(await optionsOf(service, client)).toEqual({ available: 10, keptBack: 0, A: '10 (10 + 0 + 0)' })
})

test('a card without the holder’s name takes back its own and no winnings, and the options say why', async () => {
  const client = await newClient(service)
  const A = await addCard(service, client)
  client.names.set(A, 'A')
  await payInCaptured(service, client, A, 50)
  await win(service, client, 20)
  expect(await optionsOf(service, client)).toEqual({ available: 70, keptBack: 0, A: '50 (50 + 0 + 0)' })
  expect(await reasonOf(service, client, A)).toMatch(/name/)
})

test.each([
  ['whose holder has another name', true, { firstName: 'Bob', lastName: 'Archer' }],
  ['without a captured deposit', false, undefined],
])('winnings to a card %s need two persons', async (_, isUsed, holder) => {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A', holder === undefined ? {} : { holder })
  if (isUsed) await payInCaptured(service, client, A, 50)
  await win(service, client, 20)
  const id = await takeOut(service, client, { card: A, pounds: isUsed ? 70 : 20, status: 'requested' })
  await approve(service, id)
  await sweepUntilWithdrawal(service, id, 'PAID')
  await books(service)
})

test('a second withdrawal of the same amount to the same card is shown as a likely repetition', async () => {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A')
  await payInCaptured(service, client, A, 1500)
  const ids: string[] = []
  for (const _ of [1, 2]) {
    ids.push(await takeOut(service, client, { card: A, pounds: 450, status: 'requested' }))
    service.clock.advance(60_000)
  }
  service.clock.advance(3_600_000)
  ids.push(await takeOut(service, client, { card: A, pounds: 450, status: 'requested' }))
  const repeats = await Promise.all(ids.map(async (id) => (await withdrawalOf(service, id)).repeats))
  expect(repeats).toEqual([null, ids[0], null])
})

/** 50 of A wait for the job when a chargeback of B leaves a debt of 30. */
async function heldForDebt() {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A')
  const B = await newCard(service, client, 'B')
  const a = await payInCaptured(service, client, A, 50)
  const b = await payInCaptured(service, client, B, 30)
  const paid = await takeOut(service, client, { card: B, pounds: 30 })
  await sweepUntilWithdrawal(service, paid, 'PAID')
  const id = await takeOut(service, client, { card: A, pounds: 50 })
  await bankReports(service, { event: 'CHARGEBACK', reference: b, pounds: 30 })
  expect(await moneyOf(service, client)).toEqual({ balance: 0, debt: 30, pending: 50 })
  expect(await withdrawalOf(service, id)).toMatchObject({ state: 'REQUESTED', hold: 'debt', approvedBy: [] })
  return { client, a, id }
}

test('parts of other deposits are held while there is a debt; two persons let them go', async () => {
  const { client, a, id } = await heldForDebt()
  await approve(service, id)
  await sweepUntilWithdrawal(service, id, 'PAID')
  expect(await partsOf(service, id, { [a]: 'A' })).toEqual(['return 50 of A: paid 50, returned 0, PAID'])
  expect(await moneyOf(service, client)).toEqual({ balance: 0, debt: 30, pending: 0 })
  await books(service)
})

test('parts of other deposits are held while there is a debt; taken back, they pay it', async () => {
  const { client, a, id } = await heldForDebt()
  const path = `/operator/v1/withdrawals/${id}/refusal`
  const body = { reason: 'It pays what you owe.' }
  expect((await service.operator('POST', path, body, await anotherOperator(service))).status).toBe(200)
  expect(await moneyOf(service, client)).toEqual({ balance: 20, debt: 0, pending: 0 })
  expect(await leftOf(service, a)).toBe(50)
  await books(service)
})

test('a part of a return that arrives is paid, and the rest stays open until it is refused', async () => {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A', { token: 'sandbox:payout-slow' })
  const a = await payInCaptured(service, client, A, 50)
  const id = await takeOut(service, client, { card: A, pounds: 50 })
  await sweepUntilWithdrawal(service, id, 'SENDING')
  const reference = await partReference(service, id)
  await bankReports(service, { event: 'REFUND', reference, pounds: 30 })
  expect(await partsOf(service, id, { [a]: 'A' })).toEqual(['return 50 of A: paid 30, returned 0, SENDING'])
  await bankReports(service, { event: 'REFUND', success: false, reference, pounds: 20 })
  expect(await partsOf(service, id, { [a]: 'A' })).toEqual(['return 50 of A: paid 30, returned 20, PAID'])
  // The deposit's list of refunds says the same.
  expect((await refundsOf(service, a)).items).toMatchObject([{ state: 'DONE', paid: '30.00', returned: '20.00' }])
  expect(await moneyOf(service, client)).toEqual({ balance: 20, debt: 0, pending: 0 })
  expect(await leftOf(service, a)).toBe(20)
  await books(service)
})

test('a return that the gateway refuses for good comes back when its card changes, and waits for nobody', async () => {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A', { token: 'sandbox:return-refused' })
  const a = await payInCaptured(service, client, A, 100)
  const path = `/operator/v1/customers/${client.id}`
  const asked = { amount: '40.00', paymentMethodId: `${A}`, reason: 'asked by letter' }
  const { id } = (await service.operator('POST', `${path}/withdrawals`, asked, await anotherOperator(service))).body
  const refused = await takeOut(service, client, { card: A, pounds: 30 })
  await sweepUntilWithdrawal(service, refused, 'RETURNED')
  expect(await partsOf(service, id, { [a]: 'A' })).toEqual(['return 40 of A: paid 0, returned 0, WAITING'])
  expect((await service.operator('DELETE', `${path}/payment-methods/${A}`)).status).toBe(204)
  expect(await partsOf(service, id, { [a]: 'A' })).toEqual(['return 40 of A: paid 0, returned 40, RETURNED'])
  expect(await moneyOf(service, client)).toEqual({ balance: 100, debt: 0, pending: 0 })
  await books(service)
})

test('whether a result came too late is decided when it is recorded', async () => {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A', { token: 'sandbox:payout-slow' })
  await payInCaptured(service, client, A, 50)
  const id = await takeOut(service, client, { card: A, pounds: 50 })
  const { context, clock } = service
  const late: typeof context.database = {
    ...context.database,
    async transaction(work) {
      if ((await withdrawalOf(service, id)).state === 'SENDING') clock.advance(context.config.wallets.reviewAfterMs)
      return context.database.transaction(work)
    },
  }
  await sweep({ ...context, database: late })
  expect((await withdrawalOf(service, id)).parts).toMatchObject([{ state: 'REVIEW', review: 'unresolved' }])
})

test('what is left open of a part that was in review is asked for again, until persons decide it', async () => {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A', { token: 'sandbox:payout-slow' })
  const a = await payInCaptured(service, client, A, 50)
  const id = await takeOut(service, client, { card: A, pounds: 50 })
  await sweepUntilWithdrawal(service, id, 'SENDING')
  const reference = await partReference(service, id)
  await bankReports(service, { event: 'REFUND', reference, pounds: 60 })
  // Meanwhile its job ends.
  service.clock.advance(HOUR_MS)
  await sweep(service.context)
  await bankReports(service, { event: 'REFUND_FAILED', reference, pounds: 20 })
  expect(await partsOf(service, id, { [a]: 'A' })).toEqual(['return 50 of A: paid 0, returned 20, SENDING'])
  service.clock.advance(100 * HOUR_MS)
  await sweepUntilWithdrawal(service, id, 'REVIEW')
  expect((await withdrawalOf(service, id)).parts[0]).toMatchObject({ review: 'unresolved' })
  await twoPersons(service, ['POST', `withdrawals/${id}/resolution`], { outcome: 'paid', note: 'looked up' })
  expect(await partsOf(service, id, { [a]: 'A' })).toEqual(['return 50 of A: paid 30, returned 20, PAID'])
  await books(service)
})
