// The database and the bank that all schedules share.

import pg from 'pg'
import { openPostgres } from '../../src/platform/database/postgres/postgres.ts'
import type { WalletsContext } from '../../src/wallets/context.ts'
import { openSandboxBank } from '../../src/wallets/gateways/sandbox/bank.ts'
import { sandboxGateway } from '../../src/wallets/gateways/sandbox/gateway.ts'
import { NEVER_MS, NOW, openContext, PATIENCE } from './context.ts'
import { startProcesses } from './processes.ts'
import type { Stage } from './schedule.ts'

export type World = Stage & {
  /** For what happens before a schedule. */
  readonly context: WalletsContext
  readonly clock: { now: number }
  readonly control: pg.Client
  close(): Promise<void>
}

/** `url`: of a database with the schema in it. */
export async function openWorld(url: string): Promise<World> {
  const control = new pg.Client({ connectionString: url })
  await control.connect()
  const bank = sandboxGateway(openSandboxBank(':memory:'), NEVER_MS)
  const database = openPostgres({ url, ...PATIENCE })
  const processes = await startProcesses(url, control)
  const clock = { now: NOW }
  return {
    control,
    clock,
    bank,
    processes,
    context: openContext(url, { database, gateway: bank, now: () => clock.now }),
    async close() {
      await processes.stop()
      await database.close()
      await control.end()
      await bank.close()
    },
  }
}

/** So that nothing of one schedule is left to do in the next one. Jobs stay: the check of the ledger asks for them. */
export async function forget({ control }: World): Promise<void> {
  await control.query(FORGET)
}

const FORGET = `update job set run_at = ${Number.MAX_SAFE_INTEGER} where run_at < ${Number.MAX_SAFE_INTEGER};
  delete from new_event; delete from money_proposal`
