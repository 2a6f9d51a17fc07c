// Customers of the sandbox whose records differ: one wins steadily, one was lucky with few tips, one loses, one withdraws the
// losers; others have runs of losers, recover, tip each way, or on horses that do not run. Their tips are spread over the weeks
// before the first start; results are drawn from fixed numbers.

import { deactivateComment } from '../../communities/comment.ts'
import { likeComment } from '../../communities/reaction.ts'
import { drainInProcess } from '../../communities/tip-status.ts'
import { putCustomer } from '../../identity/customers/customer.ts'
import { idListOf } from '../../platform/database/row-list-store.ts'
import { readAsset } from '../../platform/runtime/assets.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/runtime/durations.ts'
import { ensureProfile, updateOwnProfile } from '../../profiles/profile.ts'
import type { OutcomeResult, TipTerms } from '../../record/figures.ts'
import { putBet } from '../../sportsbook/bet.ts'
import { changeEvent, changeOutcome, putEvent } from '../../sportsbook/catalogue.ts'
import type { Change } from '../../sportsbook/change.ts'
import { type Results, settleMarket } from '../../sportsbook/settlement.ts'
import type { SandboxContext } from '../context.ts'
import { type Ending, NAMES, type PastEvent, type PastOutcome, type PlainPick, pastEvents } from './calendar.ts'
import { applyAll, at, createMissingTip, inSlices } from './communities.ts'
import { SANDBOX_NAMES, SANDBOX_PROFILES } from './customers.ts'
import { draw } from './draw.ts'
import { tipsOnOutcomes } from './store.ts'

const FIRST_BET = 300_000
/** Before the first tip. */
const BEGINNING_DAYS = 100
/** These are in every sandbox, the others only with the history. */
const FIRST_TIPSTERS = 4
const SETTLED_AT = 22 * HOUR_MS
const EACH_WAY = { num: 1, den: 5, places: 3 }

type Tipster = {
  readonly customerId: number
  /** Another number draws other results. */
  readonly luck: number
  /** Those of SANDBOX_PROFILES have one. */
  readonly profile?: { readonly name: string; readonly biography: string }
  readonly tips: number
  /** Tips are spread over so many days, up to yesterday. */
  readonly days: number
  readonly sports: readonly number[]
  /** One after the other. */
  readonly prices?: readonly string[]
  /** One each day: those who have the same prices often pick the same outcome. */
  readonly dailyPrices?: readonly string[]
  /** Winners of a hundred tips, in each part of the time. */
  readonly form: readonly number[]
  /** Of a hundred losers: withdrawn after the result; placed; or void. */
  readonly withdrawn?: number
  readonly placed?: number
  readonly voids?: number
  /** Of a hundred winners: in a race with a non-runner; in a dead heat. */
  readonly deductions?: number
  readonly deadHeats?: number
  readonly eachWay?: true
  /** Each third tip, for example. */
  readonly eachWayEvery?: number
  readonly startingPrice?: true
  /** The most likes of a tip. */
  readonly popular: number
  readonly texts: readonly string[]
}

const { tipsters } = readAsset<{ tipsters: readonly Tipster[] }>('sandbox/tipsters.json')

/** Those who are not among SANDBOX_PROFILES. */
export const NEW_TIPSTERS = tipsters.filter(({ profile }) => profile !== undefined).map(({ customerId }) => customerId)

type TipsterPick = PlainPick & { readonly tipster: Tipster }

export type PastTip = {
  readonly pick: TipsterPick
  readonly bet: number
  readonly event: PastEvent<TipsterPick>
  readonly outcome: PastOutcome<TipsterPick>
  readonly createdAt: number
}

/** In the order in which they are created. `all`: those that only the history has, too. */
export function pastTips(now: number, all: boolean): PastTip[] {
  const today = Math.floor(now / DAY_MS) * DAY_MS
  const picks = chosen(all).flatMap((tipster) => picksOf(tipster, today))
  const tips = pastEvents(picks).flatMap((event) =>
    event.outcomes
      .flatMap((outcome) => outcome.picks.map((pick) => ({ pick, event, outcome })))
      .map((tip, index) => ({ ...tip, createdAt: event.start - 3 * HOUR_MS + index * MINUTE_MS })),
  )
  return tips.map((tip, index) => ({ ...tip, bet: FIRST_BET + index }))
}

function chosen(all: boolean): readonly Tipster[] {
  return all ? tipsters : tipsters.slice(0, FIRST_TIPSTERS)
}

