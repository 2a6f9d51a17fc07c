import { totalmem } from 'node:os'
import type { Check } from '../health/checks.ts'
import { type Probe, part, sizeText } from './probe.ts'

const { good, warning, critical } = part('memory', 'Memory')

/** When busy, as measured (docs/workers-and-replicas.md). The embedded database has a cache of its own. */
const PROCESS = { sqlite: 250e6, postgres: 210e6 }

export const memory: Probe = {
  name: 'memory',
  title: 'Memory',
  run({ config }) {
    const { workers, bodyMemory, databaseUrl } = config
    const processes = workers === 1 ? 1 : workers + 1
    // Each process that serves applications may hold so much, and so may the listener of the operators.
    const bodies = bodyMemory * (workers + 1)
    const busy = processes * PROCESS[databaseUrl === null ? 'sqlite' : 'postgres']
    return [memoryCheck(memoryLimit(), { processes, busy, bodies })]
  },
}

/** The limit of the container, if it has one. */
function memoryLimit(): number {
  const constrained = process.constrainedMemory()
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
}

type Need = { readonly processes: number; readonly busy: number; readonly bodies: number }

export function memoryCheck(limit: number, { processes, busy, bodies }: Need): Check {
  const those = processes === 1 ? 'The process takes' : `The ${processes} processes take`
  const detail = `${those} about ${sizeText(busy)} when busy, and up to ${sizeText(bodies)} for bodies (BODY_MEMORY_MB); ${sizeText(limit)} are there.`
  if (busy > limit) return critical(detail, 'Start fewer WORKERS, or give the machine or the container more memory.')
  if (busy + bodies > limit) {
    return warning(detail, 'Lower BODY_MEMORY_MB or WORKERS, or give the machine or the container more memory.')
  }
  return good(detail)
}
