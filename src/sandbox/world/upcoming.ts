// What tipsters of the history follow, and what they wrote within the last two hours, on events that begin soon.

import { likeComment } from '../../communities/reaction.ts'
import { idListOf } from '../../platform/database/row-list-store.ts'
import { readAsset } from '../../platform/runtime/assets.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/runtime/durations.ts'
import { followProfile } from '../../profiles/follow.ts'
import { ensureProfile } from '../../profiles/profile.ts'
import type { Fraction } from '../../record/figures.ts'
import { putBet } from '../../sportsbook/bet.ts'
import { changeOutcome } from '../../sportsbook/catalogue.ts'
import type { SandboxContext } from '../context.ts'
import { applyAll, at, createMissingTip, fixtureEvent, inSlices } from './communities.ts'
import { SANDBOX_PROFILES } from './customers.ts'
import { FIXTURES, type FixtureEvent, likes, marketOf } from './fixtures.ts'
import { pricesAround } from './prices.ts'
import { tipsOnOutcomes } from './store.ts'

type Upcoming = {
  events: FixtureEvent[]
  /** Oldest first. */
  tips: { customer: number; outcome: number; text: string; eachWay?: true }[]
  /** Whom each customer id is followed by. */
  follows: { [followed: string]: number[] }
}
const UPCOMING = readAsset<Upcoming>('sandbox/upcoming.json')
const FIRST_BET = 71_000
/** Between two tips. */
const PAUSE = 5 * MINUTE_MS
/** So many prices of each outcome before now. */
const PRICES = 24

/** Every step can be repeated. */
export async function seedUpcoming(context: SandboxContext): Promise<void> {
  const now = context.now()
  await seedFollows(context, now)
  const tips = UPCOMING.tips.map((tip, index) => ({
    ...{ ...tip, bet: FIRST_BET + index, index },
    createdAt: now - (UPCOMING.tips.length - index) * PAUSE,
  }))
  const bets = tips.map(({ bet, customer, outcome, eachWay, createdAt }) =>
    putBet(bet, {
      customerId: `${customer}`,
      legs: [{ outcomeId: `${outcome}`, ...(eachWay ? { eachWay: { num: 1, den: 5, places: 3 } } : {}) }],
      placedAt: new Date(createdAt - PAUSE).toISOString(),
    }),
  )
  await applyAll(context, [...UPCOMING.events.map((event) => fixtureEvent(event, now)), ...bets], now - 50 * HOUR_MS)
  await movePrices(context, now)
  const stored = await storedTips(context)
  for (const { customer, outcome, bet, text, createdAt } of tips.filter((tip) => !stored.has(tip.bet))) {
    await createMissingTip(at(context, createdAt), customer, { id: outcome, betId: bet, text })
  }
  const commentIds = await storedTips(context)
  const likers = [...SANDBOX_PROFILES.keys()].map((index) => index + 1)
  const liked = tips.flatMap((tip) => likers.filter((one) => likes(one, tip.index)).map((liker) => ({ ...tip, liker })))
  await inSlices(liked, ({ liker, bet, createdAt }) =>
    likeComment(at(context, createdAt + PAUSE), liker, commentIds.get(bet) as number),
  )
}

/** Of all open events, over two days, up to two hours ago. They end as they are listed. */
async function movePrices(context: SandboxContext, now: number): Promise<void> {
  const open = [...FIXTURES.events, ...UPCOMING.events].filter(({ inHours }) => inHours > 0)
  const listed = open.flatMap(({ markets }) => markets.map(marketOf)).flatMap(({ outcomes }) => outcomes)
  const histories = listed.flatMap(({ id, price }) =>
    price === undefined ? [] : [{ id: Number(id), prices: pricesAround(price, Number(id), PRICES) }],
  )
  for (let nth = 0; nth < PRICES; nth++) {
    const changes = histories.map(({ id, prices }) => changeOutcome(id, { price: prices[nth] as Fraction }))
    await applyAll(context, changes, now - (PRICES - nth) * 2 * HOUR_MS)
  }
}

async function seedFollows(context: SandboxContext, now: number): Promise<void> {
  const follows = Object.entries(UPCOMING.follows).flatMap(([followed, followers]) =>
    followers.map((follower) => ({ followed: Number(followed), follower })),
  )
  for (const [index, { followed, follower }] of follows.entries()) {
    const { id } = await ensureProfile(context, followed)
    await followProfile(at(context, now - (follows.length - index) * DAY_MS), follower, id)
  }
}

/** Comment ids by bet. */
async function storedTips({ database }: SandboxContext): Promise<Map<number, number>> {
  const outcomeIds = idListOf(new Set(UPCOMING.tips.map(({ outcome }) => outcome)))
  const rows = await database.query(tipsOnOutcomes, { outcomeIds })
  return new Map(rows.map(({ id, bet_id }) => [bet_id, id]))
}
