// Measures one operation in alternating rounds: the service, the baseline, the service again.

import { totalStatements } from '../test/harness/statement-counts.ts'
import { compareRounds, type OperationResult, type RoundPair } from './comparison.ts'
import type { DataSet, EngineName } from './data/data-sets.ts'
import { type LoadResult, load } from './load.ts'
import { baselineRequest, type Call, CONNECTIONS, type Operation, serviceRequest } from './operations/operation.ts'
import type { ServerProcess, ServiceProcess } from './processes.ts'
import { type CpuCost, cpuSeconds, withCpuCost } from './resource-usage.ts'
import { type Figure, figureOf } from './statistics.ts'

/** Many short rounds say more than few long ones: other users of the machine come and go within seconds. */
export type Pace = { seconds: number; rounds: number }
type Servers = { service: ServiceProcess; baseline: ServerProcess | null; databasePid: number | null }
/** The data and the servers that run on it. */
export type TestBed = { engine: EngineName; set: DataSet; servers: Servers }

export type Round = LoadResult & CpuCost

/** Different read requests built before a round; writes are built as they are sent. */
const PREPARED_REQUESTS = 2_048
/**
 * Before the rounds that count, code is compiled, connections plan statements and caches fill. This takes processor
 * time, so a busy machine must warm up longer.
 */
export const WARM_UP_CPU_SECONDS = 0.8

/** null: a data set of this size has nobody to request it for. */
export async function measure(operation: Operation, bed: TestBed, pace: Pace): Promise<OperationResult | null> {
  const calls = operation.calls(bed.set)
  if (calls === undefined) return null
  const prepared = { operation, calls, toBaseline: baselineRequest, warmUpCpuSeconds: WARM_UP_CPU_SECONDS }
  return resultOf(operation, bed.engine, await measureRounds(prepared, bed.servers, pace))
}

/** The rounds, and how many statements the service ran in them. */
type MeasuredRounds = { pairs: RoundPair<Round>[]; statements: number }

function resultOf({ name, title }: Operation, engine: EngineName, measured: MeasuredRounds): OperationResult {
  const { pairs, statements } = measured
  const requests = pairs.reduce((sum, { service }) => sum + service.requests, 0)
  return { name, title, engine, statements: statements / requests, ...compareRounds(pairs) }
}

type ToMeasure = {
  operation: Operation
  calls: (connection: number) => Call
  toBaseline: (call: Call) => Buffer
  warmUpCpuSeconds: number
}

async function measureRounds(
  { operation, calls, toBaseline, warmUpCpuSeconds }: ToMeasure,
  { service, baseline, databasePid }: Servers,
  { seconds, rounds }: Pace,
): Promise<MeasuredRounds> {
  const serviceRequests = requestsOf(operation, calls, serviceRequest)
  const baselineRequests = requestsOf(operation, calls, toBaseline)
  const serviceRound = () => round(operation, { server: service, request: serviceRequests, seconds }, databasePid)
  const baselineRound = async () =>
    baseline === null ? null : round(operation, { server: baseline, request: baselineRequests, seconds }, databasePid)
  const warmUpSeconds = Math.min(seconds * rounds, warmUpCpuSeconds)
  // The first request for metrics makes V8 compile again the code that both listeners share.
  await statementsRun(service.operatorPort)
  await warmUp(service, warmUpSeconds, serviceRound)
  if (baseline !== null) await warmUp(baseline, warmUpSeconds, baselineRound)
  const pairs: RoundPair<Round>[] = []
  const before = await statementsRun(service.operatorPort)
  for (let count = 0; count < rounds; count++) {
    pairs.push({ service: await serviceRound(), baseline: await baselineRound() })
  }
  return { pairs, statements: (await statementsRun(service.operatorPort)) - before }
}

/** A server that has served nothing yet has more to compile. */
const NEW_SERVER_CPU_SECONDS = 1.5

/**
 * Against a baseline that is sent the service's own requests, over several starts of both: the same program costs some
 * hundredths more or less each time that it is started.
 */
export async function measureOverStarts(
  operation: Operation,
  { engine, set, start }: Omit<TestBed, 'servers'> & { start: () => Promise<Servers & { baseline: ServerProcess }> },
  { starts, ...pace }: Pace & { starts: number },
): Promise<OperationResult | null> {
  const calls = operation.calls(set)
  if (calls === undefined) return null
  const prepared = { operation, calls, toBaseline: serviceRequest, warmUpCpuSeconds: NEW_SERVER_CPU_SECONDS }
  const all: MeasuredRounds = { pairs: [], statements: 0 }
  for (let count = 0; count < starts; count++) {
    const servers = await start()
    try {
      const { pairs, statements } = await measureRounds(prepared, servers, pace)
      all.pairs.push(...pairs)
      all.statements += statements
    } finally {
      await servers.baseline.stop()
      await servers.service.stop()
    }
  }
  return resultOf(operation, engine, all)
}

