// The servers of one measurement.

import { join } from 'node:path'
import type { DataLocation, DataSet, Engine } from './data/data-sets.ts'
import type { TestBed } from './measure.ts'
import { type Mode, pathOf, type ServerProcess, start, startGateway, startPaddock } from './processes.ts'

type ServersOptions = { engine: Engine; set: DataSet; location: DataLocation; mode?: Mode }

/** The service and the baseline on one copy of the data, in the sandbox with its gateway. */
export async function withServers(
  { engine, set, location, mode = 'production' }: ServersOptions,
  work: (bed: TestBed) => Promise<void>,
): Promise<void> {
  const running: ServerProcess[] = []
  const started = async <R extends ServerProcess>(starting: Promise<R>): Promise<R> => {
    const server = await starting
    running.push(server)
    return server
  }
  try {
    const gatewayUrl = mode === 'sandbox' ? `http://127.0.0.1:${(await started(startGateway())).port}` : null
    const service = await started(
      startPaddock(
        { ...location.settings, ...(gatewayUrl === null ? {} : { SANDBOX_GATEWAY_URL: gatewayUrl }) },
        { mode },
      ),
    )
    const { address } = location
    const database = address.engine === 'sqlite' ? address.file : address.url
    const baseline = await started(start([pathOf(join('baseline', 'server.ts')), database, gatewayUrl ?? ''], {}))
    await work({ engine: engine.name, set, servers: { service, baseline, databasePid: engine.pid } })
  } finally {
    for (const server of running.reverse()) await server.stop()
  }
}