/** Every step can be repeated. A day at a time, so that its events, results and notifications have its time. */
export async function seedTipsters(context: SandboxContext, all: boolean): Promise<void> {
  const beginning = context.now() - BEGINNING_DAYS * DAY_MS
  for (const { customerId, profile } of chosen(all)) {
    if (profile !== undefined) {
      await putCustomer(context.database, customerId, { ...SANDBOX_NAMES.get(customerId) }, beginning)
      await updateOwnProfile(at(context, beginning), customerId, profile)
    }
    // Known by now, so that none of the tips below waits for it and changes places with the next.
    await ensureProfile(context, customerId)
  }
  const days = Map.groupBy(pastTips(context.now(), all), ({ event }) => event.day)
  for (const [day, tips] of days) await seedDay(context, day, tips)
}

async function seedDay(context: SandboxContext, day: number, tips: readonly PastTip[]): Promise<void> {
  const events = [...new Set(tips.map(({ event }) => event))]
  await applyAll(context, [...events.map(eventChange), ...tips.map(betChange)], day - 2 * DAY_MS)
  await createTips(context, tips)
  await likeTips(context, tips)
  await applyAll(context, events.flatMap(closingPrices), day)
  await applyAll(context, events.flatMap(ending), day + SETTLED_AT)
  await drainInProcess(context.database, () => day + SETTLED_AT + MINUTE_MS, false).run()
  await withdrawTips(context, tips)
}

// ---- What they picked

function picksOf(tipster: Tipster, today: number): TipsterPick[] {
  const { customerId, tips, days, sports, prices, dailyPrices = [] } = tipster
  return Array.from({ length: tips }, (_, nth) => {
    const day = today - (days - Math.floor((nth * days) / tips)) * DAY_MS
    const price = prices?.[nth % prices.length] ?? dailyPrices[(day / DAY_MS) % dailyPrices.length]
    const sportId = sports[nth % sports.length] as number
    return { tipster, customerId, nth, day, sportId, price: price as string, ending: endingOf(tipster, nth) }
  })
}

function endingOf(tipster: Tipster, nth: number): Ending {
  const { luck, tips, form, voids = 0, deadHeats = 0, deductions = 0, placed = 0 } = tipster
  const winners = form[Math.floor((nth * form.length) / tips)] as number
  const second = draw(luck, nth, 5)
  if (draw(luck, nth, 1) < winners) {
    if (second < deadHeats) return 'dead heat'
    return second < deadHeats + deductions ? 'deduction' : 'win'
  }
  if (second < voids) return 'void'
  return second < voids + placed ? 'place' : 'lose'
}

// ---- Events and bets

function eventChange({ id, sportId, name, market, start, outcomes }: PastEvent<TipsterPick>): Change {
  const startingPrice = false
  const offered = outcomes.map(({ id, name, price }) => ({
    ...{ id: `${id}`, name, price, startingPrice, status: 'active' as const },
  }))
  return putEvent(id, {
    ...{ sportId: `${sportId}`, name, startTime: new Date(start).toISOString(), status: 'active' },
    markets: [{ id: `${id}`, name: market, status: 'active', outcomes: offered }],
  })
}

/** At which the bet of a tip is settled. */
export function termsOf({ pick, outcome }: PastTip): TipTerms {
  const { eachWay, eachWayEvery, startingPrice } = pick.tipster
  const isEachWay = eachWay || (eachWayEvery !== undefined && pick.nth % eachWayEvery === 0)
  return { price: startingPrice ? null : outcome.price, eachWay: isEachWay ? EACH_WAY : null }
}

function betChange(tip: PastTip): Change {
  const { pick, bet, event, outcome } = tip
  const { price, eachWay } = termsOf(tip)
  const terms = {
    ...(price === null ? { startingPrice: true } : {}),
    ...(eachWay === null ? {} : { eachWay: EACH_WAY }),
  }
  return putBet(bet, {
    customerId: `${pick.customerId}`,
    legs: [{ outcomeId: `${outcome.id}`, ...terms }],
    placedAt: new Date(event.start - 4 * HOUR_MS).toISOString(),
  })
}

/** Who wins often has taken prices that went down afterwards. */
function closingPrices({ outcomes }: PastEvent<TipsterPick>): Change[] {
  return outcomes.flatMap(({ id, price, picks: [first] }) =>
    first === undefined ? [] : changeOutcome(id, { price: closingPrice(price, first) }),
  )
}

function closingPrice({ num, den }: PastOutcome<never>['price'], { tipster, nth }: TipsterPick) {
  const { luck, form } = tipster
  const winners = Math.round(form.reduce((sum, part) => sum + part, 0) / form.length)
  return { num: num * 500 + num * (draw(luck, nth, 3) - winners), den: den * 500 }
}

