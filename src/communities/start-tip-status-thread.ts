import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Drain } from './tip-status.ts'

/**
 * In the embedded engine a batch and its disk writes would block all requests for a tenth of a second each. So large
 * settlements run in a thread with its own connections, which ends when nothing is left.
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
      // As if the process were killed: committed batches stay, the rest is done after the next start.
      void thread?.terminate()
    },
  }
}
