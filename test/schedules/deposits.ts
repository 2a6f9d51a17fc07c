// Deposits of one customer: how they are made and finished, and what must be true of them at the end.

import fc from 'fast-check'
import { Fault } from '../../src/faults.ts'
import { reading } from '../../src/platform/database/database.ts'
import { formatMoney } from '../../src/platform/runtime/money.ts'
import { finishChallenge, makeChallengedDeposit } from '../../src/wallets/challenge.ts'
import type { WalletsContext } from '../../src/wallets/context.ts'
import { type Cv2, parseCv2 } from '../../src/wallets/cv2.ts'
import { makeDeposit, paymentResult } from '../../src/wallets/deposit.ts'
import { sandboxResult } from '../../src/wallets/gateways/sandbox/challenges.ts'
import { balanceOf } from '../../src/wallets/ledger.ts'
import { type Attempt, type Deposit, violationsOf } from '../torture/invariants.ts'
import { debtOf } from './disputes.ts'
import { movedBy } from './movements.ts'
import type { Process } from './process.ts'
import { returnedOf } from './refunds.ts'
import { paidOutTo } from './withdrawals.ts'
import { API_KEY, CARDS, type Card, cardId, RETURN_ADDRESS, type World } from './world.ts'

/** `finish`: what the customer's browser brings back from the issuer, one after the other or at the same time. */
export type DepositPlan = {
  readonly card: Card
  readonly key: 'first' | 'a' | 'b'
  readonly finish: readonly ('approve' | 'refuse')[]
}

export const depositPlans: fc.Arbitrary<DepositPlan[]> = fc.array(
  fc.record({
    card: fc.constantFrom(...CARDS),
    key: fc.constantFrom('first', 'a', 'b'),
    finish: fc.array(fc.constantFrom('approve', 'approve', 'refuse'), { maxLength: 2 }),
  }),
  { minLength: 1, maxLength: 3 },
)

/** Made and captured before the schedule begins. */
export const FIRST_DEPOSIT: DepositPlan = { card: 'first', key: 'first', finish: [] }

const AMOUNT = 1_000n
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

export async function playDeposit(
  process: () => Process,
  customerId: number,
  plan: DepositPlan,
  attempts: Attempt[],
): Promise<void> {
  const key = `${customerId}-${plan.key}`
  const record = (answer: string) => void attempts.push({ key, answer })
  const methodId = cardId(customerId, plan.card)
  const order = { customerId, apiKey: API_KEY, idempotencyKey: key, amount: AMOUNT, methodId }
  if (plan.card !== 'challenge') {
    const paid = (context: WalletsContext) =>
      makeDeposit(context, order, CV2).then(({ deposit }) => paymentResult(deposit))
    return record(await answerOf(process(), (context) => paid(context).then(() => 'paid')))
  }
  const challenge = { returnUrl: new URL(RETURN_ADDRESS), browser: BROWSER, serviceUrl: 'https://paddock.example' }
  let paymentId = ''
  const begun = await answerOf(process(), async (context) => {
    const { result } = await makeChallengedDeposit(context, { ...order, challenge }, CV2)
    paymentId = result.paymentId
    return result.status === 'challenge' ? 'challenge' : 'paid'
  })
  if (begun !== 'challenge') return record(begun)
  const finished = plan.finish.map(async (decision) => {
    const payment = { customerId, paymentId }
    const finish = (context: WalletsContext) => finishChallenge(context, payment, sandboxResult(paymentId, decision))
    record(await answerOf(process(), (context) => finish(context).then(() => 'paid')))
  })
  await Promise.all(finished)
}

/** "Still processing", and a key that was used for another order, are no answers about the order of that key. */
const NO_ANSWERS: readonly string[] = ['24011', '10071']

async function answerOf(process: Process, work: (context: WalletsContext) => Promise<string>): Promise<string> {
  try {
    return await process.run(work)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return NO_ANSWERS.includes(error.code) ? 'none' : error.code
  }
}

type Row = { id: string; idempotency_key: string | null; amount: string; state: string; created_at: number }

const depositsOf = reading<{ customerId: number }, Row>('depositsOfSchedule')`
  select id, idempotency_key, cast(amount as text) as amount, state, created_at from deposit
  where customer_id = :customerId`

export const unfinished = reading<{ customerId: number }, { id: string }>('unfinished')`
  select id from deposit where customer_id = :customerId and state not in ('CAPTURED', 'DECLINED', 'VOIDED', 'REVIEW')
  union all
  select job.deposit_id from job join deposit on deposit.id = job.deposit_id where customer_id = :customerId
  union all
  select reference from refund where customer_id = :customerId and state in ('REQUESTED', 'SENT')
  union all
  select reference from withdrawal where customer_id = :customerId and state in ('REQUESTED', 'APPROVED', 'SENDING')`

/** What bank, deposits, ledger and answers say of the customer must agree. `disputed`: what the bank has taken back. */
export async function depositViolations(
  world: World,
  customerId: number,
  { attempts, disputed }: { attempts: Attempt[]; disputed: bigint },
): Promise<string[]> {
  const rows = await world.context.database.query(depositsOf, { customerId })
  const payments = rows.flatMap(({ id }) => world.bank.find(id) ?? [])
  const deposits = rows.map(
    (row): Deposit => ({
      paymentId: row.id,
      customerId: `${customerId}`,
      idempotencyKey: row.idempotency_key,
      amount: formatMoney(BigInt(row.amount)),
      state: row.state,
      createdAt: new Date(row.created_at).toISOString(),
      decidedAt: null,
    }),
  )
  const found = violationsOf({ attempts, deposits, payments, limit: 1_000_000n })
  const captured = rows.filter(({ state }) => state === 'CAPTURED')
  const taken = captured.reduce((sum, { id }) => sum + AMOUNT - returnedOf(world, id), 0n)
  const kept = taken - disputed - (await paidOutTo(world, customerId)) + (await movedBy(world, customerId))
  const balance = await balanceOf(world.context.database, customerId, 'GBP')
  const debt = await debtOf(world, customerId)
  if (balance + debt !== kept)
    found.push(`the balance is ${balance}, the debt ${debt}, and all that happened makes ${kept}`)
  if (balance > 0n && debt < 0n) found.push(`the debt ${debt} is not paid of the balance ${balance}`)
  return found
}
