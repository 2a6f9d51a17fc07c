// Several processes of the service on one database, as behind a load balancer: each request goes to the next one.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SANDBOX_KEY, SANDBOX_SECRET } from '../../src/sandbox/world/customers.ts'
import { type Process, run } from '../torture/processes.ts'
import type { Client } from './match-day-world.ts'
import { call, callOperator, OPERATOR_TOKEN, type Settings } from './service.ts'
import { paddockProgram } from './service-program.ts'

export type Instances = {
  /** One for each process. */
  clients: Client[]
  /** Sends each request to the next process. */
  balanced: Client
  stop(): Promise<void>
}

/** Starts all at the same time; `settings` name the database that they share. */
export async function startInstances(count: number, settings: Settings): Promise<Instances> {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-instances-'))
  const started = await Promise.allSettled(
    Array.from({ length: count }, (_, index) =>
      run(paddockProgram, ['serve'], {
        PORT: '0',
        OPERATOR_PORT: '0',
        OPERATOR_TOKEN,
        SANDBOX_SEED: 'off',
        LOG_LEVEL: 'warn',
        ...settings,
        DATA_DIR: join(folder, `${index}`),
      }),
    ),
  )
  const processes = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const stop = async () => {
    await Promise.all(processes.map((one) => one.kill()))
    rmSync(folder, { recursive: true, force: true })
  }
  const failed = started.find((one) => one.status === 'rejected')
  if (failed !== undefined) {
    await stop()
    throw failed.reason
  }
  const clients = processes.map(clientOf)
  let turn = 0
  const next = () => clients[turn++ % clients.length] as Client
  const balanced: Client = {
    call: (...request) => next().call(...request),
    operator: (...request) => next().operator(...request),
    one: next,
  }
  return { clients, balanced, stop }
}

function clientOf(process: Process): Client {
  const output = process.output()
  const open = /listens on (\S+)/.exec(output)?.[1] as string
  const operator = /operator listener is on (\S+)/.exec(output)?.[1] as string
  return {
    call: (method, path, options) => call(open, method, path, { key: SANDBOX_KEY, secret: SANDBOX_SECRET, ...options }),
    operator: (method, path, body, token) => callOperator(operator, method, path, { body, token }),
  }
}
