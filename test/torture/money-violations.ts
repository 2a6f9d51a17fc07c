// All that must be true of the money at the end of a torture run.

import { notificationViolations, type Unapplied } from './bank-notifications.ts'
import { balanceViolations, readAccounts, totalViolations } from './books.ts'
import { type Ask, listAll } from './calls.ts'
import { disputeCost, disputeViolations, type ListedDispute } from './disputes.ts'
import type { Event } from './events.ts'
import { exclusionViolations } from './exclusions.ts'
import { type Deposit, type Payment, violationsOf } from './invariants.ts'
import { loopViolations } from './loop-violations.ts'
import type { Money } from './money.ts'
import { moneyEventViolations } from './money-events.ts'
import { movementViolations } from './movements.ts'
import { refundCosts, refundsAtBank, refundViolations } from './refund-violations.ts'
import type { Refund } from './refunds.ts'
import { units } from './statements.ts'
import type { Withdrawal } from './withdrawal-decisions.ts'
import { type Payout, withdrawalViolations } from './withdrawal-violations.ts'
import {
  cardOf,
  DAILY_LIMIT,
  FREEING,
  hasOnlyDeposits,
  REFUNDED_BY_ONE,
  TOKENS,
  WITHDRAWN_BY_RULE,
  type World,
} from './world.ts'

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
    unapplied: await listAll<Unapplied>(ask, '/notifications/unapplied'),
    accounts: (await ask('GET', '/ledger/check')).body.accounts as { kind: string; total: string }[],
  }
}

export type MoneyEvidence = Awaited<ReturnType<typeof readEvidence>>

export async function moneyViolations(money: Money, evidence: MoneyEvidence, log: readonly Event[]): Promise<string[]> {
  const { movements, withdrawals, books, attempts, captures } = money
  const { deposits, payments } = evidence
  await books.check()
  const { lines, balances, violations } = await readAccounts(money)
  const said = [money.office, money.notified, money.challenges, movements, withdrawals, money.decisions, money.refunds]
  return [
    ...books.violations,
    ...violations,
    ...said.flatMap((one) => one.violations),
    ...violationsOf({
      ...{ attempts, deposits, payments: [...payments.values()], limit: DAILY_LIMIT },
      captureTold: captures.payments,
    }),
    ...refundViolations({ ...evidence, played: money.refunds.played, byOne: REFUNDED_BY_ONE }),
    ...movementViolations(movements.applied, lines),
    ...exclusionViolations(money.exclusions.since, lines),
    ...withdrawalViolations(ofWithdrawals(money, evidence, lines)),
    ...loopViolations(ofLoop(money, evidence)),
    ...notificationViolations(money.notified.outcomes, evidence.unapplied, money.reviews.settled),
    ...totalViolations(evidence),
    ...sumViolations(money, evidence, { balances, lines }),
    ...moneyEventViolations({
      ...evidence,
      log,
      movements: movements.applied.keys(),
      changedAgain: changedAgain(money),
    }),
  ]
}

const changedAgain = ({ refunds, parts }: Money) => ({ refunds: refunds.played.failed, parts: parts.touched })

function ofWithdrawals(
  money: Money,
  evidence: MoneyEvidence,
  lines: Awaited<ReturnType<typeof readAccounts>>['lines'],
) {
  const { withdrawals, decisions, parts, debts } = money
  const own = evidence.refunds.filter(({ origin }) => origin === 'operator')
  return {
    ...evidence,
    ...{ answers: withdrawals.answers, refused: decisions.refused, touched: parts.touched, lines },
    ...{ outside: debts.outside, byRule: WITHDRAWN_BY_RULE },
    returns: refundsAtBank(evidence.payments),
    refunds: new Set(own.map(({ reference }) => reference)),
  }
}

function ofLoop({ bank, captures, refunds, parts, cards }: Money, evidence: MoneyEvidence) {
  const foreign = [...refunds.played.foreign.values()].map(({ paymentId }) => paymentId)
  const freeing = FREEING.map((token) => TOKENS.indexOf(token))
  return {
    ...evidence,
    notified: new Set([...bank.steps.keys(), ...captures.payments, ...foreign]),
    ...{ notifiedParts: parts.touched, notifiedRefunds: refunds.played.failed, accountClosed: cards.accountClosed },
    isFreeing: (card: string) => freeing.includes((Number(card) % 100) - cardOf(0, 0)),
    hasOnlyDeposits,
  }
}

/** What each customer has, and what each of the ledger's own accounts has. */
function sumViolations(
  { bank, captures, movements, debts }: Money,
  evidence: MoneyEvidence,
  { balances, lines }: Pick<Awaited<ReturnType<typeof readAccounts>>, 'balances' | 'lines'>,
): string[] {
  const { deposits, refunds } = evidence
  const captured = new Map(
    deposits.filter(({ state }) => state === 'CAPTURED').map(({ paymentId, amount }) => [paymentId, units(amount)]),
  )
  const failed = new Set(deposits.map(({ paymentId }) => paymentId).filter((paymentId) => !captured.has(paymentId)))
  const disputed = new Map<number, bigint>()
  for (const { paymentId, customerId } of deposits) {
    const { due } = disputeCost(bank.steps.get(paymentId) ?? [], captured.get(paymentId))
    disputed.set(Number(customerId), (disputed.get(Number(customerId)) ?? 0n) + due)
  }
  return [
    ...disputeViolations({
      ...evidence,
      steps: bank.steps,
      captured,
      failed: new Set([...failed, ...captures.payments]),
    }),
    ...balanceViolations({
      ...{ ...evidence, balances, movements: movements.applied, disputed, refunded: refundCosts(refunds, deposits) },
      ...{ writtenOff: debts.writtenOff, inDoubt: debts.inDoubt, lines },
    }),
  ]
}
