// What is right: the result of an interleaving, answers and money, is that of the same transactions one after another, in some order.
// Of two operations with one transaction each, that is one operation before the other. No formula of the service is repeated.

import type { Collision } from './collisions/collision.ts'
import { newCustomer } from './customer.ts'
import { inBlocks, seededBlocks, serial } from './orders.ts'
import { blocksOf, type Order, type Played, playPair, stepsOf } from './schedule.ts'
import { overpaidCards, readState } from './state.ts'
import { forget, type World } from './world.ts'

export type Violation = {
  readonly collision: string
  readonly problems: readonly string[]
  /** Repeats it: `npm run interleavings -- --pair … --order …`. */
  readonly order: string
  readonly steps: readonly string[]
}

export type Judged = { readonly played: Played; readonly violation: Violation | null }

/** More orders of blocks than any two operations here need, and as many of jobs that run beside each other. */
const MOST_ORDERS = 200

export type Judge = {
  /** `without`: the statement that loses its lock. */
  play(order: Order, without?: string | null): Promise<Judged>
  /** How many steps each process makes if it comes first. */
  readonly steps: readonly [number, number]
  /** How many schedules were played, serial ones too. */
  played(): number
}

const TWO_CARDS = [{}, {}]

/** In an answer's words. */
const ID = /\b(customer|withdrawal|refund|dispute|part) \d+\b(?!\.)/gi

export async function judge(world: World, collision: Collision): Promise<Judge> {
  /** The results of serial orders, with the blocks that led to them. */
  const results = new Map<string, string>()
  const tried = new Set<string>()
  let seeds = 0
  let count = 0

  async function playOnce(order: Order, without: string | null) {
    const { cards = TWO_CARDS, before, pair } = collision
    const customer = await newCustomer(world, cards)
    await before(customer)
    count++
    const played = await playPair(world, await pair(customer), order, without)
    const answers = played.answers.map(({ text }) => text.replaceAll(ID, '$1'))
    const result = [...answers.map((text, index) => `process ${index} answers ${text}`), ...(await readState(customer))]
    const problems = [
      ...played.answers.flatMap(({ text, isFailure }, index) => (isFailure ? [`process ${index} fails: ${text}`] : [])),
      ...played.conflicts.map((code) => `PostgreSQL ended a transaction with ${code}: they waited for each other`),
      ...(await overpaidCards(customer)),
    ]
    await forget(world)
    return { played, result: result.join('\n'), problems }
  }

  /** Plays the blocks one after another. */
  async function learn(order: Order): Promise<Played> {
    const { played, result, problems } = await playOnce(order, null)
    const blocks = blocksOf(played)
    if (problems.length > 0) throw new Error(`${collision.name}, one after another: ${problems.join('; ')}`)
    if (!results.has(result)) results.set(result, blocks)
    tried.add(blocks)
    return played
  }

  /** Tries the order in which the blocks ended, then others. */
  async function isSerial(played: Played, result: string): Promise<boolean> {
    const blocks = blocksOf(played)
    for (const order of [blocks, ...ordersOf(blocks)].slice(0, MOST_ORDERS)) {
      if (results.has(result)) return true
      if (tried.has(order)) continue
      tried.add(order)
      await learn(inBlocks(order))
    }
    for (; seeds < MOST_ORDERS && played.isParallel; seeds++) {
      if (results.has(result)) return true
      await learn(seededBlocks(seeds))
    }
    return results.has(result)
  }

  const stepsIfFirst = async (first: 0 | 1) =>
    (await learn(serial(first))).trace.filter(({ process }) => process === first).length
  return {
    steps: [await stepsIfFirst(0), await stepsIfFirst(1)],
    played: () => count,
    async play(order, without = null) {
      const { played, result, problems } = await playOnce(order, without)
      const found = [...problems]
      if (!(await isSerial(played, result))) found.push(...differences(result, [...results.keys()]))
      const violation =
        found.length === 0
          ? null
          : { collision: collision.name, problems: found, order: played.decisions, steps: stepsOf(played) }
      return { played, violation }
    },
  }
}

/** All orders of as many blocks of each process, those with few switches first. */
function ordersOf(blocks: string): string[] {
  const [zeros, ones] = ['0', '1'].map((process) => [...blocks].filter((one) => one === process).length) as [
    number,
    number,
  ]
  const found: string[] = []
  for (let switches = 1; switches <= 3; switches++) {
    for (const first of ['0', '1'] as const) {
      const [own, others] = first === '0' ? [zeros, ones] : [ones, zeros]
      found.push(...runsOf(own, others, switches).map((runs) => inTurn(runs, first)))
    }
  }
  return found
}

/** The lengths of the runs of both in turn, with so many switches. */
function runsOf(own: number, others: number, switches: number): number[][] {
  if (switches === 0) return others === 0 && own > 0 ? [[own]] : []
  return Array.from({ length: own }, (_, index) => index + 1).flatMap((length) =>
    runsOf(others, own - length, switches - 1).map((runs) => [length, ...runs]),
  )
}

function inTurn(runs: readonly number[], first: '0' | '1'): string {
  const other = first === '0' ? '1' : '0'
  return runs.map((length, index) => (index % 2 === 0 ? first : other).repeat(length)).join('')
}

/** Compared with the serial result that is the nearest. */
function differences(result: string, serialResults: readonly string[]): string[] {
  const compared = serialResults.map((one) => compare(result.split('\n'), one.split('\n')))
  const nearest = compared.toSorted((one, other) => one.length - other.length)[0] ?? []
  return ['it ends as no serial order does; the nearest differs in', ...nearest]
}

function compare(found: readonly string[], expected: readonly string[]): string[] {
  const left = [...expected]
  const more = found.filter((line) => {
    const index = left.indexOf(line)
    if (index !== -1) left.splice(index, 1)
    return index === -1
  })
  return [...more.map((line) => `+ ${line}`), ...left.map((line) => `- ${line}`)]
}
