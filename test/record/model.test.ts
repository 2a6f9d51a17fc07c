// Random prices, bets, tips, results, corrections, new start times, withdrawals and restorations, in any order. After each
// look the sums of the records are those of a model that only knows what was told, in exact fractions.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type NoParameters, reading } from '../../src/platform/database/database.ts'
import { BAND_NAMES, type Fraction, type OutcomeResult, RESULTS, type Result } from '../../src/record/figures.ts'
import { SUM_COLUMNS, type TipSums } from '../../src/record/summary.ts'
import { brokenInvariants } from '../harness/community-invariants.ts'
import { exactProfit, nearest } from '../harness/exact-figures.ts'
import { propertyRuns } from '../harness/property-runs.ts'
import { type TestCustomer, useService } from '../harness/service.ts'
import { newMatch, operatorOk, postTip, type TestOutcome } from '../harness/sportsbook.ts'

const PEOPLE = 2
const MARKETS = 3
const PAST = '2020-01-01T15:00:00Z'
const FUTURE = '2030-01-01T15:00:00Z'

// ---- What is told

type Leg = { price: Fraction | null; startingPrice: boolean; eachWay: Fraction | null; placedLate: boolean }
type Told = Omit<OutcomeResult, 'closing'>
type Step =
  | { do: 'price'; outcome: number; price: Fraction | null }
  | { do: 'tip'; who: number; outcome: number; leg: Leg }
  | { do: 'settle'; outcome: number; told: Told }
  | { do: 'start'; isPast: boolean }
  | { do: 'deactivate' | 'remove' | 'restore'; tip: number }
  | { do: 'look' }

const fraction = (most: number) =>
  fc
    .record({ num: fc.integer({ min: 1, max: most }), den: fc.integer({ min: 1, max: most }) })
    .filter(({ num, den }) => num <= 10_000 * den)
const part = fc.tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 8 })).map(([one, other]) => ({
  num: Math.min(one, other),
  den: Math.max(one, other),
}))
const price = fc.oneof(fraction(30), fraction(1_000_000_000))
const outcome = fc.nat(MARKETS - 1)

const leg: fc.Arbitrary<Leg> = fc
  .record({
    price: fc.option(price),
    startingPrice: fc.boolean(),
    eachWay: fc.option(part),
    placedLate: fc.integer({ min: 0, max: 9 }).map((nth) => nth === 0),
  })
  .map((told) => (told.startingPrice ? { ...told, price: null } : told))

const told: fc.Arbitrary<Told> = fc
  .record({
    result: fc.constantFrom(...RESULTS),
    deadHeat: fc.option(part),
    placeDeadHeat: fc.option(part),
    rule4: fc.integer({ min: 0, max: 90 }),
    startingPrice: fc.option(fraction(30)),
  })
  // What contradicts itself is refused, and tested with the feed.
  .map((all) => ({
    ...all,
    deadHeat: all.result === 'win' ? all.deadHeat : null,
    placeDeadHeat: all.result === 'win' || all.result === 'place' ? all.placeDeadHeat : null,
    rule4: all.result === 'win' || all.result === 'place' ? all.rule4 : 0,
  }))

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('price' as const), outcome, price: fc.option(price) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('tip' as const), who: fc.nat(PEOPLE - 1), outcome, leg }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('settle' as const), outcome, told }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('start' as const), isPast: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('deactivate', 'remove', 'restore'), tip: fc.nat(20) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('look' as const) }) },
)

// ---- The model

type Terms = { price: Fraction | null; eachWay: Fraction | null }
type Tip = { id: number; who: number; outcome: number; terms: Terms | null; state: 'live' | 'deactivated' | 'removed' }
type ModelOutcome = { price: Fraction | null; closing: Fraction | null; told: Told | null }

class Model {
  readonly outcomes: ModelOutcome[] = Array.from({ length: MARKETS }, () => ({
    price: { num: 11, den: 10 },
    closing: { num: 11, den: 10 },
    told: null,
  }))
  readonly tips: Tip[] = []
  isPast = false

  setPrice(index: number, price: Fraction | null): void {
    const outcome = this.outcomes[index] as ModelOutcome
    outcome.price = price
    if (!this.isPast && price !== null && outcome.told === null) outcome.closing = price
  }

