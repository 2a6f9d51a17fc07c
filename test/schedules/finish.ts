// The end of a schedule: the gateway answers, operators decide what waits, and what is in review by the bank's books.

import { sweep } from '../../src/wallets/sweep/sweeper.ts'
import type { Outflow } from './model/customer.ts'
import { isUnbooked } from './model/deposits.ts'
import { openOf, statusOf } from './model/outflows.ts'
import { tellSent } from './notifications.ts'
import { actor } from './persons.ts'
import { type Played, type Player, referenceOf } from './played.ts'
import type { Process } from './process.ts'
import { decideDeposit, decideRefund } from './refunds.ts'
import { decideWithdrawal } from './withdrawals.ts'

const MAX_ROUNDS = 40

export async function untilFinished(process: Process, played: Played, deliver: () => Promise<void>): Promise<void> {
  const { world, players, settings } = played
  settings.payouts = true
  for (const { model } of players) model.settings = { ...settings }
  // What is left is old enough for a review.
  world.clock.now += 601_000
  for (let i = 0; i < MAX_ROUNDS && played.found.length === 0; i++) {
    world.clock.now += 400_000
    await process.run(null, (context) => sweep(context))
    await deliver()
    if (players.every((player) => !isUnfinished(player))) return
    for (const player of players) await decideAll(process, played, player)
    await deliver()
  }
  const left = players.filter(isUnfinished)
  for (const { id, model } of left) {
    const open = model.outflows.filter(isOpen).map((one) => one.id)
    const deposits = model.deposits.filter(isUndecided).map((one) => `deposit ${one.id} in ${one.state}`)
    if (played.found.length === 0) played.found.push(`of customer ${id} is left: ${[...open, ...deposits].join(', ')}`)
  }
}

const isOpen = (outflow: Outflow) => openOf(outflow) > 0 || outflow.review !== null
const isUndecided = ({ state }: { state: string }) => !['CAPTURED', 'DECLINED', 'VOIDED'].includes(state)

function isUnfinished({ model }: Player): boolean {
  const isBooked = model.deposits.every((deposit) => !isUnbooked(model, deposit))
  return model.outflows.some(isOpen) || model.deposits.some(isUndecided) || !isBooked
}

async function decideAll(process: Process, played: Played, player: Player): Promise<void> {
  const { model } = player
  for (const { id, hold } of model.withdrawals) {
    const waits = model.outflows.some((one) => one.withdrawal === id && statusOf(one) === 'waiting')
    if (!waits) continue
    if (hold === 'operator')
      await decideWithdrawal(process, played, player, { name: id, decision: 'releases', by: actor(0) })
    for (const by of [actor(0), actor(1), actor(3)])
      await decideWithdrawal(process, played, player, { name: id, decision: 'approves', by })
  }
  for (const outflow of model.outflows) {
    if (outflow.waitsForPerson) {
      const decision = outflow.amount % 2 === 0 ? 'approves' : 'refuses'
      for (const by of [actor(0), actor(1)])
        await decideRefund(process, played, player, { name: outflow.id, decision, by })
    }
    await decideOutflow(process, played, player, outflow)
  }
  for (const { id, state } of model.deposits) {
    if (state !== 'REVIEW') continue
    const payment = played.bank.release(referenceOf(player, id))
    const outcome = payment?.state === 'captured' ? 'captured' : 'voided'
    // Nobody can say that only a part was captured.
    if (payment !== undefined && payment.taken < payment.amount) played.wrong.add(payment.reference)
    for (const by of [actor(0), actor(1)]) await decideDeposit(process, played, player, { deposit: id, outcome, by })
    // Nobody may be credited any more: the money goes back.
    const isLeft = player.model.deposits.some((one) => one.id === id && one.state === 'REVIEW')
    if (!isLeft || outcome === 'voided') continue
    played.wrong.add(referenceOf(player, id))
    for (const by of [actor(0), actor(1)])
      await decideDeposit(process, played, player, { deposit: id, outcome: 'voided', by })
  }
}

