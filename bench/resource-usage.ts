// Processor time and memory of other processes, as Linux counts them.

import { readdirSync, readFileSync } from 'node:fs'

/** Microseconds of processor time for one request. */
export type CpuCost = { cpu: number; databaseCpu: number | null }

/** Adds the processor time of one request to the result of the work. */
export async function withCpuCost<T extends { requests: number }>(
  { pid }: { pid: number },
  databasePid: number | null,
  work: () => Promise<T>,
): Promise<T & CpuCost> {
  const used = () => ({ server: cpuSeconds(pid), database: databasePid === null ? 0 : cpuSeconds(databasePid) })
  const before = used()
  const done = await work()
  const after = used()
  const microsPerRequest = (seconds: number) => (seconds / done.requests) * 1e6
  return {
    ...done,
    cpu: microsPerRequest(after.server - before.server),
    databaseCpu: databasePid === null ? null : microsPerRequest(after.database - before.database),
  }
}

/** Processor time used so far by a process and its descendants, those that ended included. */
export function cpuSeconds(pid: number): number {
  return nanosecondsOfProcess(pid) / 1e9
}

function nanosecondsOfProcess(pid: number): number {
  try {
    const running = readdirSync(`/proc/${pid}/task`).map((thread) => nanosecondsOfThread(pid, thread))
    return running.reduce((sum, one) => sum + one, nanosecondsOfEndedChildren(pid))
  } catch (error) {
    // It ended between listing and reading.
    if (['ENOENT', 'ESRCH'].includes((error as { code?: string }).code ?? '')) return 0
    throw error
  }
}

function nanosecondsOfThread(pid: number, thread: string): number {
  const [used] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
  const children = readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean)
  return children.reduce((sum, child) => sum + nanosecondsOfProcess(Number(child)), Number(used))
}

const NANOSECONDS_PER_TICK = 1e7

/**
 * Linux has them in hundredths of a second only. Without them, a round in which PostgreSQL ends a connection would lose all
 * that the connection has ever used.
 */
function nanosecondsOfEndedChildren(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name of the program, in brackets, may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [user, system] = [fields[13], fields[14]]
  return (Number(user) + Number(system)) * NANOSECONDS_PER_TICK
}

export function residentMegabytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}
