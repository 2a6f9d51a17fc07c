// Customers of the sandbox whose records differ: one wins steadily, one was lucky with few tips, one loses, and one withdraws
// the losers. Their tips are spread over the weeks before the first start; results are drawn from fixed numbers.

import { deactivateComment } from '../../communities/comment.ts'
import { putCustomer } from '../../identity/customers/customer.ts'
import { readAsset } from '../../platform/runtime/assets.ts'
import { DAY_MS, HOUR_MS } from '../../platform/runtime/durations.ts'
import { updateOwnProfile } from '../../profiles/profile.ts'
import type { Fraction } from '../../record/figures.ts'
import { putBet } from '../../sportsbook/bet.ts'
import { changeOutcome, putEvent } from '../../sportsbook/catalogue.ts'
import { settleMarket } from '../../sportsbook/settlement.ts'
import type { SandboxContext } from '../context.ts'
import { applyAll, at, createMissingTip } from './communities.ts'
import { fraction } from './fixtures.ts'

/** Ids of events, markets and bets; outcomes have ten times as much. */
const FIRST_ID = 30_000

const FIRST_TIPSTER = 100

type Tipster = {
  readonly customerId: number
  /** Another number draws other results. */
  readonly luck: number
  readonly profile: { readonly name: string; readonly biography: string }
  readonly tips: number
  /** Tips are spread over so many days, up to yesterday. */
  readonly days: number
  readonly sportId: number
  readonly prices: readonly string[]
  /** Of a hundred tips. */
  readonly winners: number
  /** Of a hundred losers. */
  readonly withdrawn: number
}

type Tipsters = {
  readonly tipsters: readonly Tipster[]
  /** By sport. */
  readonly fixtures: { readonly [sportId: number]: { event: string; market: string; names: [string, string] } }
  readonly texts: readonly string[]
}

const { tipsters, fixtures, texts } = readAsset<Tipsters>('sandbox/tipsters.json')

type PastTip = {
  readonly tipster: Tipster
  readonly nth: number
  readonly id: number
  readonly start: number
  readonly price: Fraction
  readonly hasWon: boolean
}

/** Every step can be repeated. */
export async function seedTipsters(context: SandboxContext): Promise<void> {
  const today = Math.floor(context.now() / DAY_MS) * DAY_MS
  const beginning = today - 100 * DAY_MS
  for (const { customerId, profile } of tipsters) {
    await putCustomer(context.database, customerId, {}, beginning)
    await updateOwnProfile(at(context, beginning), customerId, profile)
  }
  const tips = tipsters.flatMap((tipster) => pastTips(tipster, today)).toSorted((one, other) => one.start - other.start)
  await applyAll(context, tips.flatMap(fixtureAndBet), beginning)
  const commentIds = await createTips(context, tips)
  await applyAll(context, tips.map(closingPrice), beginning)
  for (const [start, ofDay] of Map.groupBy(tips, (tip) => tip.start)) {
    const settlements = ofDay.map(({ id, hasWon }) =>
      settleMarket(id, { [id * 10]: hasWon ? 'win' : 'lose', [id * 10 + 1]: hasWon ? 'lose' : 'win' }),
    )
    await applyAll(context, settlements, start + 2 * HOUR_MS)
  }
  for (const { tipster, nth, id, hasWon } of tips) {
    const commentId = commentIds.get(id)
    const isWithdrawn = !hasWon && draw(tipster.luck, nth, 2) < tipster.withdrawn
    if (isWithdrawn && commentId !== undefined) await deactivateComment(context, tipster.customerId, commentId)
  }
}

function pastTips(tipster: Tipster, today: number): PastTip[] {
  const { customerId, luck, tips, days, prices, winners } = tipster
  return Array.from({ length: tips }, (_, nth) => ({
    tipster,
    nth,
    id: FIRST_ID + (customerId - FIRST_TIPSTER) * 200 + nth,
    start: today - (days - Math.floor((nth * days) / tips)) * DAY_MS + 15 * HOUR_MS,
    price: fraction(prices[nth % prices.length] as string),
    hasWon: draw(luck, nth, 1) < winners,
  }))
}

function fixtureAndBet({ tipster, id, start, price }: PastTip) {
  const { event, market, names } = fixtures[tipster.sportId] as Tipsters['fixtures'][number]
  const prices = [price, { num: 1, den: 1 }]
  const outcomes = names.map((name, index) => ({
    id: `${id * 10 + index}`,
    name,
    status: 'active' as const,
    startingPrice: false,
    price: prices[index] as Fraction,
  }))
  return [
    putEvent(id, {
      sportId: `${tipster.sportId}`,
      name: `${event} ${id - FIRST_ID}`,
      startTime: new Date(start).toISOString(),
      status: 'active',
      markets: [{ id: `${id}`, name: market, status: 'active', outcomes }],
    }),
    putBet(id, {
      customerId: `${tipster.customerId}`,
      outcomeIds: [`${id * 10}`],
      placedAt: new Date(start - 4 * HOUR_MS).toISOString(),
    }),
  ]
}

async function createTips(context: SandboxContext, tips: readonly PastTip[]): Promise<Map<number, number>> {
  const commentIds = new Map<number, number>()
  for (const { tipster, nth, id, start } of tips) {
    const text = texts[nth % texts.length] as string
    const tip = { id: id * 10, betId: id, text }
    const commentId = await createMissingTip(at(context, start - 3 * HOUR_MS), tipster.customerId, tip)
    if (commentId !== null) commentIds.set(id, commentId)
  }
  return commentIds
}

/** Who wins often has taken prices that went down afterwards. */
function closingPrice({ tipster, nth, id, price }: PastTip) {
  const change = draw(tipster.luck, nth, 3) - tipster.winners
  return changeOutcome(id * 10, { price: { num: price.num * 500 + price.num * change, den: price.den * 500 } })
}

/** From 0 to 99, in no visible order, and the same at every start. */
export function draw(luck: number, tip: number, purpose: number): number {
  let mixed = (luck * 7919 + tip * 104_729 + purpose * 1_299_709) >>> 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b) >>> 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b) >>> 0
  return ((mixed ^ (mixed >>> 16)) >>> 0) % 100
}
