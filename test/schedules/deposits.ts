// Deposits of one customer: how they are made and finished, and what must be true of them at the end.

import fc from 'fast-check'
import { Fault } from '../../src/faults.ts'
import { formatMoney } from '../../src/platform/runtime/money.ts'
import { finishChallenge, makeChallengedDeposit } from '../../src/wallets/challenge.ts'
import type { WalletsContext } from '../../src/wallets/context.ts'
import { type Cv2, parseCv2 } from '../../src/wallets/cv2.ts'
import { makeDeposit, paymentResult } from '../../src/wallets/deposit.ts'
import { sandboxResult } from '../../src/wallets/gateways/sandbox/challenges.ts'
import { type Deposit, violationsOf } from '../torture/invariants.ts'
import { ask, depositAnswer } from './answers.ts'
import type { Books } from './books.ts'
import type { Played } from './played.ts'
import type { Process } from './process.ts'
import { API_KEY, CARDS, type Card, cardId, RETURN_ADDRESS } from './world.ts'

/** `finish`: what the customer's browser brings back from the issuer, one after the other or at the same time. */
export type DepositPlan = {
  readonly card: Card
  readonly key: 'first' | 'second' | 'a' | 'b'
  readonly finish: readonly ('approve' | 'refuse')[]
}

export const depositPlans: fc.Arbitrary<DepositPlan[]> = fc.array(
  fc.record({
    card: fc.constantFrom(...CARDS),
    key: fc.constantFrom('first', 'a', 'a', 'b'),
    finish: fc.array(fc.constantFrom('approve', 'approve', 'refuse'), { maxLength: 2 }),
  }),
  { minLength: 1, maxLength: 3 },
)

/** Made and captured before the schedule begins. */
export const earlierDeposits: fc.Arbitrary<readonly DepositPlan[]> = fc.constantFrom(
  [{ card: 'first', key: 'first', finish: [] }],
  [
    { card: 'first', key: 'first', finish: [] },
    { card: 'approve', key: 'second', finish: [] },
  ],
  [
    { card: 'approve', key: 'second', finish: [] },
    { card: 'first', key: 'first', finish: [] },
  ],
)

export const AMOUNT = 1_000n
const CV2 = parseCv2('123') as Cv2
const BROWSER = {
  userAgent: 'x',
  acceptHeader: '*/*',
  language: 'en',
  colorDepth: 24,
  screenWidth: 1,
  screenHeight: 1,
  timeZoneOffset: 0,
  javaEnabled: false,
  ip: null,
}

/**
 * "Still processing", and a key that was used for another order, are no answers about the order of that key. One that a rule refuses
 * at once is not stored: its key may be used again.
 */
const NO_ANSWERS: readonly string[] = ['24011', '10071']

export async function playDeposit(process: () => Process, played: Played, plan: DepositPlan): Promise<void> {
  const { customerId, world } = played
  const key = `${customerId}-${plan.key}`
  const methodId = cardId(customerId, plan.card)
  const order = { customerId, apiKey: API_KEY, idempotencyKey: key, amount: AMOUNT, methodId }
  let isRefusedAtOnce = false
  const record = (answer: string) => {
    const isNone = isRefusedAtOnce || NO_ANSWERS.includes(answer)
    played.attempts.push({ key, answer: isNone ? 'none' : answer })
  }
  const begin = (work: (context: WalletsContext) => Promise<string>) =>
    ask(process(), played, {
      what: `the deposit ${plan.key}`,
      work: (context) => answerOf(work(context)),
      expected(books) {
        const fault = depositAnswer(books, { key, methodId, amount: AMOUNT }, world.context.config.wallets)
        isRefusedAtOnce = fault !== null
        return fault
      },
    })
  if (plan.card !== 'challenge') {
    return record(
      await begin(async (context) => {
        paymentResult((await makeDeposit(context, order, CV2)).deposit)
        return 'paid'
      }),
    )
  }
  const challenge = { returnUrl: new URL(RETURN_ADDRESS), browser: BROWSER, serviceUrl: 'https://paddock.example' }
  let paymentId = ''
  const begun = await begin(async (context) => {
    const { result } = await makeChallengedDeposit(context, { ...order, challenge }, CV2)
    paymentId = result.paymentId
    return result.status === 'challenge' ? 'challenge' : 'paid'
  })
  if (begun !== 'challenge') return record(begun)
  const finished = plan.finish.map(async (decision) => {
    const payment = { customerId, paymentId }
    const finish = (context: WalletsContext) => finishChallenge(context, payment, sandboxResult(paymentId, decision))
    record(await process().run((context) => answerOf(finish(context).then(() => 'paid'))))
  })
  await Promise.all(finished)
}

async function answerOf(work: Promise<string>): Promise<string> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Fault) return error.code
    throw error
  }
}

/** What bank, deposits and answers say of the customer must agree. */
export function depositViolations(books: Books, { world, customerId, attempts }: Played): string[] {
  const rows = books.of('deposit')
  const payments = rows.flatMap(({ id }) => world.bank.find(id) ?? [])
  const deposits = rows.map(
    (row): Deposit => ({
      paymentId: row.id,
      customerId: `${customerId}`,
      idempotencyKey: row.key,
      amount: formatMoney(BigInt(row.amount)),
      state: row.state,
      createdAt: new Date(row.at).toISOString(),
      decidedAt: null,
    }),
  )
  return violationsOf({ attempts, deposits, payments, limit: world.context.config.wallets.dailyDepositLimit })
}
