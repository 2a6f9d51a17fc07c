// Every notification of refunds and disputes, in any order, repeated and late, against a small model: of a dispute only the sum of its steps
// counts, of a refund whether it came back.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DISPUTE_EVENT_NAMES } from '../../../src/wallets/disputes/events.ts'
import { EVENT_CODES, meaningOf } from '../../../src/wallets/gateways/adyen/event-codes.ts'
import { applyNotification } from '../../../src/wallets/notifications/notifications.ts'
import { sweep } from '../../../src/wallets/sweep/sweeper.ts'
import { propertyRuns } from '../../harness/property-runs.ts'
import { disputesOf, moneyOf, refund, refundsOf, spend, sweepUntilRefunds } from '../../harness/refunds.ts'
import { type TestService, useService } from '../../harness/service.ts'
import { deposit, depositStates, ledgerProblems, newDepositor, sweepUntil } from '../../harness/wallets.ts'

const service = useService()

/** `subject`: our refund, one of the back office, or one of two disputes. Each has an amount of its own. */
const AMOUNTS = { ours: 300n, foreign: 400n, first: 500n, second: 600n } as const
type Subject = keyof typeof AMOUNTS
/** `isForeign`: the notification has a reference of its own. */
type Told = { subject: Subject; event: string; success: boolean; isForeign?: boolean }

const REFUND_EVENTS = ['REFUND', 'REFUND_FAILED', 'REFUNDED_REVERSED']
const told = fc.oneof(
  fc.record({
    subject: fc.constantFrom<Subject>('ours', 'foreign'),
    event: fc.constantFrom(...REFUND_EVENTS),
    success: fc.constant(true),
  }),
  fc.record({
    subject: fc.constantFrom<Subject>('ours', 'foreign'),
    event: fc.constant('REFUND'),
    success: fc.boolean(),
  }),
  fc.record({
    subject: fc.constant<Subject>('ours'),
    event: fc.constant('REFUNDED_REVERSED'),
    success: fc.constant(true),
    isForeign: fc.constant(true),
  }),
  fc.record({
    subject: fc.constantFrom<Subject>('first', 'second'),
    event: fc.constantFrom<string>(...DISPUTE_EVENT_NAMES),
    success: fc.constant(true),
  }),
)

const story = fc.record({
  /** Told before the capture, and after it. */
  early: fc.array(told, { maxLength: 6 }),
  late: fc.array(told, { maxLength: 10 }),
  spent: fc.constantFrom(0n, 700n, 2000n),
})

const CHARGES = ['CHARGEBACK', 'SECOND_CHARGEBACK']

/** What each subject has cost the customer in the end. Each notification counts once. */
function costOf(subject: Subject, all: readonly Told[]): bigint {
  const of = all.filter((one) => one.subject === subject)
  const amount = AMOUNTS[subject]
  if (subject === 'first' || subject === 'second') {
    const events = new Set(of.map(({ event }) => event))
    const charges = CHARGES.filter((event) => events.has(event)).length - (events.has('CHARGEBACK_REVERSED') ? 1 : 0)
    return charges > 0 ? BigInt(charges) * amount : 0n
  }
  const cameBack = of.some(({ event, success }) => event !== 'REFUND' || !success)
  if (cameBack) return 0n
  return subject === 'ours' || of.length > 0 ? amount : 0n
}

async function tellOf(service: TestService, paymentId: string, ours: string | null, one: Told): Promise<void> {
  const { subject, event, success, isForeign = false } = one
  const own = subject === 'ours' ? (ours as string) : `${subject}-${paymentId}`
  const gatewayReference = isForeign ? `reversal-${paymentId}` : own
  await applyNotification(service.context, 'sandbox', {
    key: `${gatewayReference} ${event} ${success}`,
    event,
    success,
    reference: paymentId,
    gatewayReference,
    paymentReference: '',
    amount: AMOUNTS[subject],
    currency: 'GBP',
    meaning: meaningOf(event, success),
    answerBy: null,
    endsDispute: false,
    refusal: null,
    reason: '',
  })
}

test('the events of the story are those that Adyen tells of refunds and disputes', () => {
  const codes = Object.entries(EVENT_CODES).filter(([, { succeeded }]) => /refund|disputed/.test(succeeded))
  expect(codes.map(([code]) => code).sort()).toEqual([...REFUND_EVENTS, ...DISPUTE_EVENT_NAMES].sort())
})

test('whatever the order, the customer has and owes what the notifications add up to', {
  timeout: 600_000,
}, async () => {
  const property = fc.asyncProperty(story, async ({ early, late, spent }) => {
    const { id, ticket, method } = await newDepositor(service, { token: 'sandbox:refund-slow' })
    const paymentId = (await deposit(service, { ticket, method, amount: '20.00' })).json().whoWallets.paymentId
    // Our refund can only be sent after the capture.
    const before = early.filter(({ subject }) => subject !== 'ours')
    for (const one of before) await tellOf(service, paymentId, null, one)
    expect(await depositStates(service, id)).toEqual(['AUTHORISED'])
    expect(await moneyOf(service, { id })).toEqual([2000n, 0n])
    await sweepUntil(service, id, ['CAPTURED'])
    service.clock.advance(2_000)
    await sweep(service.context)
    const sent = (await refund(service, paymentId, '3.00')).status === 201
    let ours: string | null = null
    if (sent) {
      const states = async () => (await refundsOf(service, paymentId)).items
      const foreign = (await states()).filter(({ requestedBy }: { requestedBy: string | null }) => requestedBy === null)
      await sweepUntilRefunds(service, paymentId, [...foreign.map(({ state }: { state: string }) => state), 'SENT'])
      ours = (await states()).at(-1).gatewayReference
    }
    if (spent > 0n) await spend(service, id, `${spent / 100n}.00`)
    const wasSpent = 2000n - net(await moneyOf(service, { id })) - total([...before], sent)
    expect([0n, spent]).toContain(wasSpent)
    const after = late.filter(({ subject }) => sent || subject !== 'ours')
    for (const one of after) await tellOf(service, paymentId, ours, one)
    // All of it again, late.
    for (const one of [...after].reverse()) await tellOf(service, paymentId, ours, one)
    // A failure that was reported before its refund is tried again.
    await sweep(service.context)
    const worth = 2000n - wasSpent - total([...before, ...after], sent)
    expect(await moneyOf(service, { id })).toEqual(worth >= 0n ? [worth, 0n] : [0n, -worth])
    for (const dispute of await disputesOf(service, paymentId)) {
      const subject = dispute.gatewayReference.startsWith('first') ? 'first' : 'second'
      const cost = costOf(subject, [...before, ...after])
      expect(dispute.debited).toBe(`${cost / 100n}.00`)
    }
  })
  await fc.assert(property, { numRuns: propertyRuns(15) })
  expect(await ledgerProblems(service)).toEqual([])
})

function net([balance, debt]: [bigint, bigint]): bigint {
  return balance - debt
}

function total(all: readonly Told[], withOurs: boolean): bigint {
  const subjects: Subject[] = withOurs ? ['ours', 'foreign', 'first', 'second'] : ['foreign', 'first', 'second']
  return subjects.map((subject) => costOf(subject, all)).reduce((sum, cost) => sum + cost, 0n)
}
