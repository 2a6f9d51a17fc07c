import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Drain } from './tip-status.ts'

/**
 * In the embedded engine a batch and its disk writes would hold up everybody's requests, a tenth of a second each. So the
 * bulk of the work is done by a thread with connections of its own, which lives as long as there is some.
 */
export function drainInThread(file: string): Drain {
  let thread: Worker | undefined
  return {
    run() {
      // Compiled, both files end with .js.
      const script = new URL(`./tip-status-thread${extname(import.meta.url)}`, import.meta.url)
      const working = new Worker(script, { workerData: { file } })
      thread = working
      return new Promise((resolve, reject) => {
        working.once('error', reject)
        working.once('exit', () => resolve())
      })
    },
    stop() {
      // As if the process were killed: what is committed stays, and the rest is done after the next start.
      void thread?.terminate()
    },
  }
}
