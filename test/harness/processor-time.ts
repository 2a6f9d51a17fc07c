// A setup file: notes how much processor time a test file took, for the table that the run ends with (run-summary.ts).

import { readFileSync } from 'node:fs'
import { afterAll } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    processorSeconds?: number
  }
}

const TICKS_PER_SECOND = 100

/** The time of the programs that this process started and that have ended; only Linux reports it. */
function ofPrograms(): number {
  if (process.platform !== 'linux') return 0
  const numbers = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ').map(Number) ?? []
  // proc_pid_stat(5): cutime and cstime; the first number after the name is field 3.
  return ((numbers[13] ?? 0) + (numbers[14] ?? 0)) / TICKS_PER_SECOND
}

function processorSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + ofPrograms()
}

const before = processorSeconds()

// biome-ignore lint/correctness/noEmptyPattern: Vitest takes only a pattern there
afterAll(({}, file) => {
  file.meta.processorSeconds = processorSeconds() - before
})
