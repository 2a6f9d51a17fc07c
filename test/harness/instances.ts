// Several processes of the service on one database, as they run behind a load balancer: each request goes to the next.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SANDBOX_KEY, SANDBOX_SECRET } from '../../src/sandbox/customers.ts'
import { type Process, run } from '../torture/processes.ts'
import type { Door } from './match-day-world.ts'
import { call, callOperator, OPERATOR_TOKEN, type Settings } from './service.ts'

const main = new URL('../../src/main.ts', import.meta.url).pathname

export type Instances = {
  /** One for each process. */
  doors: Door[]
  /** To the processes in turn. */
  balanced: Door
  stop(): Promise<void>
}

/** Started at once, with real signals and ports; `settings` name the database that they share. */
export async function startInstances(count: number, settings: Settings): Promise<Instances> {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-instances-'))
  const started = await Promise.allSettled(
    Array.from({ length: count }, (_, place) =>
      run(main, ['serve'], {
        PORT: '0',
        OPERATOR_PORT: '0',
        OPERATOR_TOKEN,
        SANDBOX_SEED: 'off',
        LOG_LEVEL: 'warn',
        ...settings,
        DATA_DIR: join(folder, `${place}`),
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
  const doors = processes.map(doorOf)
  let turn = 0
  const next = () => doors[turn++ % doors.length] as Door
  const balanced: Door = {
    call: (...request) => next().call(...request),
    operator: (...request) => next().operator(...request),
    one: next,
  }
  return { doors, balanced, stop }
}

function doorOf(process: Process): Door {
  const output = process.output()
  const open = /listens on (\S+)/.exec(output)?.[1] as string
  const operator = /operator listener is on (\S+)/.exec(output)?.[1] as string
  return {
    call: (method, path, options) => call(open, method, path, { key: SANDBOX_KEY, secret: SANDBOX_SECRET, ...options }),
    operator: (method, path, body, token) => callOperator(operator, method, path, { body, token }),
  }
}
