// Alternating rounds of one operation: the service, then the floor, then the service again.

import { BY_ITSELF } from '../test/harness/background-statements.ts'
import { type Cost, compared, type Figure, figureOf, type Result, type Turn, withCost } from './comparison.ts'
import type { DataSet, EngineName } from './data/data-sets.ts'
import { load, type Measured } from './load.ts'
import { type Call, CONNECTIONS, floorRequest, type Operation, serviceRequest } from './operations/operation.ts'
import { cpuSeconds, type Running, type RunningService } from './processes.ts'

/** Many short rounds say more than few long ones: others who use the machine come and go within seconds. */
export type Pace = { seconds: number; rounds: number; warmUp?: number }
export type Servers = { service: RunningService; floor: Running | null; databasePid: number | null }

type Round = Measured & Cost

/** Different requests that are made beforehand; writes are made as they are sent. */
const PREPARED = 2_048
/**
 * Before anything counts, code is compiled, connections learn their plans and caches fill. That takes work and not
 * time: on a busy machine it must last longer.
 */
const WARM_UP_CPU_SECONDS = 0.8

/** null: the set has nobody to ask for. */
export async function measure(
  operation: Operation,
  set: DataSet,
  servers: Servers,
  pace: Pace,
  engine: EngineName,
): Promise<Result | null> {
  const calls = operation.calls(set)
  return calls === undefined ? null : resultOf(operation, engine, await taken(operation, calls, servers, pace))
}

/** What turns with the floor have said, and how many statements the service ran in them. */
type Taken = { turns: Turn<Round>[]; statements: number }

function resultOf({ name, what }: Operation, engine: EngineName, { turns, statements }: Taken): Result {
  const requests = turns.reduce((sum, { service }) => sum + service.requests, 0)
  return { name, what, engine, statements: statements / requests, ...compared(turns) }
}

async function taken(
  operation: Operation,
  calls: (connection: number) => Call,
  { service, floor, databasePid }: Servers,
  { seconds, rounds, warmUp: atMost = WARM_UP_CPU_SECONDS }: Pace,
  toFloor = floorRequest,
): Promise<Taken> {
  const ours = requestsOf(operation, calls, serviceRequest)
  const theirs = requestsOf(operation, calls, toFloor)
  const one = (server: Running, request: (connection: number) => Buffer, strict: boolean) =>
    round(operation, { server, request, seconds, strict }, databasePid)
  const enough = Math.min(seconds * rounds, atMost)
  // Asking for the metrics the first time has the engine compile anew what both listeners share.
  await statementsRun(service.operatorPort)
  await warmUp(service, enough, () => one(service, ours, true))
  if (floor !== null) await warmUp(floor, enough, () => one(floor, theirs, false))
  const turns: Turn<Round>[] = []
  const before = await statementsRun(service.operatorPort)
  for (let count = 0; count < rounds; count++) {
    const here = await one(service, ours, true)
    turns.push({ service: here, floor: floor === null ? null : await one(floor, theirs, false) })
  }
  return { turns, statements: (await statementsRun(service.operatorPort)) - before }
}

/** Code is compiled on what it has seen; a server that has served nothing yet needs longer. */
const NEW_SERVER_CPU_SECONDS = 1.5

/**
 * Against a server that is sent the same and does nothing with it, and of several starts of both: the same program costs some
 * hundredths more or less each time that it is started.
 */
export async function measureStarts(
  operation: Operation,
  set: DataSet,
  start: () => Promise<Servers & { floor: Running }>,
  { starts, ...pace }: Pace & { starts: number },
  engine: EngineName,
): Promise<Result | null> {
  const calls = operation.calls(set)
  if (calls === undefined) return null
  const all: Taken = { turns: [], statements: 0 }
  for (let count = 0; count < starts; count++) {
    const servers = await start()
    try {
      const longer = { warmUp: NEW_SERVER_CPU_SECONDS, ...pace }
      const { turns, statements } = await taken(operation, calls, servers, longer, serviceRequest)
      all.turns.push(...turns)
      all.statements += statements
    } finally {
      await servers.floor.stop()
      await servers.service.stop()
    }
  }
  return resultOf(operation, engine, all)
}

export type Growth = {
  costs: { size: string; cpu: Figure }[]
  /** How often the cost on the smallest goes into that on the largest: middle of the rounds. */
  times: Figure
}

