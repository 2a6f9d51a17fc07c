// Block 100 of a home feed with nothing cached. A follow and its unfollow make the service forget where the blocks of the
// reader's feed begin; what these two cost is measured apart and subtracted.

import { readerOf } from '../data/sizes.ts'
import {
  type Pace,
  type PreparedRounds,
  prepareRounds,
  type Round,
  statementsRun,
  type TestBed,
  WARM_UP_CPU_SECONDS,
  warmUp,
} from '../measure.ts'
import type { Call, Operation } from '../operations/operation.ts'
import { feeds } from '../operations/reads.ts'
import type { CpuCost } from '../resource-usage.ts'
import { type Figure, figureOf, median } from '../statistics.ts'
import { costOf, forEachSide, inTurns, ratioOf, type SideName, type Sides } from './in-turns.ts'

export type ColdFeed = { name: string; title: string; followings: number; order: string }

const FOLLOWINGS = [200, 1_000, 20_000]
const ORDERS = ['R', 'L', 'E']
const BLOCK = 100

export const coldFeeds: ColdFeed[] = FOLLOWINGS.flatMap((followings) =>
  ORDERS.map((order) => ({
    name: `cold-feed-${followings}-${order}`,
    title: `home feed, ${followings.toLocaleString('en')} followings, ${order}`,
    followings,
    order,
  })),
)

type SideCosts = { first: CpuCost; cold: CpuCost; times: Figure }
export type ComparedColdFeed = Omit<ColdFeed, 'followings' | 'order'> &
  Sides<SideCosts> & {
    /** Cost of the cold block, after by before. */
    ratio: Figure
  }

/** The costs of one request: block 1, and block 100 with nothing cached. */
type RoundCosts = { first: CpuCost; cold: CpuCost }

/** null: nobody in the data set has so many followings. */
export async function compareColdFeed(
  { name, title, followings, order }: ColdFeed,
  beds: Sides<TestBed>,
  { seconds, rounds }: Pace,
): Promise<ComparedColdFeed | null> {
  const first = feeds.find((feed) => feed.name === `feed-${followings}-${order}-1`) as Operation
  const cold = feeds.find((feed) => feed.name === `feed-${followings}-${order}-${BLOCK}`) as Operation
  const prepareSide = (bed: TestBed) => prepare({ first, cold, followings }, bed, seconds)
  const prepared = { before: prepareSide(beds.before), after: prepareSide(beds.after) }
  const { before, after } = prepared
  if (before === null || after === null) return null
  await forEachSide((side) => warmUpAll(side === 'before' ? before : after, beds[side], seconds * rounds))
  const results = await inTurns(rounds, (side: SideName) => costsOfRound(side === 'before' ? before : after))
  return {
    name,
    title,
    before: summarised(results.before),
    after: summarised(results.after),
    ratio: ratioOf(results, (round) => costOf(round.cold)),
  }
}

type Prepared = { first: PreparedRounds; forget: PreparedRounds; forgetAndRead: PreparedRounds }
type FeedOperations = { first: Operation; cold: Operation; followings: number }

function prepare({ first, cold, followings }: FeedOperations, bed: TestBed, seconds: number): Prepared | null {
  const reader = readerOf(bed.set.size, followings)
  const read = cold.calls(bed.set)
  if (reader === undefined || read === undefined) return null
  const sequence = (name: string, length: number, step: (connection: number, index: number) => Call): Operation => ({
    ...cold,
    name,
    writes: true,
    sequenceLength: length,
    calls: () => inSequence(length, step),
  })
  const forget = (connection: number, index: number) => followOrUnfollow(reader, connection, index)
  const prepareOne = (operation: Operation) => prepareRounds(operation, bed, { seconds }) as PreparedRounds
  return {
    first: prepareOne(first),
    forget: prepareOne(sequence('forget', 2, forget)),
    forgetAndRead: prepareOne(
      sequence('forget-and-read', 3, (connection, index) =>
        index === 2 ? read(connection) : forget(connection, index),
      ),
    ),
  }
}

/** Each connection counts by itself. */
function inSequence(length: number, step: (connection: number, index: number) => Call): (connection: number) => Call {
  const counts: number[] = []
  return (connection) => {
    const count = counts[connection] ?? 0
    counts[connection] = count + 1
    return step(connection, count % length)
  }
}

/** Each connection follows another writer. Readers follow odd ids only (bench/data/sizes.ts), and writers are active. */
function followOrUnfollow(customer: number, connection: number, index: number): Call {
  const path = `/v1/profiles/me/followings/${2 * connection + 2}`
  return { method: index === 0 ? 'POST' : 'DELETE', path, customer, baselinePath: '' }
}

/** On each of its connections PostgreSQL plans the statements of a cold block once. */
const COLD_WARM_UP_ROUNDS = 2

async function warmUpAll(
  { first, forget, forgetAndRead }: Prepared,
  { servers: { service } }: TestBed,
  mostSeconds: number,
): Promise<void> {
  await statementsRun(service.operatorPort)
  const seconds = Math.min(mostSeconds, WARM_UP_CPU_SECONDS)
  for (const { run } of [first, forget]) await warmUp(service, seconds, run)
  for (let count = 0; count < COLD_WARM_UP_ROUNDS; count++) await forgetAndRead.run()
}

async function costsOfRound({ first, forget, forgetAndRead }: Prepared): Promise<RoundCosts> {
  const [firstRound, forgetRound, coldRound] = [await first.run(), await forget.run(), await forgetAndRead.run()]
  return { first: firstRound, cold: withoutForgetting(coldRound, forgetRound) }
}

/** The rounds have the cost of one request: a third of a whole sequence, and a half of a follow and its unfollow. */
function withoutForgetting(sequence: Round, forget: Round): CpuCost {
  const { cpu, databaseCpu } = sequence
  return {
    cpu: 3 * cpu - 2 * forget.cpu,
    databaseCpu: databaseCpu === null ? null : 3 * databaseCpu - 2 * (forget.databaseCpu ?? 0),
  }
}

function summarised(rounds: readonly RoundCosts[]): SideCosts {
  const medianOf = (costs: readonly CpuCost[]): CpuCost => {
    const ofDatabase = costs.flatMap(({ databaseCpu }) => databaseCpu ?? [])
    return {
      cpu: median(costs.map(({ cpu }) => cpu)),
      databaseCpu: ofDatabase.length === 0 ? null : median(ofDatabase),
    }
  }
  return {
    first: medianOf(rounds.map(({ first }) => first)),
    cold: medianOf(rounds.map(({ cold }) => cold)),
    times: figureOf(rounds.map(({ first, cold }) => timesFirst(first, cold))),
  }
}

/** The cost of the database alone, where it is a process of its own: the service's share is the same for every block. */
function timesFirst(first: CpuCost, cold: CpuCost): number {
  return (cold.databaseCpu ?? cold.cpu) / (first.databaseCpu ?? first.cpu)
}
