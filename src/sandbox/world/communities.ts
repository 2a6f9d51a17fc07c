import { flagComment, likeComment } from '../../communities/reaction.ts'
import { createTip } from '../../communities/tip.ts'
import { Fault } from '../../faults.ts'
import { decideOnComment } from '../../moderation/decisions/comment-review.ts'
import { HOUR_MS, MINUTE_MS } from '../../platform/runtime/durations.ts'
import { putBet } from '../../sportsbook/bet.ts'
import { changeEvent, changeMarket, putEvent, putSport } from '../../sportsbook/catalogue.ts'
import { applyChanges, type Change } from '../../sportsbook/change.ts'
import { settleMarket } from '../../sportsbook/settlement.ts'
import type { SandboxContext } from '../context.ts'
import { SANDBOX_PROFILES } from './customers.ts'
import { FIXTURES, type FixtureEvent, likes, marketOf } from './fixtures.ts'
import { liveTipOnBet } from './store.ts'

const FIRST_TIP_BET = 70_100
const TIPS = FIXTURES.tips.map((tip, index) => ({ bet: FIRST_TIP_BET + index, ...tip }))

/** Creates catalogue, bets and tips. Every step can be repeated. */
export async function seedCommunities(context: SandboxContext): Promise<void> {
  const { now } = context
  const events = FIXTURES.events.map((event) => fixtureEvent(event, now()))
  const bets = [...FIXTURES.openBets, ...TIPS].map(fixtureBet)
  const sports = Object.entries(FIXTURES.sports).map(([id, name]) => putSport(Number(id), { name, communities: true }))
  await applyAll(context, [...sports, ...events, ...bets], now() - 72 * HOUR_MS)
  for (const [index, { customer, outcome, bet, text }] of TIPS.entries()) {
    await createMissingTip(at(context, timeOfTip(context, index)), customer, { id: outcome, betId: bet, text })
  }
}

function timeOfTip({ now }: SandboxContext, index: number): number {
  return now() - (TIPS.length - index) * 2 * HOUR_MS
}

/** Likes and flags of these tips within the last hours, and results: after what the history tells, so that notifications are in order. */
export async function seedReactions(context: SandboxContext): Promise<void> {
  const { database, now } = context
  for (const [index, { customer, outcome, bet }] of TIPS.entries()) {
    const then = at(context, now() - (TIPS.length - index) * 5 * MINUTE_MS)
    const tip = await database.one(liveTipOnBet, { betId: bet, outcomeId: outcome, customerId: customer })
    if (tip === undefined) continue
    const likers = [...SANDBOX_PROFILES.keys()].map((one) => one + 1).filter((liker) => likes(liker, index))
    await inSlices(likers, (liker) => likeComment(then, liker, tip.id))
    for (const flag of FIXTURES.tipFlags) {
      if (flag.tip === index) await flagComment(then, flag.customer, tip.id, flag.why)
    }
  }
  const settlements = FIXTURES.settlements.map(({ marketId, results }) => settleMarket(marketId, results))
  const scores = Object.entries(FIXTURES.scores).map(([id, score]) => changeEvent(Number(id), { score }))
  const suspension = changeMarket(FIXTURES.suspendedMarket, { status: 'suspended' })
  await applyAll(context, [...scores, ...settlements, suspension], now())
}

export function fixtureEvent({ id, sportId, name, inHours, markets }: FixtureEvent, now: number): Change {
  const startTime = new Date(Math.ceil((now + inHours * HOUR_MS) / HOUR_MS) * HOUR_MS).toISOString()
  return putEvent(id, { sportId, name, startTime, status: 'active', markets: markets.map(marketOf) })
}

function fixtureBet({ bet, customer, outcome }: { bet: number; customer: number; outcome: number }): Change {
  return putBet(bet, { customerId: `${customer}`, outcomeIds: [`${outcome}`] })
}

export async function applyAll({ database }: SandboxContext, changes: readonly Change[], now: number): Promise<void> {
  const { results } = await database.transaction((transaction) => applyChanges(transaction, changes, () => now))
  const refused = results.find((result) => result instanceof Error)
  if (refused !== undefined) throw refused
}

/** After all other tips, whose ids documents show. */
export async function seedRemovedTips(context: SandboxContext): Promise<void> {
  const then = at(context, context.now() - 3 * HOUR_MS)
  await applyAll(context, FIXTURES.removedTips.map(fixtureBet), then.now())
  for (const { bet, customer, outcome, text, clause } of FIXTURES.removedTips) {
    await createMissingTip(then, customer, { id: outcome, betId: bet, text })
    const tip = await context.database.one(liveTipOnBet, { betId: bet, outcomeId: outcome, customerId: customer })
    if (tip === undefined) continue
    const decision = { action: 'remove', clause, note: '', actor: 'sandbox', now: context.now() } as const
    await decideOnComment(context, tip.id, decision)
  }
}

/** null: an earlier, interrupted start has created it. */
export async function createMissingTip(
  context: SandboxContext,
  customer: number,
  tip: { id: number; betId: number; text: string },
): Promise<number | null> {
  try {
    const rest = { linkedId: null, priceNum: null, priceDen: null, startingPrice: false }
    return (await createTip(context, customer, { ...tip, ...rest })).id
  } catch (error) {
    if (error instanceof Fault && ['tipExists', 'outcomeInactive'].includes(error.kind)) return null
    throw error
  }
}

/** So many at a time are written together (platform/database/write-queue.ts). The next begin when all of them have ended. */
const SLICE = 64

export async function inSlices<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  for (let first = 0; first < items.length; first += SLICE) {
    await Promise.all(items.slice(first, first + SLICE).map(work))
  }
}

/** The same context at another time. */
export function at<C extends Pick<SandboxContext, 'now'>>(context: C, time: number): C {
  return { ...context, now: () => time }
}
