// What the sandbox costs: the working tree in the sandbox (*after*) against itself in production (*before*). And what traces cost.

import { type Engine, type EngineName, postgresEngine, sqliteEngine } from '../data/data-sets.ts'
import { sizes } from '../data/sizes.ts'
import type { TestBed } from '../measure.ts'
import { feeds, reads } from '../operations/reads.ts'
import { needsGateway, writes } from '../operations/writes.ts'
import { type Mode, type ServerProcess, startEmptyBaseline, startPaddock } from '../processes.ts'
import { compareOperation, forEachSide, type SideName, type Sides } from './in-turns.ts'
import type { CompareOptions } from './options.ts'
import { addOperation, attempt, type EngineComparison, emptyResults, isWanted, paceOf } from './run.ts'

type Side = { readonly name: string; readonly mode: Mode; readonly settings?: Record<string, string> }

const MODES: Sides<Side> = {
  before: { name: 'production', mode: 'production' },
  after: { name: 'sandbox', mode: 'sandbox' },
}

/** The collector is a server that answers `{}` to everything, which OTLP takes for a full success. */
function tracing(ratio: number, collectorPort: number): Sides<Side> {
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collectorPort}`,
    OTEL_TRACES_SAMPLER_ARG: `${ratio}`,
  }
  return {
    before: { name: 'without traces', mode: 'production' },
    after: { name: `traces of ${ratio}`, mode: 'production', settings },
  }
}

type Given = { options: CompareOptions; log: (line: string) => void }

export async function compareModes(
  name: EngineName,
  { options, log }: Given,
  opened: Engine[],
): Promise<EngineComparison> {
  const engine = name === 'sqlite' ? sqliteEngine(options.data) : await postgresEngine(options.data)
  opened.push(engine)
  const size = sizes[options.size]
  const { set } = await engine.dataSet(size)
  const locations = await forEachSide((side) => engine.scratch(size, `mode_${side}`))
  const running: ServerProcess[] = []
  const { traces } = options
  const collector = traces === null ? null : await startEmptyBaseline()
  if (collector !== null) running.push(collector)
  const sides = collector === null || traces === null ? MODES : tracing(traces, collector.port)
  const results = emptyResults(name, { before: sides.before.name, after: sides.after.name })
  const startSide = async (side: SideName): Promise<TestBed> => {
    const { mode, settings } = sides[side]
    const service = await startPaddock({ ...locations[side].settings, ...settings }, { mode })
    running.push(service)
    return { engine: name, set, servers: { service, baseline: null, databasePid: engine.pid } }
  }
  try {
    const beds = await forEachSide(startSide)
    for (const operation of [...reads, ...feeds, ...writes].filter((one) => !needsGateway(one))) {
      if (!isWanted(options.only, operation.name)) continue
      await attempt({ results, log }, operation.name, async () => {
        const pace = operation.writes ? paceOf(operation, options) : options
        const result = await compareOperation(operation, beds, pace)
        if (result !== null) addOperation({ results, log }, result)
      })
    }
  } finally {
    for (const server of running.reverse()) await server.stop()
  }
  return results
}
