import { flagComment, likeComment } from '../../communities/reaction.ts'
import { createTip } from '../../communities/tip.ts'
import { Fault } from '../../faults.ts'
import { decideOnComment } from '../../moderation/comment-review.ts'
import { HOUR_MS } from '../../platform/runtime/durations.ts'
import { putBet } from '../../sportsbook/bet.ts'
import { changeMarket, putEvent, putSport } from '../../sportsbook/catalogue.ts'
import { applyChanges, type Change } from '../../sportsbook/change.ts'
import { settleMarket } from '../../sportsbook/settlement.ts'
import type { SandboxContext } from '../context.ts'
import { SANDBOX_PROFILES } from './customers.ts'
import { FIXTURES, likes, marketOf } from './fixtures.ts'
import { liveTipOnBet } from './store.ts'

const FIRST_TIP_BET = 70_100

/** Creates catalogue, bets and tips, and settles some markets. Every step can be repeated. */
export async function seedCommunities(context: SandboxContext): Promise<void> {
  const { now } = context
  const events = FIXTURES.events.map(({ id, sportId, name, inHours, markets }) => {
    const startTime = new Date(Math.ceil(now() / HOUR_MS + inHours) * HOUR_MS).toISOString()
    return putEvent(id, { sportId, name, startTime, status: 'active', markets: markets.map(marketOf) })
  })
  const tipped = FIXTURES.tips.map((tip, index) => ({ bet: FIRST_TIP_BET + index, ...tip }))
  const bets = [...FIXTURES.openBets, ...tipped].map(fixtureBet)
  const sports = Object.entries(FIXTURES.sports).map(([id, name]) => putSport(Number(id), { name, communities: true }))
  await applyAll(context, [...sports, ...events, ...bets], now() - 72 * HOUR_MS)
  await seedTips(context)
  const settlements = FIXTURES.settlements.map(({ marketId, results }) => settleMarket(marketId, results))
  await applyAll(context, [...settlements, changeMarket(FIXTURES.suspendedMarket, { status: 'suspended' })], now())
}

function fixtureBet({ bet, customer, outcome }: { bet: number; customer: number; outcome: number }): Change {
  return putBet(bet, { customerId: `${customer}`, outcomeIds: [`${outcome}`] })
}

export async function applyAll({ database }: SandboxContext, changes: readonly Change[], now: number): Promise<void> {
  const { results } = await database.transaction((transaction) => applyChanges(transaction, changes, () => now))
  const refused = results.find((result) => result instanceof Error)
  if (refused !== undefined) throw refused
}

async function seedTips(context: SandboxContext): Promise<void> {
  const { tips, tipFlags } = FIXTURES
  for (const [index, { customer, outcome, text }] of tips.entries()) {
    const then = at(context, context.now() - (tips.length - index) * 2 * HOUR_MS)
    const id = await createMissingTip(then, customer, { id: outcome, betId: FIRST_TIP_BET + index, text })
    if (id === null) continue
    for (const liker of SANDBOX_PROFILES.keys()) {
      if (likes(liker + 1, index)) await likeComment(then, liker + 1, id)
    }
    for (const flag of tipFlags) {
      if (flag.tip === index) await flagComment(then, flag.customer, id, flag.why)
    }
  }
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
) {
  try {
    const rest = { linkedId: null, priceNum: null, priceDen: null, startingPrice: false }
    return (await createTip(context, customer, { ...tip, ...rest })).id
  } catch (error) {
    if (error instanceof Fault && ['tipExists', 'outcomeInactive'].includes(error.kind)) return null
    throw error
  }
}

/** The same context at another time. */
export function at(context: SandboxContext, time: number): SandboxContext {
  return { ...context, now: () => time }
}