  termsOf(index: number, { price, startingPrice, eachWay, placedLate }: Leg): Terms | null {
    if (placedLate) return null
    if (startingPrice) return { price: null, eachWay }
    const prices = [price, (this.outcomes[index] as ModelOutcome).price].filter((each) => each !== null)
    const [lowest] = prices.sort((one, other) =>
      Number(BigInt(one.num) * BigInt(other.den) - BigInt(other.num) * BigInt(one.den)),
    )
    return lowest === undefined ? null : { price: lowest, eachWay }
  }

  /** By band; of tips before the start or in play. */
  sumsOf(who: number): Record<string, TipSums> {
    const sums: Record<string, TipSums> = {}
    const seen = new Set<number>()
    for (const tip of this.tips.filter((each) => each.who === who)) {
      const { told, closing } = this.outcomes[tip.outcome] as ModelOutcome
      const isFirst = !seen.has(tip.outcome)
      seen.add(tip.outcome)
      const price = tip.terms?.price ?? told?.startingPrice ?? null
      if (!isFirst || tip.terms === null || told === null || price === null) continue
      const key = `${this.isPast ? 'in play' : 'before'} ${bandOf(price)}`
      sums[key] = added(sums[key] ?? NOTHING, this.figuresOf(tip, price, { ...told, closing }))
    }
    return sums
  }

  figuresOf(tip: Tip, price: Fraction, told: OutcomeResult): TipSums {
    const isFixed = tip.terms?.price !== null
    const { stake, num, den } = exactProfit(price, tip.terms?.eachWay ?? null, isFixed ? told : { ...told, rule4: 0 })
    const { closing } = told
    const taken = BigInt(price.num + price.den)
    const value =
      closing !== null && isFixed && !this.isPast && stake > 0
        ? nearest(
            1_000_000n,
            taken * BigInt(closing.den) - BigInt(closing.num + closing.den) * BigInt(price.den),
            BigInt(closing.num + closing.den) * BigInt(price.den),
          )
        : null
    return {
      num_won: stake > 0 && num > 0n ? 1 : 0,
      num_lost: stake > 0 && num <= 0n ? 1 : 0,
      num_void: stake === 0 ? 1 : 0,
      num_withdrawn: tip.state === 'live' ? 0 : 1,
      staked: stake,
      profit: nearest(1_000_000n, num, den),
      odds: stake === 0 ? 0 : nearest(1_000_000n, taken, BigInt(price.den)),
      return_squares: stake === 0 ? 0 : nearest(10_000n, num * num, den * den * BigInt(stake * stake)),
      num_closing: value === null ? 0 : 1,
      closing: value ?? 0,
      num_beaten: value !== null && value > 0 ? 1 : 0,
    }
  }
}

const NOTHING = Object.fromEntries(SUM_COLUMNS.map((column) => [column, 0])) as TipSums

function added(one: TipSums, other: TipSums): TipSums {
  return Object.fromEntries(SUM_COLUMNS.map((column) => [column, one[column] + other[column]])) as TipSums
}

function bandOf({ num, den }: Fraction): string {
  const from = [16, 8, 4, 2, 1].find((least) => num >= (least - 1) * den) as number
  return BAND_NAMES.find((name) => name.startsWith(`${from}-`)) as string
}

// ---- The service

const service = useService({ LOG_LEVEL: 'silent' })

type SumRow = TipSums & { profile_id: number; in_play: number; band: number }
const storedSums = reading<NoParameters, SumRow>(
  'storedSums',
  `select profile_id, in_play, band, ${SUM_COLUMNS.map((column) => `cast(sum(${column}) as bigint) as ${column}`).join(', ')}
   from record_sum group by profile_id, in_play, band`,
)

async function sumsOf(profileId: number): Promise<Record<string, TipSums>> {
  const rows = await service.context.database.query(storedSums, {})
  const own = rows.filter((row) => row.profile_id === profileId)
  return Object.fromEntries(
    own.map(({ profile_id: _, in_play, band, ...sums }) => [
      `${in_play === 1 ? 'in play' : 'before'} ${BAND_NAMES[band - 1]}`,
      sums,
    ]),
  )
}

let betIds = 900_000

class Run {
  readonly model = new Model()
  readonly outcomes: TestOutcome[]
  readonly members: (TestCustomer & { profileId: number })[]

  constructor(outcomes: TestOutcome[], members: (TestCustomer & { profileId: number })[]) {
    this.outcomes = outcomes
    this.members = members
  }

