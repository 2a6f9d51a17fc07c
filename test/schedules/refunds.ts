// Refunds that operators request of a customer's deposits, those that are made in the bank's back office, and what must be true of
// them at the end.

import fc from 'fast-check'
import type { GatewayNotification } from '../../src/wallets/gateways/gateway.ts'
import { requestRefund } from '../../src/wallets/refund.ts'
import { ask, refundAnswer } from './answers.ts'
import { type Books, readBooks, returnedOf, sum } from './books.ts'
import { acceptedOrRefused } from './decisions.ts'
import type { Played } from './played.ts'
import type { Process } from './process.ts'
import { paymentOf, type World } from './world.ts'

/** Large ones wait for another operator (REFUND_FOUR_EYES_ABOVE in world.ts). `looks`: the operator says what had been returned before. */
export type RefundPlan = {
  readonly key: 'first' | 'a'
  readonly amount: 400 | 1_000
  readonly looks: boolean
}

export const refundPlans: fc.Arbitrary<RefundPlan[]> = fc.array(
  fc.record({
    key: fc.constantFrom('first', 'first', 'first', 'first', 'a'),
    amount: fc.constantFrom(400, 400, 400, 1_000),
    looks: fc.boolean(),
  }),
  { maxLength: 4 },
)

const TRIES = 5

/** Tries again while the deposit is not captured. */
export async function playRefund(
  process: () => Process,
  played: Played,
  { key, amount: pence, looks }: RefundPlan,
  turn: () => Promise<void>,
): Promise<void> {
  const [payment, amount] = [paymentOf(played.customerId, key), BigInt(pence)]
  await turn()
  const { world, customerId } = played
  const seen = looks ? returnedOf(await readBooks(world, customerId, world.clock.now), payment) : undefined
  const order = { paymentId: payment, amount, reason: 'asked for', by: 'first operator', returned: seen }
  for (let i = 0; i < TRIES; i++) {
    await turn()
    const answer = await ask(process(), played, {
      what: `a refund of ${amount}`,
      work: (context) => acceptedOrRefused(requestRefund(context, order)),
      expected: (books) => refundAnswer(books, { payment, amount, seen }),
    })
    if (answer !== 'refused') return
  }
}

// ---- The bank's back office

export const OFFICES = ['refunds', 'refunds in vain', 'both'] as const
export type Office = (typeof OFFICES)[number]

const OFFICE_AMOUNT = 150n

/** Somebody refunds a part of the first deposit there; what the bank tells of it. */
export function refundInOffice({ bank }: World, payment: string, office: Office): GatewayNotification[] {
  const told = (meaning: 'refunded' | 'refundFailed'): GatewayNotification => {
    const gatewayReference = `office ${meaning} ${payment}`
    const terms = { amount: OFFICE_AMOUNT, currency: 'GBP', paymentReference: '', answerBy: null }
    const key = gatewayReference
    return { key, event: meaning, success: true, reference: payment, gatewayReference, ...terms, meaning }
  }
  const notifications: GatewayNotification[] = []
  if (office !== 'refunds in vain') {
    const reference = `office ${payment}`
    bank.refund({ reference, payment, amount: `${OFFICE_AMOUNT}` })
    if (bank.refundsOf(payment).some((one) => one.reference === reference)) notifications.push(told('refunded'))
  }
  if (office !== 'refunds') notifications.push(told('refundFailed'))
  return notifications
}

// ---- The end

/** The bank has returned exactly the refunds that are done, and of no payment more than it took. */
export function refundViolations(books: Books, { world }: Played): string[] {
  const refunds = books.of('refund')
  const left = refunds.filter(({ state }) => state !== 'DONE' && state !== 'FAILED')
  const found = left.map(({ id, state }) => `the refund ${id} is left ${state}`)
  for (const { id, amount } of books.of('deposit')) {
    const done = sum(refunds.filter(({ of, state }) => of === id && state === 'DONE'))
    const returned = returnedByBank(world, id)
    if (done !== returned) found.push(`${done} of ${id} is refunded, the bank returned ${returned}`)
    if (returned > BigInt(amount)) found.push(`more than was taken of ${id} was returned`)
  }
  return found
}

export function returnedByBank({ bank, refundsBack }: World, payment: string): bigint {
  const refunds = bank.refundsOf(payment).filter(({ reference }) => !refundsBack.has(reference))
  return refunds.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
}
