// What one settled tip won or lost, for one point on each part. All arithmetic is exact; a figure is rounded once, to
// millionths, so that sums of figures are exact too.

export const RESULTS = ['win', 'lose', 'void', 'push', 'half-win', 'half-lose', 'place'] as const
export type Result = (typeof RESULTS)[number]

/** As a price, `5/2` pays 5 for 2. */
export type Fraction = { readonly num: number; readonly den: number }

/** What a settlement reports about an outcome. `rule4` is the deduction from winnings, in hundredths. */
export type OutcomeResult = {
  readonly result: Result
  readonly deadHeat: Fraction | null
  readonly placeDeadHeat: Fraction | null
  readonly rule4: number
  readonly startingPrice: Fraction | null
  readonly closing: Fraction | null
}

/** The terms at which a tip counts. `price` null: at the starting price. `eachWay`: the fraction of the odds for a place. */
export type TipTerms = { readonly price: Fraction | null; readonly eachWay: Fraction | null }

export const GRADES = ['W', 'L', 'V'] as const
export type Grade = (typeof GRADES)[number]

/** Stake in points; profit, odds and closing in millionths; returnSquare in ten-thousandths. */
export type TipFigures = {
  readonly grade: Grade
  readonly stake: number
  readonly profit: number
  readonly odds: number
  readonly band: number
  /** (profit / stake)², for the spread of the yield. */
  readonly returnSquare: number
  /** The price taken, divided by the closing price, minus 1. null: at starting price, in play, or without a closing price. */
  readonly closing: number | null
}

/** Longer prices are not in the record: sums of squares stay exact in 53 bits. */
export const MAX_PRICE = 10_000

const MILLION = 1_000_000n

/** null: the tip does not count, because its starting price was not reported or is too long. */
export function figuresOfTip(terms: TipTerms, outcome: OutcomeResult, isInPlay: boolean): TipFigures | null {
  const price = terms.price ?? outcome.startingPrice
  if (price === null || price.num > MAX_PRICE * price.den) return null
  const isAtStartingPrice = terms.price === null
  const odds = roundedTo(MILLION, plus(ONE, ratio(price)))
  const band = bandOf(price)
  const parts = partsOf(price, isAtStartingPrice ? { ...outcome, rule4: 0 } : outcome, terms.eachWay)
  const { closing } = outcome
  const hasClosing = closing !== null && !isAtStartingPrice && !isInPlay && parts.length > 0
  const profit = parts.reduce(plus, ZERO)
  const stake = parts.length
  return {
    grade: stake === 0 ? 'V' : profit.num > 0n ? 'W' : 'L',
    stake,
    profit: roundedTo(MILLION, profit),
    odds: stake === 0 ? 0 : odds,
    band,
    returnSquare: stake === 0 ? 0 : roundedTo(10_000n, squareOf({ num: profit.num, den: profit.den * BigInt(stake) })),
    closing: hasClosing
      ? roundedTo(MILLION, minus(quotient(plus(ONE, ratio(price)), plus(ONE, ratio(closing))), ONE))
      : null,
  }
}

/** The profit of each part on which a point is staked: none, one, or win and place. */
function partsOf(price: Fraction, outcome: OutcomeResult, eachWay: Fraction | null): Ratio[] {
  const { result, deadHeat, placeDeadHeat, rule4 } = outcome
  const kept = { num: BigInt(100 - rule4), den: 100n }
  const winnings = times(ratio(price), kept)
  const won = () => minus(times(ratio(deadHeat ?? WHOLE), plus(ONE, winnings)), ONE)
  if (result === 'void' || result === 'push') return []
  // Handicaps have no places: nothing is staked on one.
  if (result === 'half-win') return [times(HALF, winnings)]
  if (result === 'half-lose') return [minus(ZERO, HALF)]
  const winPart = result === 'win' ? won() : LOST
  if (eachWay === null) return [winPart]
  const isPlaced = result === 'win' || result === 'place'
  const placeReturn = plus(ONE, times(winnings, ratio(eachWay)))
  return [winPart, isPlaced ? minus(times(ratio(placeDeadHeat ?? WHOLE), placeReturn), ONE) : LOST]
}

// ---- Price bands

/** Bands of decimal odds, from the first up to but not including the second. */
const BANDS: readonly (readonly [name: string, from: number, below: number])[] = [
  ['1-2', 1, 2],
  ['2-4', 2, 4],
  ['4-8', 4, 8],
  ['8-16', 8, 16],
  ['16-up', 16, Number.POSITIVE_INFINITY],
]
export const BAND_NAMES = BANDS.map(([name]) => name)

/** 1 to 5: the position in BAND_NAMES, from 1 on. */
function bandOf({ num, den }: Fraction): number {
  return BANDS.findIndex(([, , below]) => num < (below - 1) * den) + 1
}

// ---- Exact fractions of whole numbers

type Ratio = { readonly num: bigint; readonly den: bigint }

const ZERO: Ratio = { num: 0n, den: 1n }
const ONE: Ratio = { num: 1n, den: 1n }
const HALF: Ratio = { num: 1n, den: 2n }
const LOST: Ratio = { num: -1n, den: 1n }
const WHOLE: Fraction = { num: 1, den: 1 }

function ratio({ num, den }: Fraction): Ratio {
  return { num: BigInt(num), den: BigInt(den) }
}
function plus(one: Ratio, other: Ratio): Ratio {
  return { num: one.num * other.den + other.num * one.den, den: one.den * other.den }
}
function minus(one: Ratio, other: Ratio): Ratio {
  return plus(one, { num: -other.num, den: other.den })
}
function times(one: Ratio, other: Ratio): Ratio {
  return { num: one.num * other.num, den: one.den * other.den }
}
function quotient(one: Ratio, other: Ratio): Ratio {
  return times(one, { num: other.den, den: other.num })
}
function squareOf(one: Ratio): Ratio {
  return times(one, one)
}

/** Rounds to units of 1/`parts`, halves away from zero. */
export function roundedTo(parts: bigint, { num, den }: Ratio): number {
  const doubled = 2n * num * parts
  const rounded = (num < 0n ? doubled - den : doubled + den) / (2n * den)
  return Number(rounded)
}
