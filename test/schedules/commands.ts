// What customers, operators, the sportsbook, the bank and time do in a schedule. A command chooses among what is there when its turn
// comes, so that any command makes sense at any moment.

import fc from 'fast-check'
import { type CardChange, changeCard, playCard } from './cards.ts'
import { playDeposit } from './deposits.ts'
import { playDispute, playOffice, playWrongNotification, tellFailedCapture } from './disputes.ts'
import { available, leftOf, optionOf } from './model/claims.ts'
import { type Customer, cardOf, DAY_MS, type Settings } from './model/customer.ts'
import { statusOf } from './model/outflows.ts'
import { goneBack } from './model/refunds.ts'
import { type Exclusion, playCurrency, playEnd, playExclusion, playMovement, playWriteOff } from './movements.ts'
import { actor } from './persons.ts'
import { type Played, type Player, referenceOf } from './played.ts'
import type { Process } from './process.ts'
import { decideDeposit, decideRefund, playRefund, type RefundDecided, type RefundDecision } from './refunds.ts'
import { decideWithdrawal, playOutside, playWithdrawal, type WithdrawalDecision } from './withdrawals.ts'
import { CARDS, type CardName } from './world.ts'

const OPERATIONS = {
  deposit: 4,
  withdraw: 9,
  refund: 3,
  'decide a withdrawal': 7,
  'decide a refund': 2,
  'decide a review': 3,
  'change a card': 3,
  'put a card': 2,
  outside: 1,
  'write off': 1,
  stake: 2,
  win: 3,
  adjust: 1,
  office: 2,
  dispute: 4,
  'end a dispute': 1,
  'capture fails': 1,
  'wrong notification': 2,
  exclude: 1,
  currency: 1,
  settings: 2,
  sweep: 9,
  clock: 3,
} as const
export type Operation = keyof typeof OPERATIONS

/** `n`, `m`: which of those that are there. `share`: of what is possible. */
export type Command = {
  readonly does: Operation
  readonly who: 0 | 1
  readonly n: number
  readonly m: number
  readonly share: 'all' | 'half' | 'some' | 'too much'
  readonly by: number
}

const weighted = Object.entries(OPERATIONS).flatMap(([does, weight]) =>
  Array<Operation>(weight).fill(does as Operation),
)

export const commands: fc.Arbitrary<Command> = fc.record({
  does: fc.constantFrom(...weighted),
  who: fc.constantFrom(0, 0, 1),
  n: fc.nat(5),
  m: fc.nat(5),
  share: fc.constantFrom('all', 'all', 'half', 'some', 'too much'),
  by: fc.nat(3),
})

export type Turn = {
  readonly process: () => Process
  readonly played: Played
  sweep(): Promise<unknown>
  wait(ms: number): Promise<unknown>
}

