// Events of the sportsbook and the bets on them, as the files of assets/sandbox/ have them. Times are in minutes; each file
// states after what.

import { HOUR_MS, MINUTE_MS } from '../../platform/runtime/durations.ts'
import type { Fraction } from '../../record/figures.ts'
import { putBet } from '../../sportsbook/bet.ts'
import { changeEvent, changeMarket, changeOutcome, putEvent } from '../../sportsbook/catalogue-changes.ts'
import { applyChanges, type Change } from '../../sportsbook/change.ts'
import { type Results, settleMarket } from '../../sportsbook/settlement.ts'
import type { SandboxContext } from '../context.ts'

type StoredMarket = {
  readonly id: string
  readonly name: string
  /** By id: "Desert Lantern 5/2", or "Tin Soldier SP" (starting price). */
  readonly outcomes: { readonly [id: string]: string }
  /** Prices by outcome, oldest first: "5/2 11/4 3/1". */
  readonly prices?: { readonly [id: string]: string }
  readonly results?: Results
  readonly suspended?: true
}
export type StoredEvent = {
  readonly id: number
  readonly sportId: string
  readonly name: string
  readonly starts: number
  readonly markets: readonly StoredMarket[]
  /** In the end. */
  readonly score?: string
  readonly clock?: string
}
export type StoredBet = {
  readonly bet: number
  readonly customer: number
  readonly outcome: number
  readonly startingPrice?: true
  readonly eachWay?: true
}

const BETWEEN_PRICES = 2 * HOUR_MS

/** `base`: the time that the minutes are counted from. */
export function newEvent({ id, sportId, name, starts, markets }: StoredEvent, base: number): Change {
  const startTime = new Date(base + starts * MINUTE_MS).toISOString()
  const offered = markets.map(({ id, name, outcomes }) => ({
    ...{ id, name, status: 'active' as const, outcomes: Object.entries(outcomes).map(outcomeOf) },
  }))
  return putEvent(id, { sportId, name, startTime, status: 'active', markets: offered })
}

function outcomeOf([id, text]: [string, string]) {
  const space = text.lastIndexOf(' ')
  const [name, price] = [text.slice(0, space), text.slice(space + 1)]
  const startingPrice = price === 'SP'
  return { id, name, status: 'active' as const, startingPrice, ...(startingPrice ? {} : { price: fraction(price) }) }
}

export function newBet({ bet, customer, outcome, startingPrice, eachWay }: StoredBet, placedAt?: number): Change {
  const terms = {
    ...(startingPrice ? { startingPrice } : {}),
    ...(eachWay ? { eachWay: { num: 1, den: 5, places: 3 } } : {}),
  }
  return putBet(bet, {
    ...{ customerId: `${customer}`, legs: [{ outcomeId: `${outcome}`, ...terms }] },
    ...(placedAt === undefined ? {} : { placedAt: new Date(placedAt).toISOString() }),
  })
}

/** The last price at `last`. */
export async function movePrices(context: SandboxContext, events: readonly StoredEvent[], last: number): Promise<void> {
  const moves = events
    .flatMap(({ markets }) => markets.flatMap(({ prices = {} }) => Object.entries(prices)))
    .flatMap(([id, text]) => text.split(' ').map((price, nth, all) => ({ id, price, before: all.length - 1 - nth })))
  const together = Map.groupBy(moves, ({ before }) => before)
  for (const before of [...together.keys()].toSorted((one, other) => other - one)) {
    const changes = (together.get(before) ?? []).map(({ id, price }) =>
      changeOutcome(Number(id), { price: fraction(price) }),
    )
    await applyAll(context, changes, last - before * BETWEEN_PRICES)
  }
}

/** Scores, suspensions and results. */
export function endingOf({ id, score, clock, markets }: StoredEvent): Change[] {
  const live = { ...(score === undefined ? {} : { score }), ...(clock === undefined ? {} : { clock }) }
  return [
    ...(score === undefined ? [] : [changeEvent(id, live)]),
    ...markets.flatMap(({ id, results, suspended }): Change[] => [
      ...(results === undefined ? [] : [settleMarket(Number(id), results)]),
      ...(suspended === undefined ? [] : [changeMarket(Number(id), { status: 'suspended' })]),
    ]),
  ]
}

export async function applyAll({ database }: SandboxContext, changes: readonly Change[], now: number): Promise<void> {
  const { results } = await database.transaction((transaction) => applyChanges(transaction, changes, () => now))
  const refused = results.find((result) => result instanceof Error)
  if (refused !== undefined) throw refused
}

export function fraction(text: string): Fraction {
  const [num, den] = text.split('/')
  return { num: Number(num), den: Number(den) }
}
