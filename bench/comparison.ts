// The result of alternating rounds. Absolute figures depend on who else uses the machine; the ratio of two neighbouring
// rounds depends on it least.

import type { EngineName } from './data/data-sets.ts'
import type { CpuCost } from './resource-usage.ts'
import { type Figure, figureOf, median } from './statistics.ts'

export type ServerSummary = {
  perSecond: Figure
  p50: number | null
  p99: number | null
  /** Microseconds of processor time for one request. */
  cpu: Figure
  databaseCpu: number | null
}

export type OperationResult = {
  name: string
  title: string
  engine: EngineName
  service: ServerSummary
  baseline: ServerSummary | null
  statements: number | null
  /** Requests per second of the service by those of the baseline. */
  ratio: Figure | null
}

type Round = CpuCost & { perSecond: number; p50?: number; p99?: number }

/** A round of the service and the round of the baseline after it, if there is a baseline. */
export type RoundPair<R extends Round = Round> = { service: R; baseline: R | null }

export function compareRounds(pairs: readonly RoundPair[]): Pick<OperationResult, 'service' | 'baseline' | 'ratio'> {
  const baselines = pairs.flatMap(({ baseline }) => baseline ?? [])
  const ratios = pairs.flatMap(({ service, baseline }) =>
    baseline === null ? [] : service.perSecond / baseline.perSecond,
  )
  return {
    service: summarise(pairs.map(({ service }) => service)),
    baseline: baselines.length === 0 ? null : summarise(baselines),
    ratio: ratios.length === 0 ? null : figureOf(ratios),
  }
}

export function summarise(rounds: readonly Round[]): ServerSummary {
  const medianOrNull = (values: readonly number[]) => (values.length === 0 ? null : median(values))
  return {
    perSecond: figureOf(rounds.map(({ perSecond }) => perSecond)),
    p50: medianOrNull(rounds.flatMap(({ p50 }) => p50 ?? [])),
    p99: medianOrNull(rounds.flatMap(({ p99 }) => p99 ?? [])),
    cpu: figureOf(rounds.map(({ cpu }) => cpu)),
    databaseCpu: medianOrNull(rounds.flatMap(({ databaseCpu }) => databaseCpu ?? [])),
  }
}
