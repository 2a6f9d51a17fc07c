// What the sandbox costs: the working tree in the sandbox (*after*) against itself in production (*before*).

import { openRawConnection } from '../data/build.ts'
import { type DataLocation, type Engine, type EngineName, postgresEngine, sqliteEngine } from '../data/data-sets.ts'
import { sizes } from '../data/sizes.ts'
import type { TestBed } from '../measure.ts'
import { sendAsThroughProxy } from '../operations/operation.ts'
import { feeds, reads } from '../operations/reads.ts'
import { writes } from '../operations/writes.ts'
import { type ServerProcess, startPaddock } from '../processes.ts'
import { compareOperation, forEachSide, type SideName, type Sides } from './in-turns.ts'
import type { CompareOptions } from './options.ts'
import { addOperation, attempt, type EngineComparison, emptyResults, isWanted, paceOf } from './run.ts'

/** The sandbox's key is public, so production refuses to start with it. */
const API_KEY = 'bench-key'

/** A gateway that no request of these operations reaches. */
const PRODUCTION = {
  ...{ MODE: 'production', GATEWAY: 'adyen', ADYEN_API_KEY: 'key', ADYEN_MERCHANT_ACCOUNT: 'account' },
  ...{ ADYEN_HMAC_KEY: '0f'.repeat(32), ADYEN_URL: 'https://1a2b-checkout-live.adyenpayments.com/checkout' },
  ...{ OPERATOR_TOKEN: '3f9c0e7ab14d5286c8fe0a917d4b62e5', RATE_LIMIT_PER_SECOND: '0', RATE_LIMIT_PER_MINUTE: '0' },
}
const SETTINGS: Sides<Record<string, string>> = { before: PRODUCTION, after: {} }

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
  const results = emptyResults(name, { before: 'production', after: 'sandbox' })
  sendAsThroughProxy(API_KEY)
  const running: ServerProcess[] = []
  const startSide = async (side: SideName): Promise<TestBed> => {
    await renameApplication(locations[side])
    const settings = { ...locations[side].settings, TRUST_PROXY: '127.0.0.1', ...SETTINGS[side] }
    const service = await startPaddock(settings)
    running.push(service)
    return { engine: name, set, servers: { service, baseline: null, databasePid: engine.pid } }
  }
  try {
    const beds = await forEachSide(startSide)
    for (const operation of [...reads, ...feeds, ...writes].filter((one) => one.name !== 'deposit')) {
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

async function renameApplication({ address }: DataLocation): Promise<void> {
  const connection = await openRawConnection(address)
  await connection.rows(`update application set api_key = '${API_KEY}' returning api_key`)
  await connection.close()
}
