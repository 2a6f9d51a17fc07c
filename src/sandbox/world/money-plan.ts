// What players of the sandbox did with their money in 90 days: they deposit when they cannot pay the stakes of a day, and
// are paid what their tips won. Computed beforehand, so that a start that was killed continues with the same steps.

import { readAsset } from '../../platform/runtime/assets.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/runtime/durations.ts'
import { parseMoney } from '../../platform/runtime/money.ts'
import type { Movement } from '../../wallets/account/movements.ts'
import { returnsOf } from './bet-returns.ts'
import type { SandboxCard } from './cards.ts'
import { outcomeResult, type PastTip, termsOf } from './tipsters.ts'

/** With the days before the first start on which it happened. */
type Planned = { readonly customer: number; readonly amount: string; readonly daysAgo: number }
type Player = { readonly customer: number; readonly card: number; readonly stake: string; readonly deposit: string }
type Money = {
  readonly cards: readonly SandboxCard[]
  readonly players: readonly Player[]
  readonly declined: readonly (Planned & { readonly card: number })[]
  /** Deposits that no bet needs. `deposited`, of others: on which day, as `daysAgo`. */
  readonly extra: readonly Planned[]
  readonly refunds: readonly (Planned & { readonly deposited: number; readonly reason: string })[]
  readonly disputes: readonly (Omit<Planned, 'amount'> & { readonly deposited: number; readonly event: string })[]
  readonly withdrawals: readonly Planned[]
}
export const MONEY = readAsset<Money>('sandbox/money.json')

type Order = { readonly customerId: number; readonly amount: bigint; readonly methodId: number; readonly key: string }
export type MoneyStep = { readonly at: number } & (
  | { readonly kind: 'deposit' | 'withdrawal'; readonly order: Order }
  | { readonly kind: 'movements'; readonly movements: readonly Movement[] }
  | { readonly kind: 'refund'; readonly depositKey: string; readonly amount: bigint; readonly reason: string }
  | { readonly kind: 'dispute'; readonly depositKey: string; readonly event: string }
  /** Captures deposits, sends refunds and payouts. */
  | { readonly kind: 'sweep' }
)

const DAYS = 90
const DEPOSITS_AT = 8 * HOUR_MS
const STAKES_AT = 9 * HOUR_MS + 30 * MINUTE_MS
const WINNINGS_AT = 22 * HOUR_MS + 15 * MINUTE_MS
const SWEEP_AT = 23 * HOUR_MS

/** In the order of time. */
export function moneyPlan(tips: readonly PastTip[], now: number): MoneyStep[] {
  const today = Math.floor(now / DAY_MS) * DAY_MS
  const byDay = Map.groupBy(tips, ({ event }) => event.day)
  const balances = new Map(MONEY.players.map(({ customer }) => [customer, 0n]))
  return Array.from({ length: DAYS }, (_, index) => DAYS - index).flatMap((daysAgo) => {
    const day = today - daysAgo * DAY_MS
    return dayPlan({ day, daysAgo, tips: byDay.get(day) ?? [], balances })
  })
}

type Day = {
  readonly day: number
  readonly daysAgo: number
  readonly tips: readonly PastTip[]
  readonly balances: Map<number, bigint>
}

function dayPlan({ day, daysAgo, tips, balances }: Day): MoneyStep[] {
  const own = MONEY.players.map((player) => playerDay(player, tips))
  const add = (customer: number, amount: bigint) => balances.set(customer, (balances.get(customer) as bigint) + amount)
  const deposits = MONEY.players.flatMap((player, index) => {
    const { staked, won } = own[index] as PlayerDay
    const needed = depositFor(player, staked, balances.get(player.customer) as bigint)
    const extra = sumOf(MONEY.extra.filter((one) => isOf(one, player.customer, daysAgo)))
    add(player.customer, needed + extra - staked + won)
    const orders = [
      { key: depositKey(player.customer, daysAgo), amount: needed },
      { key: extraKey(player.customer, daysAgo), amount: extra },
    ]
    return orders.filter(({ amount }) => amount > 0n).map((order) => orderOf(player, order))
  })
  const declined = MONEY.declined.filter((one) => one.daysAgo === daysAgo).map(declinedOrder)
  const later = laterSteps(day, daysAgo, add)
  const morning = [...declined, ...deposits].map((order, index) => ({
    ...{ kind: 'deposit' as const, at: day + DEPOSITS_AT + index * MINUTE_MS, order },
  }))
  const steps: MoneyStep[] = [
    ...morning,
    { kind: 'movements', at: day + STAKES_AT, movements: own.flatMap(({ stakes }) => stakes) },
    { kind: 'movements', at: day + WINNINGS_AT, movements: own.flatMap(({ winnings }) => winnings) },
    ...later,
  ]
  const hasJobs = morning.length + later.length > 0
  const all: MoneyStep[] = hasJobs ? [...steps, { kind: 'sweep', at: day + SWEEP_AT + HOUR_MS / 2 }] : steps
  return all.filter((step) => step.kind !== 'movements' || step.movements.length > 0)
}