  async take(step: Step): Promise<void> {
    if (step.do === 'price') return this.price(step.outcome, step.price)
    if (step.do === 'tip') return this.tip(step.who, step.outcome, step.leg)
    if (step.do === 'settle') return this.settle(step.outcome, step.told)
    if (step.do === 'start') return this.start(step.isPast)
    if (step.do === 'look') return this.look()
    const tip = this.model.tips[step.tip]
    if (tip !== undefined) await this.moderate(step.do, tip)
  }

  async price(index: number, price: Fraction | null): Promise<void> {
    await operatorOk(service, 'PATCH', `/outcomes/${this.outcomes[index]?.id}`, { price })
    this.model.setPrice(index, price)
  }

  async tip(who: number, index: number, leg: Leg): Promise<void> {
    const { told } = this.model.outcomes[index] as ModelOutcome
    const member = this.members[who] as TestCustomer
    const outcomeId = this.outcomes[index]?.id as number
    const betId = ++betIds
    const { price, startingPrice, eachWay, placedLate } = leg
    await operatorOk(service, 'PUT', `/bets/${betId}`, {
      customerId: member.id,
      legs: [
        {
          outcomeId,
          ...(price === null ? {} : { price }),
          startingPrice,
          ...(eachWay === null ? {} : { eachWay: { ...eachWay, places: 3 } }),
        },
      ],
      ...(placedLate ? { placedAt: '2030-01-01T00:00:00Z' } : {}),
    })
    const reply = await postTip(service, member, outcomeId, { betId })
    expect(reply.status).toBe(told === null ? 200 : 400)
    if (told !== null) return
    const id = Number(reply.json().whoCommunities.comment.id)
    this.model.tips.push({ id, who, outcome: index, terms: this.model.termsOf(index, leg), state: 'live' })
  }

  async settle(index: number, told: Told): Promise<void> {
    const { marketId, id } = this.outcomes[index] as TestOutcome
    const { result, deadHeat, placeDeadHeat, rule4, startingPrice } = told
    const details = {
      ...(deadHeat === null ? {} : { deadHeat }),
      ...(placeDeadHeat === null ? {} : { placeDeadHeat }),
      ...(rule4 === 0 ? {} : { rule4: (rule4 / 100).toFixed(2) }),
      ...(startingPrice === null ? {} : { startingPrice }),
    }
    const isPlain: boolean = Object.keys(details).length === 0
    const sent: Result | object = isPlain ? result : { result, ...details }
    await operatorOk(service, 'POST', `/markets/${marketId}/settlement`, { results: { [id]: sent } })
    ;(this.model.outcomes[index] as ModelOutcome).told = told
  }

  async start(isPast: boolean): Promise<void> {
    for (const eventId of new Set(this.outcomes.map((each) => each.eventId)))
      await operatorOk(service, 'PATCH', `/events/${eventId}`, { startTime: isPast ? PAST : FUTURE })
    this.model.isPast = isPast
  }

  async moderate(what: 'deactivate' | 'remove' | 'restore', tip: Tip): Promise<void> {
    if (what === 'deactivate') {
      const { ticket } = this.members[tip.who] as TestCustomer
      const reply = await service.call('PUT', `/v1/communities/comments/${tip.id}`, { ticket })
      expect(reply.status).toBe(204)
      if (tip.state === 'live') tip.state = 'deactivated'
    } else if (tip.state === (what === 'remove' ? 'live' : 'removed')) {
      await operatorOk(service, 'POST', `/moderation/comments/${tip.id}`, { action: what })
      tip.state = what === 'remove' ? 'removed' : 'live'
    }
  }

  async look(): Promise<void> {
    for (const [who, { profileId }] of this.members.entries()) {
      expect(await sumsOf(profileId)).toEqual(this.model.sumsOf(who))
    }
    expect(await brokenInvariants(service.context.database)).toEqual({})
  }
}

test('the sums of records are those of the model', async () => {
  const steps = fc.array(step, { minLength: 10, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const outcomes: TestOutcome[] = []
      while (outcomes.length < MARKETS) outcomes.push(...(await newMatch(service, { outcomes: 1, startTime: FUTURE })))
      const people: (TestCustomer & { profileId: number })[] = []
      while (people.length < PEOPLE) people.push(await service.member())
      const run = new Run(outcomes, people)
      for (const each of taken) await run.take(each)
      await run.look()
    }),
    { numRuns: propertyRuns(10) },
  )
})
