// Rounds of both sides in turns: the code of another commit (*before*) and the working tree (*after*).

import { type ServerSummary, summarise } from '../comparison.ts'
import { type LoadResult, load } from '../load.ts'
import { type Pace, prepareRounds, statementsRun, type TestBed, WARM_UP_CPU_SECONDS, warmUp } from '../measure.ts'
import { type Call, type Operation, serviceRequest } from '../operations/operation.ts'
import { needsGateway } from '../operations/writes.ts'
import type { ServiceProcess } from '../processes.ts'
import { type CpuCost, withCpuCost } from '../resource-usage.ts'
import { type Figure, figureOf, median } from '../statistics.ts'
import { capturesFinished } from './captures.ts'

export type Sides<T> = { before: T; after: T }
export type SideName = keyof Sides<unknown>
const SIDES = ['before', 'after'] as const

/** One after the other. */
export async function forEachSide<T>(work: (side: SideName) => Promise<T>): Promise<Sides<T>> {
  return { before: await work('before'), after: await work('after') }
}

/** The side that begins changes with each round, so that what a round leaves to do disturbs both alike. */
export async function inTurns<R>(rounds: number, run: (side: SideName) => Promise<R>): Promise<Sides<R[]>> {
  const results: Sides<R[]> = { before: [], after: [] }
  for (let count = 0; count < rounds; count++) {
    for (const side of count % 2 === 0 ? SIDES : SIDES.toReversed()) results[side].push(await run(side))
  }
  return results
}

/** After by before: each ratio compares neighbours in time. */
export function ratioOf<R>({ before, after }: Sides<R[]>, value: (round: R) => number): Figure {
  return figureOf(after.map((round, index) => value(round) / value(before[index] as R)))
}

export const costOf = ({ cpu, databaseCpu }: CpuCost): number => cpu + (databaseCpu ?? 0)

type SideResult = ServerSummary & {
  /** Statements of a request in the rounds. */
  statements: number
  /**
   * Of a write whose ticket is cached, and of each request of a sequence: of a like, of its unlike. Tickets are cached for
   * seconds, so that the rounds look up the more of them the slower the machine is.
   */
  statementsOfSteps: number[]
}

export type ComparedOperation = Sides<SideResult> & {
  name: string
  title: string
  /** Requests per second, after by before. */
  ratio: Figure
  /** Processor time of service and database for one request. */
  costRatio: Figure
  /** null for SQLite. */
  databaseRatio: Figure | null
}

type CountedRound = CpuCost & { requests: number; perSecond: number }
type ToCompare = Pick<Operation, 'name' | 'title'> & {
  beds: Sides<TestBed>
  rounds: number
  run: (side: SideName) => Promise<CountedRound>
}

export async function compareRoundsOf({ name, title, beds, rounds, run }: ToCompare): Promise<ComparedOperation> {
  const statements = () => forEachSide((side) => statementsRun(beds[side].servers.service.operatorPort))
  const first = await statements()
  const results = await inTurns(rounds, run)
  const last = await statements()
  const sideResult = (side: SideName): SideResult => {
    const requests = results[side].reduce((sum, round) => sum + round.requests, 0)
    return {
      ...summarise(results[side]),
      statements: (last[side] - first[side]) / requests,
      statementsOfSteps: [],
    }
  }
  const withDatabase = beds.after.servers.databasePid !== null
  return {
    name,
    title,
    before: sideResult('before'),
    after: sideResult('after'),
    ratio: ratioOf(results, ({ perSecond }) => perSecond),
    costRatio: ratioOf(results, costOf),
    databaseRatio: withDatabase ? ratioOf(results, ({ databaseCpu }) => databaseCpu ?? 0) : null,
  }
}

/** null: the data set has nobody to request it for. */
export async function compareOperation(
  operation: Operation,
  beds: Sides<TestBed>,
  { seconds, rounds }: Pace,
): Promise<ComparedOperation | null> {
  const prepared = { before: prepare(operation, beds.before, seconds), after: prepare(operation, beds.after, seconds) }
  const { before, after } = prepared
  if (before === null || after === null) return null
  const ofSide = (side: SideName) => (side === 'before' ? before : after)
  await forEachSide(async (side) => {
    const { service } = beds[side].servers
    // The first request for metrics makes V8 compile again the code that both listeners share.
    await statementsRun(service.operatorPort)
    await warmUp(service, Math.min(seconds * rounds, WARM_UP_CPU_SECONDS), ofSide(side).run)
  })
  const { name, title, writes } = operation
  const result = await compareRoundsOf({ name, title, beds, rounds, run: (side) => ofSide(side).run() })
  if (!writes) return result
  const steps = await forEachSide((side) => ofSide(side).countStatements())
  for (const side of SIDES) result[side].statementsOfSteps = steps[side]
  return result
}

type PreparedSide = { run(): Promise<CountedRound>; countStatements(): Promise<number[]> }

function prepare(operation: Operation, bed: TestBed, seconds: number): PreparedSide | null {
  const calls = operation.calls(bed.set)
  // One sequence of calls for both: no bet gets a second tip.
  const prepared = prepareRounds({ ...operation, calls: () => calls }, bed, { seconds })
  if (calls === undefined || prepared === null) return null
  const { service, databasePid } = bed.servers
  // A round of deposits is over when they are captured: otherwise their captures run in a round of the other side.
  const finished = <R extends { requests: number }>(round: () => Promise<R>) =>
    needsGateway(operation) ? capturesFinished(service.operatorPort, round) : round()
  return {
    run: () => withCpuCost(service, databasePid, () => finished(prepared.run)),
    countStatements: () =>
      statementsOfSteps(operation.sequenceLength ?? 1, service, async () => {
        const call = calls(0)
        await send(service, { path: '/v1/profiles/1', baselinePath: '', customer: call.customer as number })
        return () => finished(() => send(service, call))
      }),
  }
}

const send = ({ port }: ServiceProcess, call: Call) =>
  load({ host: '127.0.0.1', port, connections: 1, seconds: 0, request: () => serviceRequest(call) })

const SEQUENCES = 3

/** The median of some sequences, sent one request at a time; `nextCall` sends another one first, which caches the ticket. */
async function statementsOfSteps(
  length: number,
  { operatorPort }: ServiceProcess,
  nextCall: () => Promise<() => Promise<LoadResult>>,
): Promise<number[]> {
  const steps = Array.from({ length }, (): number[] => [])
  for (let count = 0; count < SEQUENCES; count++) {
    for (const step of steps) {
      const sendCall = await nextCall()
      const before = await statementsRun(operatorPort)
      const { failures, failure } = await sendCall()
      if (failures > 0) throw new Error(failure)
      step.push((await statementsRun(operatorPort)) - before)
    }
  }
  return steps.map(median)
}
