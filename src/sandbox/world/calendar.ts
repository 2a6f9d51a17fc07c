// The past events of the sandbox. They follow from what tipsters picked: picks of one day and sport share an event where prices
// and results allow it, so that an event has tips of several people, and every record is as it was drawn.

import { readAsset } from '../../platform/runtime/assets.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/runtime/durations.ts'
import type { Fraction } from '../../record/figures.ts'
import { priceAt, rungOfChance } from '../afternoon/price-ladder.ts'
import { draw } from './draw.ts'
import { fraction } from './fixtures.ts'

/** How an outcome ends. `deduction`: it wins in a race with a non-runner (Rule 4). */
export type Ending = 'win' | 'deduction' | 'dead heat' | 'place' | 'lose' | 'void'

/** What a tipster picked; `day` is the beginning of the day. */
export type PlainPick = {
  readonly customerId: number
  readonly nth: number
  readonly day: number
  readonly sportId: number
  readonly price: string
  readonly ending: Ending
}

export type PastOutcome<P extends PlainPick> = {
  readonly id: number
  readonly name: string
  readonly price: Fraction
  readonly ending: Ending
  readonly picks: readonly P[]
}
export type PastEvent<P extends PlainPick> = {
  /** Also that of its only market. */
  readonly id: number
  readonly sportId: number
  readonly name: string
  readonly market: string
  readonly day: number
  readonly start: number
  /** As the feed would have told it; none of a race. */
  readonly score: string | undefined
  readonly outcomes: readonly PastOutcome<P>[]
}

type Sport = {
  readonly market: string
  /** How many outcomes an event has, at least and at most. */
  readonly field: readonly [number, number]
  /** The first event of a day, and the pause between two. */
  readonly firstAt: number
  readonly pause: number
}
const SPORTS: Readonly<Record<number, Sport>> = {
  10: { market: 'Match result', field: [3, 3], firstAt: 12.5 * HOUR_MS, pause: 90 * MINUTE_MS },
  21: { market: 'To win', field: [6, 9], firstAt: 12.5 * HOUR_MS, pause: 35 * MINUTE_MS },
  30: { market: 'To win', field: [2, 2], firstAt: 11 * HOUR_MS, pause: 80 * MINUTE_MS },
}
const FOOTBALL = 10
const RACING = 21
/** Of the outcomes home, draw, away. */
const DRAW_PLACE = 1
const SETS_TO_WIN = 2

type Names = {
  readonly teams: readonly string[]
  readonly players: readonly string[]
  readonly courses: readonly string[]
  readonly horses: readonly string[]
  /** By sport. */
  readonly texts: { readonly [sportId: number]: readonly string[] }
}
export const NAMES = readAsset<Names>('sandbox/calendar.json')

/** Ids of events and markets; outcomes have ten times as much. */
const FIRST_ID = 30_000

/** In the order of their start. */
export function pastEvents<P extends PlainPick>(picks: readonly P[]): PastEvent<P>[] {
  const drafts = [...Map.groupBy(picks, ({ day, sportId }) => `${day} ${sportId}`).values()].flatMap(shareEvents)
  return drafts
    .toSorted((one, other) => startOf(one) - startOf(other) || one.sportId - other.sportId)
    .map((draft, index) => eventOf(draft, FIRST_ID + index))
}

// ---- Which picks share an event

type Selection<P> = { readonly price: string; readonly ending: Ending; readonly picks: P[] }
type Draft<P> = {
  readonly sportId: number
  readonly day: number
  readonly slot: number
  readonly selections: Selection<P>[]
}

const WINNING: readonly Ending[] = ['win', 'deduction', 'dead heat']
const PLACES = 2
/** Chances that prices imply add up to a little more than 1. */
const MOST_TIPPED = 1.12
const WHOLE_BOOK = 1.18

/** Of one day and sport. The picks of a tipster keep their order. */
function shareEvents<P extends PlainPick>(picks: readonly P[]): Draft<P>[] {
  const drafts: Draft<P>[] = []
  const lastSlot = new Map<number, number>()
  for (const pick of picks) {
    const { sportId, day, customerId, price, ending } = pick
    const after = lastSlot.get(customerId) ?? -1
    let draft = drafts.find((one) => one.slot > after && isFree(one, pick))
    if (draft === undefined) {
      draft = { sportId, day, slot: drafts.length, selections: [] }
      drafts.push(draft)
    }
    const same = draft.selections.find((one) => one.price === price && one.ending === ending)
    if (same === undefined) draft.selections.push({ price, ending, picks: [pick] })
    else same.picks.push(pick)
    lastSlot.set(customerId, draft.slot)
  }
  return drafts
}

