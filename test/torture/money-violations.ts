// All that must be true of the money at the end of a torture run.

import { balanceViolations, readAccounts } from './books.ts'
import { type Ask, listAll } from './calls.ts'
import { disputeViolations, type ListedDispute } from './disputes.ts'
import type { Event } from './events.ts'
import { exclusionViolations } from './exclusions.ts'
import { type Deposit, type Payment, violationsOf } from './invariants.ts'
import type { Money } from './money.ts'
import { moneyEventViolations } from './money-events.ts'
import { movementViolations } from './movements.ts'
import { refundCosts, refundViolations } from './refund-violations.ts'
import type { Refund } from './refunds.ts'
import type { Withdrawal } from './withdrawal-decisions.ts'
import { closedLoopViolations, type Payout, withdrawalViolations } from './withdrawal-violations.ts'
import { DAILY_LIMIT, FOUR_EYES_ABOVE, hasOnlyDeposits, type World } from './world.ts'

/** What the service and the gateway list, once nothing is on its way. */
export async function readEvidence(world: World, ask: Ask) {
  const payments = (await world.atGateway('payments')) as Payment[]
  return {
    payments: new Map(payments.map((one) => [one.reference, one])),
    payouts: (await world.atGateway('payouts')) as Payout[],
    deposits: await listAll<Deposit & { paymentMethodId: string }>(ask, '/deposits'),
    refunds: await listAll<Refund>(ask, '/refunds'),
    withdrawals: await listAll<Withdrawal>(ask, '/withdrawals'),
    disputes: await listAll<ListedDispute>(ask, '/disputes'),
  }
}

export type MoneyEvidence = Awaited<ReturnType<typeof readEvidence>>

export async function moneyViolations(money: Money, evidence: MoneyEvidence, log: readonly Event[]): Promise<string[]> {
  const { movements, withdrawals, decisions, bank, books, attempts } = money
  const { deposits, payments } = evidence
  await books.check()
  const { lines, balances, violations } = await readAccounts(money)
  const ofRefunds = { ...evidence, played: money.refunds.played, fourEyesAbove: FOUR_EYES_ABOVE }
  const ofBalances = { ...evidence, balances, movements: movements.applied, told: bank.told }
  return [
    ...books.violations,
    ...violations,
    ...money.challenges.violations,
    ...movements.violations,
    ...withdrawals.violations,
    ...decisions.violations,
    ...bank.violations,
    ...violationsOf({ attempts, deposits, payments: [...payments.values()], limit: DAILY_LIMIT }),
    ...refundViolations(ofRefunds),
    ...disputeViolations({ ...evidence, told: bank.told }),
    ...movementViolations(movements.applied, lines),
    ...exclusionViolations(money.exclusions.since, lines),
    ...withdrawalViolations({ ...evidence, answers: withdrawals.answers, refused: decisions.refused, lines }),
    ...closedLoopViolations(evidence, hasOnlyDeposits),
    ...balanceViolations({ ...ofBalances, refunded: refundCosts(ofRefunds) }),
    ...moneyEventViolations({ ...evidence, log, movements: movements.applied.keys() }),
  ]
}
