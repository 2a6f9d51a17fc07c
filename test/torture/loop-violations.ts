// What a card paid in goes back to it first: between deposits, refunds and parts, whatever happened to stakes and winnings.

import type { Deposit } from './invariants.ts'
import type { Refund } from './refunds.ts'
import { units } from './statements.ts'
import type { Part, Withdrawal } from './withdrawal-decisions.ts'

type Loop = {
  readonly withdrawals: readonly Withdrawal[]
  readonly deposits: readonly (Deposit & { readonly paymentMethodId: string })[]
  readonly refunds: readonly Refund[]
  /** Payments of which the bank said something by itself: what it says may exceed what was left. */
  readonly notified: ReadonlySet<string>
  /** The same, of parts and refunds. */
  readonly notifiedParts: ReadonlyMap<string, unknown>
  readonly notifiedRefunds: ReadonlySet<string>
  /** The account behind these cards is closed, since; or the bank takes nothing back to them. */
  readonly accountClosed: ReadonlyMap<string, number>
  isFreeing(card: string): boolean
  hasOnlyDeposits(customerId: number): boolean
}

export function loopViolations(loop: Loop): string[] {
  const unreported = unreportedPayments(loop)
  return [
    ...loop.withdrawals.flatMap((withdrawal) => [
      ...withdrawal.parts.flatMap((part) => partViolations(loop, unreported, withdrawal, part)),
      ...closedViolations(loop, withdrawal),
    ]),
    ...claimViolations(loop, unreported),
  ]
}

/** Of which the bank has said nothing, nor of their refunds and parts. */
function unreportedPayments({
  deposits,
  refunds,
  withdrawals,
  notified,
  notifiedParts,
  notifiedRefunds,
}: Loop): Set<string> {
  const unreported = new Set(
    deposits.filter(({ paymentId }) => !notified.has(paymentId)).map(({ paymentId }) => paymentId),
  )
  for (const { id, paymentId } of refunds) if (notifiedRefunds.has(id)) unreported.delete(paymentId)
  for (const { id, paymentId } of withdrawals.flatMap(({ parts }) => parts))
    if (paymentId !== null && notifiedParts.has(id)) unreported.delete(paymentId)
  return unreported
}

function partViolations(loop: Loop, unreported: ReadonlySet<string>, withdrawal: Withdrawal, part: Part): string[] {
  const { id, customerId, paymentMethodId } = withdrawal
  const { kind, paymentId, freed } = part
  if (paymentId === null) {
    const isWon = kind !== 'outside' && loop.hasOnlyDeposits(Number(customerId))
    return isWon ? [`withdrawal ${id}: customer ${customerId} has won nothing, and is paid winnings`] : []
  }
  const card = loop.deposits.find((one) => one.paymentId === paymentId)?.paymentMethodId as string
  if (!freed && card !== paymentMethodId)
    return [`withdrawal ${id}: ${paymentId} of card ${card} went to card ${paymentMethodId}`]
  const isFree = !freed || loop.accountClosed.has(card) || loop.isFreeing(card) || !unreported.has(paymentId)
  return isFree ? [] : [`withdrawal ${id}: ${paymentId} counts as freed, and card ${card} can take it`]
}

function closedViolations({ accountClosed }: Loop, { id, paymentMethodId: card, createdAt }: Withdrawal): string[] {
  const since = accountClosed.get(card ?? '')
  const isLater = since !== undefined && Date.parse(createdAt) > since
  return isLater ? [`withdrawal ${id}: requested to card ${card}, whose account was closed`] : []
}

/** No claim is given twice: refunds and parts that stand are at most what was captured. */
function claimViolations({ deposits, refunds, withdrawals }: Loop, unreported: ReadonlySet<string>): string[] {
  const given = new Map<string, bigint>()
  const add = (paymentId: string, amount: bigint) => given.set(paymentId, (given.get(paymentId) ?? 0n) + amount)
  for (const { paymentId, paid, origin } of refunds) if (origin !== 'withdrawal') add(paymentId, units(paid))
  for (const { paymentId, paid } of withdrawals.flatMap(({ parts }) => parts))
    if (paymentId !== null) add(paymentId, units(paid))
  return deposits
    .filter(({ paymentId, amount, state }) => {
      const most = state === 'CAPTURED' ? units(amount) : 0n
      return unreported.has(paymentId) && (given.get(paymentId) ?? 0n) > most
    })
    .map(({ paymentId, amount }) => `${paymentId}: gave ${given.get(paymentId)} of ${amount}`)
}
