import { describe, expect, test } from 'vitest'
import { CLAIM_MS } from '../../src/sandbox/afternoon/match-day.ts'
import { moved, priceAt, rungOf, textAt } from '../../src/sandbox/afternoon/price-ladder.ts'
import { racecardOf } from '../../src/sandbox/afternoon/racecard.ts'
import { AFTERNOON_SECONDS, clockAt, scriptOf } from '../../src/sandbox/afternoon/script.ts'

const ROUNDS = Array.from({ length: 24 }, (_, index) => index + 1)

describe('the script of an afternoon', () => {
  test('is the same each time, and another one for the next afternoon', () => {
    const told = (round: number) => JSON.stringify(scriptOf(racecardOf(round)))
    expect(told(3)).toBe(told(3))
    expect(told(3)).not.toBe(told(4))
  })

  test.each(ROUNDS)('%i: steps follow one another before the claim of the process expires', (round) => {
    const seconds = scriptOf(racecardOf(round)).map(({ at }) => at)
    const pauses = seconds.map((at, index) => at - (seconds[index - 1] ?? 0))
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...pauses) * 1_000).toBeLessThan(CLAIM_MS / 2)
    expect(seconds.at(-1)).toBe(AFTERNOON_SECONDS)
  })

  test.each(ROUNDS)('%i: each event starts, then settles, and nothing happens to it afterwards', (round) => {
    const card = racecardOf(round)
    for (const { id, startsAt, endsAt } of card.events) {
      const news = scriptOf(card).filter((step) => step.news?.eventId === id)
      expect(news.filter((step) => step.news?.state === 'running').map(({ at }) => at)).toEqual([startsAt])
      expect(news.filter((step) => step.news?.state === 'settled').map(({ at }) => at)).toEqual([endsAt])
      expect(news.at(-1)?.at).toBe(endsAt)
      for (const { at, news: told } of news) expect(told?.line).toMatch(new RegExp(`^${clockAt(at)} \\S.*`))
    }
  })

  test('has winners, losers, a void, a place, a dead heat and a deduction', () => {
    const results = racecardOf(1).events.flatMap(({ markets }) =>
      markets.flatMap((market) => Object.values(market.results)),
    )
    const kinds = results.map((one) => (typeof one === 'object' ? one.result : one))
    expect([...new Set(kinds)].sort()).toEqual(['lose', 'place', 'void', 'win'])
    expect(results.some((one) => typeof one === 'object' && one.deadHeat !== undefined)).toBe(true)
    expect(results.some((one) => typeof one === 'object' && one.rule4 !== undefined)).toBe(true)
  })

  test.each(ROUNDS)('%i: no id belongs to another afternoon, and horses have different names', (round) => {
    const idsOf = ({ events, bets }: ReturnType<typeof racecardOf>) => [
      ...bets.map(({ id }) => id),
      ...events.flatMap(({ id, markets }) => [
        id,
        ...markets.flatMap((market) => [market.id, ...market.runners.map((one) => one.id)]),
      ]),
    ]
    const [own, next] = [idsOf(racecardOf(round)), idsOf(racecardOf(round + 1))]
    expect(Math.max(...own)).toBeLessThan(Math.min(...next))
    const names = racecardOf(round).events.flatMap(({ markets }) => markets.flatMap(({ runners }) => runners))
    expect(new Set(names.map(({ name }) => name)).size).toBe(names.length)
  })
})

test('prices move along the fractions of bookmakers, and stop at the ends', () => {
  expect(textAt(moved(rungOf('2/1'), -1))).toBe('15/8')
  expect(priceAt(moved(rungOf('2/1'), 1))).toEqual({ num: 9, den: 4 })
  expect([textAt(moved(0, -5)), textAt(moved(0, 1_000))]).toEqual(['1/20', '66/1'])
})