/** The same operation on data sets of several sizes, in turns: the cost of a request on each. */
export async function measureGrowth(
  operation: Operation,
  places: readonly { set: DataSet; servers: Servers }[],
  pace: Pace,
): Promise<Growth | null> {
  const asked = places.flatMap(({ set, servers }) => asking(operation, set, servers, pace) ?? [])
  if (asked.length < 2) return null
  const costs = await costsInTurns(asked, pace)
  return {
    costs: asked.map(({ size }, place) => ({ size, cpu: figureOf(costs[place] as number[]) })),
    times: timesOf(costs.at(-1) as number[], costs[0] as number[]),
  }
}

/** How often the cost of the second operation goes into that of the first, asked of one service in turns. */
export async function measurePair(
  [one, other]: readonly [Operation, Operation],
  set: DataSet,
  servers: Servers,
  pace: Pace,
): Promise<Figure | null> {
  const asked = [one, other].flatMap((operation) => asking(operation, set, servers, pace) ?? [])
  if (asked.length < 2) return null
  const [dearer, cheaper] = (await costsInTurns(asked, pace)) as [number[], number[]]
  return timesOf(dearer, cheaper)
}

type Asking = { size: string; server: Running; one(): Promise<Round> }

function asking(operation: Operation, set: DataSet, servers: Servers, { seconds }: Pace): Asking | null {
  const calls = operation.calls(set)
  if (calls === undefined) return null
  const request = requestsOf(operation, calls, serviceRequest)
  const { service: server, databasePid } = servers
  const one = () => round(operation, { server, request, seconds, strict: true }, databasePid)
  return { size: set.size.name, server, one }
}

/** Microseconds of service and database for a request, round by round, of each. */
async function costsInTurns(asked: readonly Asking[], { seconds, rounds }: Pace): Promise<number[][]> {
  const enough = Math.min(seconds * rounds, WARM_UP_CPU_SECONDS)
  for (const { server, one } of asked) await warmUp(server, enough, one)
  const costs = asked.map((): number[] => [])
  for (let count = 0; count < rounds; count++) {
    for (const [place, { one }] of asked.entries()) {
      const { cpu, databaseCpu } = await one()
      costs[place]?.push(cpu + (databaseCpu ?? 0))
    }
  }
  return costs
}

function timesOf(dearer: readonly number[], cheaper: readonly number[]): Figure {
  return figureOf(dearer.map((cost, round) => cost / (cheaper[round] as number)))
}

/** Rounds as those that count: connections that come and go are compiled too. */
async function warmUp({ pid }: Running, cpuSecondsDue: number, round: () => Promise<unknown>): Promise<void> {
  const enough = cpuSeconds(pid) + cpuSecondsDue
  do await round()
  while (cpuSeconds(pid) < enough)
}

function requestsOf(
  operation: Operation,
  calls: (connection: number) => Call,
  toRequest: (call: Call) => Buffer,
): (connection: number) => Buffer {
  if (operation.writes) return (connection) => toRequest(calls(connection))
  const prepared = Array.from({ length: PREPARED }, () => toRequest(calls(0)))
  let turn = 0
  return () => prepared[turn++ % PREPARED] as Buffer
}

type Ask = {
  server: Running
  request: (connection: number) => Buffer
  seconds: number
  strict: boolean
}

async function round(
  operation: Operation,
  { server, request, seconds, strict }: Ask,
  databasePid: number | null,
): Promise<Round> {
  const { row = 1, mayBeEmpty = false, holds, writes } = operation
  const isRight = (status: number, answer: string) =>
    status < 300 &&
    (holds === undefined || answer.includes(holds)) &&
    (!strict || writes || mayBeEmpty || status === 200)
  const measured = await withCost(server, databasePid, () =>
    load({
      host: '127.0.0.1',
      port: server.port,
      connections: CONNECTIONS,
      seconds,
      request,
      row,
      isRight,
    }),
  )
  const { failures, requests, failure } = measured
  if (failures > 0) throw new Error(`${operation.name}: ${failures} of ${requests} failed:\n${failure}`)
  return measured
}

async function statementsRun(operatorPort: number): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${operatorPort}/metrics`)).text()
  const counts = [...metrics.matchAll(/^paddock_statement_seconds_count\{statement="(.+)"\} (\d+)$/gm)]
  return counts.reduce((sum, [, name, count]) => sum + (BY_ITSELF.includes(name as string) ? 0 : Number(count)), 0)
}
