const TIMES = Number(process.env.PROPERTY_RUNS ?? 1)

/** How often a property of a real service is tried, on each engine. PROPERTY_RUNS=10 tries it ten times as often. */
export function propertyRuns(count: number): number {
  return count * TIMES
}