/** One outcome wins, two are placed, and somebody is left for what nobody picked. */
function isFree<P extends PlainPick>({ sportId, selections }: Draft<P>, { price, ending }: PlainPick): boolean {
  if (selections.some((one) => one.price === price && one.ending === ending)) return true
  const all = [...selections, { price, ending }]
  const winners = all.filter((one) => WINNING.includes(one.ending)).length
  const places = all.filter((one) => one.ending === 'place').length
  const others = winners === 0 || all.some((one) => one.ending === 'deduction' || one.ending === 'dead heat') ? 1 : 0
  return (
    winners <= 1 &&
    places <= PLACES &&
    all.length + others <= sportOf(sportId).field[1] &&
    all.reduce((sum, one) => sum + chanceOf(one.price), 0) <= MOST_TIPPED
  )
}

function sportOf(sportId: number): Sport {
  return SPORTS[sportId] as Sport
}

function chanceOf(price: string): number {
  const { num, den } = fraction(price)
  return den / (num + den)
}

// ---- The event with its names, prices and results

function startOf({ sportId, day, slot }: Omit<Draft<never>, 'selections'>): number {
  const { firstAt, pause } = sportOf(sportId)
  return day + firstAt + slot * pause
}

function eventOf<P extends PlainPick>(draft: Draft<P>, id: number): PastEvent<P> {
  const { sportId, day, slot } = draft
  const runners = [...draft.selections.map((one) => ({ ...one, price: fraction(one.price) })), ...othersOf(draft, id)]
  // Away before the draw, which is seldom picked; in other sports the order says nothing.
  const places = sportId === FOOTBALL ? [0, 2, 1] : runners.map((_, index) => (index + id) % runners.length)
  const { name, names } = namesOf({ sportId, day, slot }, runners.length)
  const outcomes = runners.map((runner, index) => {
    const place = places[index] as number
    return { id: id * 10 + place, name: names[place] as string, ...runner }
  })
  return {
    ...{ id, sportId, name, day, start: startOf(draft), market: sportOf(sportId).market },
    score: scoreOf(sportId, id, outcomes),
    outcomes: outcomes.toSorted((one, other) => one.id - other.id),
  }
}

/** Goals or sets of the two sides, as the winner has it. */
function scoreOf(sportId: number, id: number, outcomes: readonly { id: number; ending: Ending }[]): string | undefined {
  const winner = outcomes.find(({ ending }) => ending === 'win')
  if (sportId === RACING || winner === undefined) return undefined
  const place = winner.id - id * 10
  const fewer = draw(id, 1, 8) % 2
  if (sportId === FOOTBALL && place === DRAW_PLACE) return `${fewer} – ${fewer}`
  const more = sportId === FOOTBALL ? fewer + 1 + (draw(id, 2, 8) % 2) : SETS_TO_WIN
  return (place === 0 ? [more, fewer] : [fewer, more]).join(' – ')
}

/** What nobody picked: at prices for the chances that are left, with the results that are missing. */
function othersOf<P extends PlainPick>({ sportId, selections }: Draft<P>, id: number) {
  const [least, most] = sportOf(sportId).field
  const missing = missingEndings(sportId, selections)
  const wanted = Math.min(most, least + (draw(id, 0, 6) % (most - least + 1)))
  const count = Math.max(wanted - selections.length, missing.winning.length)
  const left = Math.max(0.06, WHOLE_BOOK - selections.reduce((sum, { price }) => sum + chanceOf(price), 0))
  const endings = [...missing.winning, ...missing.placed]
  return Array.from({ length: count }, (_, index) => ({
    // Each is less likely than the one before.
    price: priceAt(rungOfChance(count === 1 ? left : (left / 2) * 0.6 ** index)),
    ending: endings[index] ?? ('lose' as const),
    picks: [] as P[],
  }))
}

function missingEndings<P>(sportId: number, selections: readonly Selection<P>[]) {
  const has = (...endings: Ending[]) => selections.some(({ ending }) => endings.includes(ending))
  const winning: Ending[] = []
  if (!has(...WINNING)) winning.push('win')
  if (has('dead heat')) winning.push('dead heat')
  if (has('deduction')) winning.push('void')
  const placed = selections.filter(({ ending }) => ending === 'place').length
  return { winning, placed: Array<Ending>(sportId === RACING ? PLACES - placed : 0).fill('place') }
}

function namesOf(draft: Omit<Draft<never>, 'selections'>, count: number): { name: string; names: readonly string[] } {
  const { sportId, day, slot } = draft
  const nth = (day / DAY_MS) * 5 + slot
  if (sportId === RACING) {
    const names = Array.from({ length: count }, (_, index) => pick(NAMES.horses, nth * 5 + index * 7))
    return { name: `${pick(NAMES.courses, day / DAY_MS)} race ${slot + 1}`, names }
  }
  const all = sportId === FOOTBALL ? NAMES.teams : NAMES.players
  const first = (nth * 7) % all.length
  const [home, away] = [pick(all, first), pick(all, first + 1 + (nth % (all.length - 1)))]
  return { name: `${home} v ${away}`, names: sportId === FOOTBALL ? [home, 'Draw', away] : [home, away] }
}

function pick<T>(items: readonly T[], index: number): T {
  return items[index % items.length] as T
}
