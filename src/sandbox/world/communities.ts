import { createTip } from '../../communities/comment.ts'
import { flagComment, likeComment } from '../../communities/reaction.ts'
import { Fault } from '../../faults.ts'
import { decideOnComment } from '../../moderation/comment-review.ts'
import { HOUR_MS } from '../../platform/runtime/durations.ts'
import { putBet } from '../../sportsbook/bet.ts'
import { changeMarket, putEvent, putSport } from '../../sportsbook/catalogue.ts'
import { applyChanges, type Change } from '../../sportsbook/change.ts'
import { settleMarket } from '../../sportsbook/settlement.ts'
import type { SandboxContext } from '../context.ts'
import { SANDBOX_PROFILES } from './customers.ts'
import {
  likes,
  SANDBOX_EVENTS,
  SANDBOX_OPEN_BETS,
  SANDBOX_REMOVED_TIPS,
  SANDBOX_SETTLEMENTS,
  SANDBOX_SPORTS,
  SANDBOX_SUSPENDED_MARKET,
  SANDBOX_TIP_FLAGS,
  SANDBOX_TIPS,
} from './fixtures.ts'
import { liveTipOnBet } from './store.ts'

const FIRST_TIP_BET = 70_100

/** Creates catalogue, bets and tips, and settles some markets. Every step can be repeated. */
export async function seedCommunities(context: SandboxContext): Promise<void> {
  const { now } = context
  const events = SANDBOX_EVENTS.map(({ id, inHours, ...event }) => {
    const startTime = new Date(Math.ceil(now() / HOUR_MS + inHours) * HOUR_MS).toISOString()
    return putEvent(id, { ...event, startTime, status: 'active' })
  })
  const tipped = SANDBOX_TIPS.map(([customer, outcome], index) => [FIRST_TIP_BET + index, customer, outcome] as const)
  const bets = [...SANDBOX_OPEN_BETS, ...tipped].map(([bet, customer, outcome]) =>
    putBet(bet, { customerId: `${customer}`, outcomeIds: [`${outcome}`] }),
  )
  const sports = Object.entries(SANDBOX_SPORTS).map(([id, name]) => putSport(Number(id), { name, communities: true }))
  await applyAll(context, [...sports, ...events, ...bets], now() - 72 * HOUR_MS)
  await seedTips(context)
  const settlements = SANDBOX_SETTLEMENTS.map(({ marketId, results }) => settleMarket(marketId, results))
  await applyAll(context, [...settlements, changeMarket(SANDBOX_SUSPENDED_MARKET, { status: 'suspended' })], now())
}

export async function applyAll({ database }: SandboxContext, changes: readonly Change[], now: number): Promise<void> {
  const { results } = await database.transaction((transaction) => applyChanges(transaction, changes, () => now))
  const refused = results.find((result) => result instanceof Error)
  if (refused !== undefined) throw refused
}

async function seedTips(context: SandboxContext): Promise<void> {
  for (const [index, [customer, outcome, text]] of SANDBOX_TIPS.entries()) {
    const time = context.now() - (SANDBOX_TIPS.length - index) * 2 * HOUR_MS
    const then: SandboxContext = { ...context, now: () => time }
    const id = await createMissingTip(then, customer, { id: outcome, betId: FIRST_TIP_BET + index, text })
    if (id === null) continue
    for (const liker of SANDBOX_PROFILES.keys()) {
      if (likes(liker + 1, index)) await likeComment(then, liker + 1, id)
    }
    for (const [flagger, flagged, why] of SANDBOX_TIP_FLAGS) {
      if (flagged === index) await flagComment(then, flagger, id, why)
    }
  }
}

/** After all other tips, whose ids documents show. */
export async function seedRemovedTips(context: SandboxContext): Promise<void> {
  const bets = SANDBOX_REMOVED_TIPS.map(({ bet, customer, outcome }) =>
    putBet(bet, { customerId: `${customer}`, outcomeIds: [`${outcome}`] }),
  )
  const time = context.now() - 3 * HOUR_MS
  await applyAll(context, bets, time)
  const then: SandboxContext = { ...context, now: () => time }
  for (const { bet, customer, outcome, text, clause } of SANDBOX_REMOVED_TIPS) {
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