/** By the bank's books; what it has not decided it never will. */
async function decideOutflow(
  process: Process,
  played: Played,
  player: Player,
  { id, withdrawal, kind }: Outflow,
): Promise<void> {
  const now = player.model.outflows.find((one) => one.id === id)
  if (now === undefined || kind === 'outside') return
  const isSent = kind === 'refund' && now.beganAt !== null && !now.isCalling && openOf(now) > 0
  if (now.review === null && !isSent) return
  const decision = kind === 'office' || hasArrived(played, player, now) ? 'says paid' : 'says returned'
  for (const by of [actor(0), actor(1)]) {
    if (withdrawal === null) await decideRefund(process, played, player, { name: id, decision, by })
    else await decideWithdrawal(process, played, player, { name: withdrawal, part: id, decision, by })
  }
}

function hasArrived(played: Played, player: Player, outflow: Outflow): boolean {
  const reference = referenceOf(player, outflow.id)
  const sent = played.bank.outflows.get(reference)
  if (sent?.state === 'open') sent.state = 'refused'
  tellSent(played, reference, 'never')
  const arrived = sent?.sent ?? 0
  // Nobody can say that only a part of what is unclear arrived.
  if (arrived !== outflow.paid && arrived < outflow.amount && arrived > 0) played.wrong.add(reference)
  return arrived > outflow.paid || (arrived > 0 && openOf(outflow) === 0 && outflow.review !== 'paid-after-return')
}

/** The bank has sent exactly what counts as paid, unless somebody decided or told otherwise. */
export function violationsAtEnd(played: Played): string[] {
  const found = played.world.errors.map((error) => `logged: ${error}`)
  for (const player of played.players) {
    found.push(...unequalOutflows(played, player).map((what) => `${what} of customer ${player.id}`))
    found.push(...unequalDeposits(played, player).map((what) => `${what} of customer ${player.id}`))
  }
  return found
}

/** A failure or reversal with a reference of its own may name none of several refunds of one amount: then nobody can tell them apart. */
function unequalOutflows({ bank, wrong }: Played, player: Player): string[] {
  const { outflows, notifications } = player.model
  const called = outflows.filter(({ kind, beganAt }) => kind !== 'office' && kind !== 'outside' && beganAt !== null)
  const different = called.flatMap((one) => {
    const reference = referenceOf(player, one.id)
    const sent = bank.outflows.get(reference)?.sent ?? 0
    return wrong.has(reference) ? [] : [{ ...one, sent }]
  })
  const isReversed = ({ deposit }: Outflow) =>
    notifications.some(({ told }) => ['refundFailed', 'refundReversed'].includes(told.says) && told.deposit === deposit)
  const single = different.filter((one) => one.sent !== one.paid && !isReversed(one))
  return single.map(({ id, sent, paid }) => `${sent} was sent, and ${paid} counts as paid of ${id}`)
}

/** Told of the capture after its failure: the service takes it for a second one. Only the gateway's report shows that it was the first. */
function seemsRecaptured({ model }: Player, deposit: string): boolean {
  const applied = model.notifications.filter(({ told, ending }) => told.deposit === deposit && ending === 'applied')
  const last = (says: string) => applied.findLastIndex(({ told }) => told.says === says)
  return last('captureFailed') >= 0 && last('captured') > last('captureFailed')
}

/** Told that the part that was captured has failed, and then that it was captured: nobody knows what is left, and a person is asked. */
function isAskedAbout({ model }: Player, deposit: string): boolean {
  return model.notifications.some(
    ({ told, ending }) =>
      told.deposit === deposit && told.says === 'captured' && ending === 'contradiction another-amount',
  )
}

function unequalDeposits({ bank, wrong }: Played, player: Player): string[] {
  return player.model.deposits.flatMap(({ id, state, captured }) => {
    const payment = bank.payments.get(referenceOf(player, id))
    if (payment === undefined || wrong.has(payment.reference)) return []
    if (payment.hasFailed && (seemsRecaptured(player, id) || isAskedAbout(player, id))) return []
    const taken = payment.state === 'captured' ? payment.taken : 0
    if (payment.state === 'held') return [`a hold is left of deposit ${id}, which is ${state},`]
    return taken === captured ? [] : [`${taken} was taken, and ${captured} counts of deposit ${id}`]
  })
}
