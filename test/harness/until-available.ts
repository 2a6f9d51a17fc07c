import { Unavailable } from '../../src/platform/runtime/unavailable.ts'

/**
 * Repeats a call that is answered 503 or 429, as clients do. On PostgreSQL a request that waits 3 seconds for a connection is, and one
 * that waits 10 seconds for others of its customer: on a busy machine those of a race do.
 */
export async function untilAvailable<R extends { status: number }>(call: () => Promise<R>): Promise<R> {
  for (;;) {
    const reply = await call()
    if (reply.status !== 503 && reply.status !== 429) return reply
  }
}

/** The same for work of the service that a test starts itself, as the service repeats it. */
export async function untilDone(work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error
    }
  }
}
