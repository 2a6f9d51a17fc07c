import { setTimeout as pause } from 'node:timers/promises'

export type PeriodicTask = {
  /** Waits for the run in progress, whose signal is aborted. */
  close(): Promise<void>
}

export type Schedule = {
  readonly everyMs: number
  /** Not called while closing. */
  onFailure(error: unknown): void
  /** The pause after a run that failed; `everyMs` when absent. */
  readonly afterFailureMs?: number
}

export type StartTask = (work: (closing: AbortSignal) => Promise<void>, schedule: Schedule) => PeriodicTask

/** Runs `work` at once and then repeatedly. The pause begins when a run ends, so runs never overlap. */
export const startPeriodicTask: StartTask = (work, schedule) => startTask(work, schedule, async () => {})

/** `untilNeeded`: awaited after the pause, unless the run before has failed. */
export function startTask(
  work: (closing: AbortSignal) => Promise<void>,
  { everyMs, onFailure, afterFailureMs = everyMs }: Schedule,
  untilNeeded: (closing: AbortSignal) => Promise<void>,
): PeriodicTask {
  const closing = new AbortController()
  const { signal } = closing

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const failure = await failureOf(work(signal))
      if (signal.aborted) return
      if (failure !== null) onFailure(failure.error)
      await pause(failure === null ? everyMs : afterFailureMs, undefined, { signal, ref: false }).catch(() => {})
      if (failure === null && !signal.aborted) await untilNeeded(signal)
    }
  }

  const running = run()
  return {
    close() {
      closing.abort()
      return running
    },
  }
}

function failureOf(work: Promise<void>): Promise<{ error: unknown } | null> {
  return work.then(
    () => null,
    (error: unknown) => ({ error }),
  )
}