export type Growth = {
  costs: { size: string; cpu: Figure }[]
  /** Cost on the largest data set by cost on the smallest. */
  ratio: Figure
}

/** The cost of one operation on data sets of several sizes, smallest first, in alternating rounds. */
export async function measureGrowth(
  operation: Operation,
  beds: readonly TestBed[],
  pace: Pace,
): Promise<Growth | null> {
  const prepared = beds.flatMap((bed) => prepareRounds(operation, bed, pace) ?? [])
  if (prepared.length < 2) return null
  const costs = await alternatingCosts(prepared, pace)
  return {
    costs: prepared.map(({ size }, index) => ({ size, cpu: figureOf(costs[index] as number[]) })),
    ratio: costRatio(costs.at(-1) as number[], costs[0] as number[]),
  }
}

/** Cost of the first operation by cost of the second, on the same service in alternating rounds. */
export async function measurePair(
  operations: readonly [Operation, Operation],
  bed: TestBed,
  pace: Pace,
): Promise<Figure | null> {
  const prepared = operations.flatMap((operation) => prepareRounds(operation, bed, pace) ?? [])
  if (prepared.length < 2) return null
  const [first, second] = (await alternatingCosts(prepared, pace)) as [number[], number[]]
  return costRatio(first, second)
}

export type PreparedRounds = { size: string; server: ServerProcess; run(): Promise<Round> }

/** null: a data set of this size has nobody to request it for. */
export function prepareRounds(
  operation: Operation,
  { set, servers }: TestBed,
  { seconds }: Pick<Pace, 'seconds'>,
): PreparedRounds | null {
  const calls = operation.calls(set)
  if (calls === undefined) return null
  const request = requestsOf(operation, calls, serviceRequest)
  const { service: server, databasePid } = servers
  const run = () => round(operation, { server, request, seconds }, databasePid)
  return { size: set.size.name, server, run }
}

/** Microseconds of service and database for one request: for each of the prepared ones, round by round. */
async function alternatingCosts(prepared: readonly PreparedRounds[], { seconds, rounds }: Pace): Promise<number[][]> {
  const warmUpSeconds = Math.min(seconds * rounds, WARM_UP_CPU_SECONDS)
  for (const { server, run } of prepared) await warmUp(server, warmUpSeconds, run)
  const costs = prepared.map((): number[] => [])
  for (let count = 0; count < rounds; count++) {
    for (const [index, { run }] of prepared.entries()) {
      const { cpu, databaseCpu } = await run()
      costs[index]?.push(cpu + (databaseCpu ?? 0))
    }
  }
  return costs
}

function costRatio(costs: readonly number[], others: readonly number[]): Figure {
  return figureOf(costs.map((cost, round) => cost / (others[round] as number)))
}

/** By whole rounds: the code that opens and closes connections must be compiled too. */
export async function warmUp({ pid }: ServerProcess, seconds: number, runRound: () => Promise<unknown>): Promise<void> {
  const enough = cpuSeconds(pid) + seconds
  do await runRound()
  while (cpuSeconds(pid) < enough)
}

/** Reads are prepared before the rounds, writes built as they are sent. */
export function requestsOf(
  operation: Operation,
  calls: (connection: number) => Call,
  toRequest: (call: Call) => Buffer,
): (connection: number) => Buffer {
  if (operation.writes) return (connection) => toRequest(calls(connection))
  const prepared = Array.from({ length: PREPARED_REQUESTS }, () => toRequest(calls(0)))
  let next = 0
  return () => prepared[next++ % PREPARED_REQUESTS] as Buffer
}

type RoundOptions = {
  server: ServerProcess
  request: (connection: number) => Buffer
  seconds: number
  connections?: number
  isExpected?: (status: number, answer: string) => boolean
}

export async function round(
  operation: Operation,
  { server, request, seconds, connections = CONNECTIONS, isExpected = isExpectedOf(operation) }: RoundOptions,
  databasePid: number | null,
): Promise<Round> {
  const { sequenceLength = 1 } = operation
  const options = { host: '127.0.0.1', port: server.port, connections, seconds }
  const measured = await withCpuCost(server, databasePid, () =>
    load({ ...options, request, sequenceLength, isExpected }),
  )
  const { failures, requests, failure } = measured
  if (failures > 0) throw new Error(`${operation.name}: ${failures} of ${requests} failed:\n${failure}`)
  return measured
}

function isExpectedOf({ mayBeEmpty = false, mustInclude, writes }: Operation) {
  return (status: number, answer: string) =>
    status < 300 &&
    (mustInclude === undefined || answer.includes(mustInclude)) &&
    (writes || mayBeEmpty || status === 200)
}

export async function statementsRun(operatorPort: number): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${operatorPort}/metrics`)).text()
  return totalStatements(metrics)
}