export async function playCommand(turn: Turn, command: Command): Promise<unknown> {
  const { played, process } = turn
  if (played.found.length > 0) return
  const player = played.players[command.who] as Player
  const of = [process(), played, player] as const
  const { n, m, by: index } = command
  const { model } = player
  const by = actor(index)
  const card = CARDS[n % 3] as CardName
  switch (command.does) {
    case 'deposit':
      return playDeposit(process, played, player, { ...depositPlan(model, command), card })
    case 'withdraw': {
      const card = cardFor(model, n)
      const amount = shareOf(command, optionOf(model, cardOf(model, card) ?? null).max)
      return playWithdrawal(...of, { key: `w${m}`, card, amount, by: index === 0 ? by : null })
    }
    case 'sweep':
      return turn.sweep()
    case 'clock':
      return turn.wait([2_000, 2_000, 61_000, 601_000, DAY_MS, n === 0 ? 367 * DAY_MS : 125 * DAY_MS][m] ?? 2_000)
    case 'change a card': {
      const change = (['is removed', 'is closed', 'has no account'] satisfies CardChange[])[m % 3] as CardChange
      return changeCard(...of, { card, change, by })
    }
    case 'put a card':
      return putCard(...of, command)
    case 'outside':
      return playOutside(...of, {
        amount: Math.max(1, shareOf(command, optionOf(model, null).max)),
        reference: 'statement 5',
        by,
      })
    case 'write off':
      return playWriteOff(...of, { amount: Math.max(1, shareOf(command, model.debt)), by })
    case 'stake':
      return playMovement(...of, {
        reference: `bet-${n}`,
        kind: 'stake',
        amount: Math.max(1, shareOf(command, model.balance)),
        by: null,
      })
    case 'win':
      return playMovement(...of, {
        reference: `win-${n}`,
        kind: 'winnings',
        amount: [150, 400, 900][m % 3] as number,
        by: null,
      })
    case 'adjust': {
      const amount = [100, 450, -120][m % 3] as number
      return playMovement(...of, { reference: `adjustment-${n}`, kind: 'adjustment', amount, by: m === 5 ? null : by })
    }
    case 'exclude':
      return playExclusion(
        ...of,
        (['unverified', 'self-excluded', 'time-out'] satisfies Exclusion[])[n % 3] as Exclusion,
      )
    case 'currency':
      return playCurrency(...of)
    case 'settings':
      return changeSetting(played, command)
    default:
      return playOfMoney(turn, player, command)
  }
}

/** Mostly one that can get something. */
function cardFor(model: Customer, n: number): CardName {
  const able = model.cards.filter((card) => optionOf(model, card).max > 0).map(({ id }) => id as CardName)
  return (n < 4 ? able[n % Math.max(1, able.length)] : undefined) ?? (CARDS[n % 3] as CardName)
}

function playOfMoney({ process, played }: Turn, player: Player, command: Command): Promise<unknown> | undefined {
  const of = [process(), played, player] as const
  const { does, n, m } = command
  const { model } = player
  const by = actor(command.by)
  const deposit = model.deposits[n % Math.max(1, model.deposits.length)]
  if (does === 'decide a withdrawal') {
    const withdrawal = model.withdrawals.at(-1 - (n % Math.max(1, model.withdrawals.length)))
    const decisions: WithdrawalDecision[] = ['approves', 'approves', 'approves', 'refuses', 'holds', 'releases']
    return (
      withdrawal && decideWithdrawal(...of, { name: withdrawal.id, decision: decisions[m] as WithdrawalDecision, by })
    )
  }
  if (does === 'decide a refund') {
    const refunds = model.outflows.filter(({ kind }) => kind === 'refund')
    const refund = refunds[n % Math.max(1, refunds.length)]
    const decisions: RefundDecision[] = ['approves', 'approves', 'refuses', 'says paid', 'says returned', 'approves']
    return refund && judgeRefund(...of, { name: refund.id, decision: decisions[m] as RefundDecision, by })
  }
  if (does === 'decide a review') return decideReview(...of, command)
  if (does === 'end a dispute') {
    const dispute = model.disputes[n % Math.max(1, model.disputes.length)]
    return dispute && playEnd(...of, { name: dispute.id, by })
  }
  if (deposit === undefined) return undefined
  if (does === 'refund') {
    const amount = Math.max(1, shareOf(command, Math.min(leftOf(model, deposit), available(model))))
    const seen = m === 0 ? goneBack(model, deposit.id) : null
    return playRefund(...of, { deposit: deposit.id, amount, by, key: m === 1 ? `r${n}` : null, seen })
  }
  if (does === 'office') return playOffice(played, player, deposit, command)
  if (does === 'dispute') return playDispute(played, player, deposit, command)
  if (does === 'capture fails') return tellFailedCapture(played, player, deposit, command)
  return playWrongNotification(played, player, command)
}

function shareOf({ share }: Command, most: number): number {
  const shares = { all: most, half: Math.ceil(most / 2), some: Math.min(most, 120), 'too much': most + 1 }
  return shares[share]
}

