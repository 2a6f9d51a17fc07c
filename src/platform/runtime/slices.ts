// Work that is long by somebody's choice, in slices between which requests are served: nobody waits longer than one slice.

/** Long enough that the pauses cost little, short enough that a request does not notice. */
const SLICE_MS = 8

const paused: (() => void)[] = []

/** Requests are served between any two slices, however much work is under way: forty exports at once would be turns of 40 slices. */
function serveRequests(): Promise<void> {
  return new Promise((resume) => {
    if (paused.push(resume) === 1) setImmediate(resumeFirst)
  })
}

function resumeFirst(): void {
  paused.shift()?.()
  if (paused.length > 0) setImmediate(resumeFirst)
}

/** Lets requests be served when it has been called for longer than a slice. Cheap to call for each item. */
export function slices(sliceMs = SLICE_MS): () => Promise<unknown> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < sliceMs) return undefined
    return serveRequests().then(() => {
      since = performance.now()
    })
  }
}

export async function inSlices<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
  const pause = slices()
  for (const item of items) {
    work(item)
    const paused = pause()
    if (paused !== undefined) await paused
  }
}

/** Work that pauses by itself wherever it may, and yields nothing. */
export type Work<Result> = Generator<undefined, Result>

/** Finishes it in slices. */
export async function finishInSlices<Result>(work: Work<Result>): Promise<Result> {
  const pause = slices()
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    const paused = pause()
    if (paused !== undefined) await paused
  }
}

/** Finishes it at once: at the start, or where it is known to be short. */
export function finishAtOnce<Result>(work: Work<Result>): Result {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}
