export type PeriodicTask = {
  /** Waits for the run in progress, whose signal is aborted. */
  close(): Promise<void>
}

type Schedule = {
  readonly everyMs: number
  /** Not called while closing. */
  onFailure(error: unknown): void
  /** The pause after a run that failed; `everyMs` when absent. */
  readonly afterFailureMs?: number
}

/** Runs `work` at once and then repeatedly. The pause begins when a run ends, so runs never overlap. */
export function startPeriodicTask(work: (closing: AbortSignal) => Promise<void>, schedule: Schedule): PeriodicTask {
  const { everyMs, onFailure, afterFailureMs = everyMs } = schedule
  const closing = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let running = run()

  async function run(): Promise<void> {
    let pauseMs = everyMs
    try {
      await work(closing.signal)
    } catch (error) {
      pauseMs = afterFailureMs
      if (!closing.signal.aborted) onFailure(error)
    }
    if (closing.signal.aborted) return
    timer = setTimeout(() => {
      running = run()
    }, pauseMs)
    timer.unref()
  }

  return {
    async close() {
      closing.abort()
      clearTimeout(timer)
      await running
    },
  }
}