/** After the results of the day. */
function laterSteps(day: number, daysAgo: number, add: (customer: number, amount: bigint) => void): MoneyStep[] {
  const at = day + SWEEP_AT
  const refunds = MONEY.refunds.filter((one) => one.daysAgo === daysAgo)
  const disputes = MONEY.disputes.filter((one) => one.daysAgo === daysAgo)
  const withdrawals = MONEY.withdrawals.filter((one) => one.daysAgo === daysAgo)
  for (const { customer, amount } of [...refunds, ...withdrawals]) add(customer, -pence(amount))
  for (const { customer, deposited } of disputes)
    add(customer, -sumOf(MONEY.extra.filter((one) => isOf(one, customer, deposited))))
  return [
    ...refunds.map(({ customer, deposited, amount, reason }) => ({
      ...{ kind: 'refund' as const, at, depositKey: extraKey(customer, deposited), amount: pence(amount), reason },
    })),
    ...disputes.map(({ customer, deposited, event }) => ({
      ...{ kind: 'dispute' as const, at, depositKey: extraKey(customer, deposited), event },
    })),
    ...withdrawals.map(({ customer, amount }) => {
      const player = MONEY.players.find((one) => one.customer === customer) as Player
      const order = orderOf(player, { key: `history-withdrawal-${customer}-${daysAgo}`, amount: pence(amount) })
      return { kind: 'withdrawal' as const, at, order }
    }),
  ]
}

// ---- Bets

type PlayerDay = {
  readonly stakes: readonly Movement[]
  readonly winnings: readonly Movement[]
  readonly staked: bigint
  readonly won: bigint
}

function playerDay({ customer, stake }: Player, tips: readonly PastTip[]): PlayerDay {
  const bets = tips.filter(({ pick }) => pick.customerId === customer).map((tip) => betOf(tip, pence(stake)))
  const stakes = bets.map(({ bet, staked }) => movement(customer, { bet, kind: 'stake', amount: staked }))
  const winnings = bets
    .filter(({ returned }) => returned > 0n)
    .map(({ bet, isVoid, returned }) =>
      movement(customer, { bet, kind: isVoid ? 'void' : 'winnings', amount: returned }),
    )
  const total = (movements: readonly Movement[]) => movements.reduce((sum, { amount }) => sum + amount, 0n)
  return { stakes, winnings, staked: total(stakes), won: total(winnings) }
}

function betOf(tip: PastTip, stake: bigint) {
  return { bet: tip.bet, ...returnsOf(termsOf(tip), outcomeResult(tip), stake) }
}

function movement(
  customerId: number,
  { bet, kind, amount }: { bet: number } & Omit<Movement, 'reference' | 'customerId' | 'betId'>,
) {
  return { reference: `history-${kind}-${bet}`, customerId, kind, amount, betId: bet }
}

// ---- Parts

/** In whole deposits; 0: the balance is enough. */
function depositFor({ deposit }: Player, staked: bigint, balance: bigint): bigint {
  if (staked <= balance) return 0n
  const [missing, one] = [staked - balance, pence(deposit)]
  return ((missing + one - 1n) / one) * one
}

function depositKey(customer: number, daysAgo: number): string {
  return `history-deposit-${customer}-${daysAgo}`
}

function extraKey(customer: number, daysAgo: number): string {
  return `history-extra-${customer}-${daysAgo}`
}

function orderOf({ customer, card }: Player, { key, amount }: { key: string; amount: bigint }): Order {
  return { customerId: customer, methodId: card, key, amount }
}

function declinedOrder({ customer, card, amount, daysAgo }: Money['declined'][number]): Order {
  return { customerId: customer, methodId: card, key: `history-declined-${customer}-${daysAgo}`, amount: pence(amount) }
}

function isOf(planned: Planned, customer: number, daysAgo: number): boolean {
  return planned.customer === customer && planned.daysAgo === daysAgo
}

function sumOf(planned: readonly Planned[]): bigint {
  return planned.reduce((sum, { amount }) => sum + pence(amount), 0n)
}

function pence(amount: string): bigint {
  return parseMoney(amount) as bigint
}
