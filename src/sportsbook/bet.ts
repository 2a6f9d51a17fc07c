import { Refused } from '../platform/runtime/refused.ts'
import type { Fraction } from '../record/figures.ts'
import { type PutResult, parseTime, unknown } from './catalogue-changes.ts'
import type { Change } from './change.ts'
import { isOverOne } from './fractions.ts'
import type { Leg } from './rows.ts'

type LegInput = {
  readonly outcomeId: string
  readonly price?: Fraction
  readonly startingPrice?: boolean
  readonly eachWay?: Fraction & { readonly places: number }
}
type CashOut = { readonly at: string; readonly fraction: Fraction }

export type BetInput = {
  customerId: string
  outcomeIds?: readonly string[]
  /** The terms of outcomes, which may also be in `outcomeIds`. */
  legs?: readonly LegInput[]
  placedAt?: string
  cashOut?: readonly CashOut[]
}

export const MAX_LEGS = 100

/** Creates a bet or replaces all of it. A bet keeps its customer. */
export function putBet(id: number, input: BetInput): Change<PutResult> {
  const customerId = Number(input.customerId)
  const legs = legsOf(input)
  return {
    addIds(ids) {
      ids.bets.add(id)
      ids.knownCustomers.add(customerId)
      for (const { outcomeId } of legs) ids.knownOutcomes.add(outcomeId)
    },
    apply(rows, now) {
      const placedAt = input.placedAt === undefined ? now : parseTime(input.placedAt)
      refuseWrongNumber(legs)
      refuseWrongLegs(input.legs)
      const cashOuts = cashOutsOf(input.cashOut)
      const existing = rows.bets.get(id)
      if (existing === undefined && !rows.customers.has(customerId)) throw unknown('customer', customerId)
      if (existing !== undefined && existing.customer_id !== customerId) {
        throw new Refused('conflict', `Bet ${id} belongs to customer ${existing.customer_id}.`)
      }
      const missing = legs.find(({ outcomeId }) => !rows.outcomes.has(outcomeId))
      if (missing !== undefined) throw unknown('outcome', missing.outcomeId)
      return rows.bets.put({ id, customer_id: customerId, placed_at: placedAt, cash_outs: cashOuts, legs })
    },
  }
}

/** One for each outcome. */
function legsOf({ outcomeIds = [], legs = [] }: BetInput): Leg[] {
  const byOutcome = new Map(outcomeIds.map((outcomeId): [number, Leg['terms']] => [Number(outcomeId), null]))
  for (const leg of legs) byOutcome.set(Number(leg.outcomeId), termsOf(leg))
  return [...byOutcome].map(([outcomeId, terms]) => ({ outcomeId, terms }))
}

function termsOf({ price, startingPrice = false, eachWay }: LegInput): Leg['terms'] {
  if (price === undefined && !startingPrice && eachWay === undefined) return null
  return {
    price_num: price?.num ?? null,
    price_den: price?.den ?? null,
    starting_price: startingPrice ? 1 : 0,
    each_way_num: eachWay?.num ?? null,
    each_way_den: eachWay?.den ?? null,
    each_way_places: eachWay?.places ?? null,
  }
}

function refuseWrongNumber({ length }: readonly Leg[]): void {
  if (length === 0) throw new Refused('invalid', 'The bet has no outcome. Name at least one in outcomeIds or legs.')
  if (length > MAX_LEGS)
    throw new Refused('invalid', `The bet has ${length} outcomes. Send at most ${MAX_LEGS} in outcomeIds and legs.`)
}

function refuseWrongLegs(legs: readonly LegInput[] = []): void {
  const seen = new Set<number>()
  for (const { outcomeId, price, startingPrice, eachWay } of legs) {
    const refuse = (problem: string) => {
      throw new Refused('invalid', `The leg on outcome ${Number(outcomeId)} ${problem}`)
    }
    if (seen.has(Number(outcomeId))) refuse('occurs twice. Send it once.')
    seen.add(Number(outcomeId))
    if (price !== undefined && startingPrice)
      refuse('has a price and is at starting price. Send either price or startingPrice.')
    if (eachWay === undefined) continue
    if (eachWay.places === 1)
      refuse('is each way on 1 place: without a second place there is no place market. Leave eachWay out.')
    if (isOverOne([eachWay])) refuse(`pays ${eachWay.num}/${eachWay.den} of the odds for a place. Send at most 1/1.`)
  }
}

function cashOutsOf(cashOuts: readonly CashOut[] = []): string | null {
  if (cashOuts.length === 0) return null
  if (isOverOne(cashOuts.map(({ fraction }) => fraction)))
    throw new Refused('invalid', 'The fractions of cashOut add up to more than 1. Send parts of the whole stake.')
  return JSON.stringify(cashOuts.map(({ at, fraction: { num, den } }) => ({ at: parseTime(at), num, den })))
}
