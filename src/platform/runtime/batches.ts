import { setTimeout as pause, setImmediate as yieldToRequests } from 'node:timers/promises'

/**
 * Repeats `batch` until it returns false: nothing is left, or another process is at work. `closing`: it runs in the background,
 * and after each batch makes a pause that is `pauses` times as long.
 */
export async function inBatches(
  batch: () => Promise<boolean>,
  pauses: number,
  closing: AbortSignal | undefined,
): Promise<void> {
  while (closing?.aborted !== true) {
    const begin = performance.now()
    if (!(await batch())) return
    if (closing === undefined) await yieldToRequests()
    else await pause(pauses * (performance.now() - begin), undefined, { signal: closing })
  }
}
