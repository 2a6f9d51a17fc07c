// What a deposit, a refund and a withdrawal cost in statements, from the request until they are done: on PostgreSQL each is a way to the
// server and back, most of them while the customer's row is locked. Each transaction sends its commit with its last statement.

import { beforeAll, expect, test } from 'vitest'
import { requestRefund } from '../../../src/wallets/refunds/refund.ts'
import { sweep } from '../../../src/wallets/sweep/sweeper.ts'
import { useService } from '../../harness/service.ts'
import { deposit, paidOrFaultCode } from '../../harness/wallets.ts'
import { type Player, payIn, player, rows, statusOrFault, win, withdraw } from '../../harness/withdrawals.ts'

const service = useService()

/** A sweep looks for these, whether or not there is any. */
const LOOKED_FOR = ['notificationsToRetry', 'silentDisputes']

let customer: Player
let card: number

beforeAll(async () => {
  // The clock stands still, so that caches do not expire on a slow machine.
  service.clock.hold()
  customer = await player(service, { amount: '20.00' })
  card = customer.cards[0] as number
})

/** The statements that the work has run, by name. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const before = service.statementsByName()
  await work()
  const times = (name: string, count: number) => new Array<string>(count - (before.get(name) ?? 0)).fill(name)
  const ran = [...service.statementsByName()].flatMap(([name, count]) => times(name, count))
  return ran.filter((name) => !LOOKED_FOR.includes(name)).sort()
}

/** In the order in which they run. Names of equal ones are repeated. */
async function expectStatements(work: () => Promise<unknown>, expected: readonly string[]): Promise<void> {
  expect(await statementsOf(work)).toEqual([...expected].sort())
}

const runJobs = () => sweep(service.context)

const withdrawing = (amount: string) => async () =>
  expect(statusOrFault(await withdraw(service, { ticket: customer.ticket, card, amount }))).toBe('approved')

const REQUEST = [
  'lockDepositor',
  'firstClaims',
  'allMethodsOfCustomer',
  'insertWithdrawal',
  'insertParts',
  'addToBalance',
  'insertTransfers',
  'insertWithdrawalEvents',
  'logEvents',
  'insertPartJobs',
]
/** Of the withdrawal, when it begins to be sent, and when it is paid. */
const NEW_STATE = ['setWithdrawalState', 'insertWithdrawalEvents', 'logEvents']
const LOCKED = ['lockWithdrawal', 'partsToSend']
const RETURN_BEGUN = [...LOCKED, 'beginPart', 'insertRefund', ...NEW_STATE]
const RETURN_PAID = [
  ...LOCKED,
  'changePart',
  'changeRefund',
  'insertDepositEvent',
  'deletePartJob',
  'insertTransfers',
  ...NEW_STATE,
]

test('a withdrawal to the card that paid in: 10 for the request, 17 for its job', async () => {
  await expectStatements(withdrawing('4.00'), REQUEST)
  await expectStatements(runJobs, [...RETURN_BEGUN, ...RETURN_PAID])
  expect(RETURN_BEGUN.length + RETURN_PAID.length).toBe(17)
})

test('one with an Idempotency-Key looks what the key was used for', async () => {
  const withKey = () => withdraw(service, { ticket: customer.ticket, card, amount: '1.00', key: 'once' })
  await expectStatements(withKey, [...REQUEST, 'usesOfKey'])
  await runJobs()
  await expectStatements(withKey, ['lockDepositor', 'usesOfKey', 'withdrawalById', 'partsOf'])
})

test('a request for several parts costs no more', async () => {
  await win(service, customer, '5.00')
  const [{ balance }] = await rows(
    service,
    `select cast(balance as text) as balance from account where customer_id = ${customer.id} and kind = 'customer'`,
  )
  // Winnings go to a card that has paid in.
  await expectStatements(withdrawing((Number(balance) / 100).toFixed(2)), [...REQUEST, 'claimsOfCard'])
  await runJobs()
})

test('a refund by an operator: 9 for the request, 7 for its job', async () => {
  await payIn(service, customer, card)
  const [{ id }] = await rows(
    service,
    `select id from deposit where customer_id = ${customer.id} order by number desc limit 1`,
  )
  const by = { name: 'cashier', person: 'cashier' }
  const order = { paymentId: id, amount: 400n, reason: 'asked for it', by }
  await expectStatements(
    () => requestRefund(service.context, order),
    [
      'lockDepositOf',
      'claimOfDeposit',
      'firstClaims',
      'insertRefund',
      'addToBalance',
      'insertTransfers',
      'insertRefundJob',
      'insertDepositEvent',
      'logEvents',
    ],
  )
  const begun = ['lockRefund', 'beginRefund']
  const done = ['lockRefund', 'changeRefund', 'deleteRefundJob', 'insertDepositEvent', 'logEvents']
  await expectStatements(runJobs, [...begun, ...done])
})

test('a deposit: 10 for the request, 4 for the captures of a sweep', async () => {
  const payment = async () => {
    const reply = await deposit(service, { ticket: customer.ticket, method: card, amount: '5.00' })
    expect(paidOrFaultCode(reply)).toBe('paid')
  }
  const begun = ['lockDepositor', 'depositFacts', 'insertDeposit']
  const credited = ['lockDepositOf', 'creditFacts', 'approveDeposit', 'addToBalance', 'insertTransfers', 'insertJob']
  await expectStatements(payment, [...begun, ...credited, 'insertDepositEvent'])
  await expectStatements(runJobs, ['captureDeposits', 'deleteCaptureJobs', 'insertTransfers', 'insertDepositEvents'])
})