const RULE4 = 15
const FULL_TIME = 'Full time'
const SHARED = { num: 1, den: 2 }

/** As the settlement tells it. */
export function outcomeResult({ event, outcome }: Pick<PastTip, 'event' | 'outcome'>): OutcomeResult {
  const { ending, price } = outcome
  const rule4 = event.outcomes.some((one) => one.ending === 'deduction') ? RULE4 : 0
  const details = { deadHeat: null, placeDeadHeat: null, rule4: 0, startingPrice: price, closing: null }
  if (ending === 'void') return { ...details, result: 'void', startingPrice: null }
  if (ending === 'lose') return { ...details, result: 'lose' }
  if (ending === 'place') return { ...details, result: 'place', rule4 }
  return { ...details, result: 'win', rule4, deadHeat: ending === 'dead heat' ? SHARED : null }
}

function ending(event: PastEvent<TipsterPick>): Change[] {
  const { id, score } = event
  const told = score === undefined ? [] : [changeEvent(id, { score, clock: FULL_TIME })]
  return [...told, settlement(event)]
}

function settlement(event: PastEvent<TipsterPick>): Change {
  const results = event.outcomes.map((outcome): [string, Results[string]] => {
    const { result, rule4, deadHeat, startingPrice } = outcomeResult({ event, outcome })
    return [
      `${outcome.id}`,
      {
        ...{ result, rule4: `${rule4 / 100}` },
        ...(deadHeat === null ? {} : { deadHeat }),
        ...(startingPrice === null ? {} : { startingPrice }),
      },
    ]
  })
  return settleMarket(event.id, Object.fromEntries(results))
}

// ---- Tips, likes, withdrawals

async function createTips(context: SandboxContext, tips: readonly PastTip[]): Promise<void> {
  const known = new Set((await storedTips(context, tips)).keys())
  const missing = tips.filter(({ bet }) => !known.has(bet))
  await inSlices(missing, ({ pick, bet, outcome, createdAt }) => {
    const { tipster, nth, sportId } = pick
    const texts = [...tipster.texts, ...(NAMES.texts[sportId] ?? [])]
    const text = texts[draw(tipster.luck, nth, 7) % texts.length] as string
    return createMissingTip(at(context, createdAt), pick.customerId, { id: outcome.id, betId: bet, text })
  })
}

/** By bet. */
async function storedTips({ database }: SandboxContext, tips: readonly PastTip[]) {
  const outcomeIds = idListOf(new Set(tips.map(({ outcome }) => outcome.id)))
  const rows = await database.query(tipsOnOutcomes, { outcomeIds })
  return new Map(rows.map((row) => [row.bet_id, row]))
}

async function liveTips(context: SandboxContext, tips: readonly PastTip[]) {
  const stored = await storedTips(context, tips)
  return tips.flatMap((tip) => {
    const row = stored.get(tip.bet)
    return row?.state === 'live' ? [{ ...tip, commentId: row.id }] : []
  })
}

async function likeTips(context: SandboxContext, tips: readonly PastTip[]): Promise<void> {
  const live = await liveTips(context, tips)
  const likes = live.flatMap((tip) => likersOf(tip).map((customerId) => ({ ...tip, customerId })))
  await inSlices(likes, ({ customerId, commentId, createdAt }) =>
    likeComment(at(context, createdAt + HOUR_MS), customerId, commentId),
  )
}

async function withdrawTips(context: SandboxContext, tips: readonly PastTip[]): Promise<void> {
  for (const { pick, commentId } of await liveTips(context, tips)) {
    const { tipster, nth, ending, customerId, day } = pick
    if (ending !== 'lose' || draw(tipster.luck, nth, 2) >= (tipster.withdrawn ?? 0)) continue
    await deactivateComment(at(context, day + SETTLED_AT + HOUR_MS), customerId, commentId)
  }
}

/** Those that will win are liked by more. */
function likersOf({ pick: { tipster, nth, ending } }: PastTip): number[] {
  const isLiked = draw(tipster.luck, nth, 8) < (ending === 'lose' ? 30 : 60)
  const count = isLiked ? 1 + (draw(tipster.luck, nth, 9) % Math.max(1, tipster.popular)) : 0
  const first = draw(tipster.luck, nth, 10)
  return Array.from({ length: count }, (_, index) => 1 + ((first + index * 7) % SANDBOX_PROFILES.length))
}
