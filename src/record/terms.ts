import { type Fraction, MAX_PRICE, type OutcomeResult, type Result } from './figures.ts'

/** The leg of the tip's bet, as reported by the operator. */
export type Leg = {
  readonly placedAt: number
  readonly price: Fraction | null
  readonly startingPrice: boolean
  readonly eachWay: Fraction | null
}

/** The columns of a comment with the terms at which it counts. */
export type TermColumns = FractionColumns<'record' | 'each_way'> & { record_sp: number }

/** The columns of fractions: `price_num` and `price_den` of a price. */
export type FractionColumns<Name extends string> = { [column in `${Name}_num` | `${Name}_den`]: number | null }

/** The columns of an outcome with how it was settled. */
export type OutcomeResultColumns = FractionColumns<'dead_heat' | 'place_dead_heat' | 'sp' | 'closing'> & {
  result: Result | null
  rule4: number
}

/** null: it has no result. */
export function outcomeResultOf(row: OutcomeResultColumns): OutcomeResult | null {
  return row.result === null
    ? null
    : {
        result: row.result,
        deadHeat: fractionOf(row.dead_heat_num, row.dead_heat_den),
        placeDeadHeat: fractionOf(row.place_dead_heat_num, row.place_dead_heat_den),
        rule4: row.rule4,
        startingPrice: fractionOf(row.sp_num, row.sp_den),
        closing: fractionOf(row.closing_num, row.closing_den),
      }
}

const DOES_NOT_COUNT: TermColumns = {
  record_num: null,
  record_den: null,
  record_sp: 0,
  each_way_num: null,
  each_way_den: null,
}

/**
 * Fixed when a tip is created: the lower of the bet's price and the catalogue's price, which readers could get. A tip does
 * not count without a bet that was placed by then, or without a price. The price that a client sends is not checked, so it never counts.
 */
export function termsOfTip(leg: Leg | null, catalogue: Fraction | null, now: number): TermColumns {
  if (leg === null || leg.placedAt > now) return DOES_NOT_COUNT
  const eachWay = { each_way_num: leg.eachWay?.num ?? null, each_way_den: leg.eachWay?.den ?? null }
  if (leg.startingPrice) return { ...DOES_NOT_COUNT, record_sp: 1, ...eachWay }
  const price = lower(leg.price, catalogue)
  if (price === null || price.num > MAX_PRICE * price.den) return DOES_NOT_COUNT
  return { record_num: price.num, record_den: price.den, record_sp: 0, ...eachWay }
}

function lower(one: Fraction | null, other: Fraction | null): Fraction | null {
  if (one === null || other === null) return one ?? other
  // In whole numbers: products of parts up to a thousand million are beyond 53 bits.
  return BigInt(one.num) * BigInt(other.den) <= BigInt(other.num) * BigInt(one.den) ? one : other
}

/** null: a column of the fraction is. */
export function fractionOf(num: number | null, den: number | null): Fraction | null {
  return num === null || den === null ? null : { num, den }
}
