export type Timer = {
  /** Aborts with the caller's signal, or when the time is over. */
  readonly signal: AbortSignal
  readonly isOver: () => boolean
  readonly leftMs: () => number
  /** The time begins anew. */
  readonly restart: () => void
  /** Ends what still uses the signal. */
  readonly stop: () => void
}

/** Longer ones would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

export function startTimer(ms: number, signal: AbortSignal | undefined): Timer {
  const controller = new AbortController()
  const end = () => controller.abort(signal?.reason)
  let isOver = false
  let ends = 0
  let timeout: ReturnType<typeof setTimeout> | undefined
  const restart = () => {
    clearTimeout(timeout)
    ends = Date.now() + ms
    timeout = setTimeout(
      () => {
        isOver = true
        end()
      },
      Math.min(ms, MAX_TIMER_MS),
    )
  }
  restart()
  signal?.addEventListener('abort', end)
  if (signal?.aborted) end()
  return {
    signal: controller.signal,
    isOver: () => isOver,
    leftMs: () => ends - Date.now(),
    restart,
    stop() {
      clearTimeout(timeout)
      signal?.removeEventListener('abort', end)
      controller.abort()
    },
  }
}

/** Ends early with the signal. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  const timer = startTimer(ms, signal)
  await new Promise<void>((resolve) => {
    timer.signal.addEventListener('abort', () => resolve())
    if (timer.signal.aborted) resolve()
  })
  timer.stop()
}
