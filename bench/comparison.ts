// What rounds in turns say: each side by the middle of its rounds, and the ratio of neighbours in time, which is what a
// shared machine allows to compare.

import type { EngineName } from './data/data-sets.ts'
import { cpuSeconds, median, quantile, type Running } from './processes.ts'

/**
 * Middle of the rounds, and within which part of it the middle of endless rounds would lie, 19 times in 20. By the quartiles,
 * as the notches of a box plot: a few rounds in which the machine did something else do not count.
 */
export type Figure = { median: number; spread: number }

export type Side = {
  perSecond: Figure
  p50: number | null
  p99: number | null
  /** Microseconds of processor time for a request. */
  cpu: Figure
  databaseCpu: number | null
}

export type Result = {
  name: string
  what: string
  engine: EngineName
  service: Side
  floor: Side | null
  statements: number | null
  /** Requests per second against the floor's: middle of the rounds. */
  ratio: Figure | null
}

export type Cost = { cpu: number; databaseCpu: number | null }
export type Round = Cost & { perSecond: number; p50?: number; p99?: number }

/** The service's round and the floor's after it; null where there is no floor. */
export type Turn<R extends Round = Round> = { service: R; floor: R | null }

export function compared(turns: readonly Turn[]): Pick<Result, 'service' | 'floor' | 'ratio'> {
  const floors = turns.flatMap(({ floor }) => floor ?? [])
  const ratios = turns.flatMap(({ service, floor }) => (floor === null ? [] : service.perSecond / floor.perSecond))
  return {
    service: summarise(turns.map(({ service }) => service)),
    floor: floors.length === 0 ? null : summarise(floors),
    ratio: ratios.length === 0 ? null : figureOf(ratios),
  }
}

function summarise(rounds: readonly Round[]): Side {
  const middle = (values: readonly number[]) => (values.length === 0 ? null : median(values))
  return {
    perSecond: figureOf(rounds.map(({ perSecond }) => perSecond)),
    p50: middle(rounds.flatMap(({ p50 }) => p50 ?? [])),
    p99: middle(rounds.flatMap(({ p99 }) => p99 ?? [])),
    cpu: figureOf(rounds.map(({ cpu }) => cpu)),
    databaseCpu: middle(rounds.flatMap(({ databaseCpu }) => databaseCpu ?? [])),
  }
}

export function figureOf(values: readonly number[]): Figure {
  const middle = median(values)
  const apart = quantile(values, 0.75) - quantile(values, 0.25)
  return { median: middle, spread: middle === 0 ? 0 : (1.57 * apart) / Math.sqrt(values.length) / middle }
}

/** What the work answers, with the cost of one request in microseconds of processor time. */
export async function withCost<T extends { requests: number }>(
  server: Running,
  databasePid: number | null,
  work: () => Promise<T>,
): Promise<T & Cost> {
  const at = () => ({ cpu: cpuSeconds(server.pid), database: databasePid === null ? 0 : cpuSeconds(databasePid) })
  const before = at()
  const done = await work()
  const after = at()
  const micros = (seconds: number) => (seconds / done.requests) * 1e6
  return {
    ...done,
    cpu: micros(after.cpu - before.cpu),
    databaseCpu: databasePid === null ? null : micros(after.database - before.database),
  }
}