function depositPlan({ deposits }: Customer, { m, share, by }: Command) {
  const amount = { all: 500, half: 300, some: 200, 'too much': 2_100 }[share]
  const finishes = ['approve', 'approve', 'refuse', null] as const
  // Some keys are used again.
  const key = m === 5 ? 'd0' : `d${deposits.length}`
  return { key, amount, isChallenged: m === 4, finish: finishes[by] ?? null }
}

function putCard(process: Process, played: Played, player: Player, { n, m, by }: Command) {
  const card = CARDS[n % 4] as CardName
  const existing = cardOf(player.model, card)
  const token = m === 0 ? 'another' : (existing?.token ?? 'approve')
  const holder = (['customer', 'another', 'unknown'] as const)[m % 3] as 'customer'
  const expiresAt = existing?.expiresAt ?? Date.UTC(2049, 0, 1)
  return playCard(process, played, player, { card, terms: { token, holder, expiresAt }, by: actor(by) })
}

/** Of what is in review, also wrongly. */
function decideReview(process: Process, played: Played, player: Player, { n, m, by: index }: Command) {
  const { model } = player
  const by = actor(index)
  const outflows = model.outflows.filter((one) => statusOf(one) === 'review')
  const outflow = outflows[n % Math.max(1, outflows.length)]
  if (outflow !== undefined) {
    const decision = m % 2 === 0 ? 'says paid' : 'says returned'
    if (outflow.withdrawal === null) return judgeRefund(process, played, player, { name: outflow.id, decision, by })
    const part = n > 0 ? outflow.id : null
    const decided = { name: outflow.withdrawal, part, decision, by } as const
    return judged(played, player, { name: outflow.id, decision }, () =>
      decideWithdrawal(process, played, player, decided),
    )
  }
  const deposit = model.deposits.find(({ state }) => state === 'REVIEW')
  if (deposit === undefined) return undefined
  const outcome = m % 2 === 0 ? 'captured' : 'voided'
  const payment = played.bank.release(referenceOf(player, deposit.id))
  if ((payment?.state === 'captured') !== (outcome === 'captured')) played.wrong.add(referenceOf(player, deposit.id))
  return decideDeposit(process, played, player, { deposit: deposit.id, outcome, by })
}

function judgeRefund(process: Process, played: Played, player: Player, decided: RefundDecided) {
  return judged(played, player, decided, () => decideRefund(process, played, player, decided))
}

/** Whether persons have decided otherwise than the bank's books say: before, or when they had. */
async function judged(
  played: Played,
  player: Player,
  { name, decision }: { readonly name: string; readonly decision: RefundDecision | WithdrawalDecision },
  decide: () => Promise<string>,
): Promise<void> {
  const reference = referenceOf(player, name)
  const isRight = () => {
    const sent = played.bank.outflows.get(reference)
    return sent !== undefined && sent.state !== 'open' && sent.sent === (decision === 'says paid' ? sent.amount : 0)
  }
  const wasRight = isRight()
  const answer = await decide()
  const isDecided = decision.startsWith('says') && (answer === 'decided' || answer === 'none')
  if (isDecided && !(wasRight && isRight())) played.wrong.add(reference)
}

/** Of the service and of the model at once. */
async function changeSetting({ settings, players }: Played, { n, m }: Command): Promise<void> {
  const isTight = m < 3
  const changes: Partial<Settings>[] = [
    { withdrawalsByRule: isTight ? 100 : 600 },
    { refundsByOne: isTight ? 100 : 250 },
    { resolutionsByOne: isTight ? 100 : 400 },
    { maxParts: isTight ? 1 : 3 },
    { payouts: m > 1 },
    { refusesDepositsWithDebt: isTight },
  ]
  Object.assign(settings, changes[n])
  for (const { model } of players) model.settings = { ...settings }
}
