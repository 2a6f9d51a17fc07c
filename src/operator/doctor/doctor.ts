// `paddock doctor`, and the same from the console: whether a service with these settings can run here. Beside health.ts, which
// says how a running service is from what it measures anyway.

import { setTimeout as pause } from 'node:timers/promises'
import type { Check } from '../health/checks.ts'
import { certificates } from './certificates.ts'
import { database } from './database.ts'
import { diskSpace } from './disk.ts'
import { fileRights } from './file-rights.ts'
import { gateway } from './gateway.ts'
import { memory } from './memory.ts'
import { pictures } from './pictures.ts'
import { type Examined, type Probe, part } from './probe.ts'
import { publicAddress } from './public-address.ts'
import { settings } from './settings.ts'

export type { Examined }

const PROBES = [settings, fileRights, diskSpace, memory, database, pictures, certificates, publicAddress, gateway]

const LIMIT_MS = 12_000

/** All begin at once; each is reported when it and those before it are done. */
export async function* examine(examined: Examined, probes: readonly Probe[] = PROBES): AsyncGenerator<Check> {
  const running = probes.map((probe) => bounded(probe, examined, LIMIT_MS))
  for (const checks of running) yield* await checks
}

/** Never rejects. */
export async function bounded(probe: Probe, examined: Examined, limitMs: number): Promise<readonly Check[]> {
  const { critical } = part(probe.name, probe.title)
  const done = new AbortController()
  const late = pause(limitMs, undefined, { ref: false, signal: done.signal }).then(() => {
    throw new Error(`it was not done within ${limitMs / 1000} s`)
  })
  try {
    return await Promise.race([(async () => probe.run(examined))(), late])
  } catch (error) {
    return [
      critical(`The check failed: ${(error as Error).message}`, 'Correct what it says, and run the checks again.'),
    ]
  } finally {
    done.abort()
    late.catch(() => {})
  }
}
