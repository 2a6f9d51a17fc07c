// A few connections on which single statements are pipelined: many in flight on each. What one turn of the event loop
// asks goes out together at its end, in one system call, on the connection that has the least to do.

import type { Socket } from 'node:net'
import pg from 'pg'
import { DatabaseUnavailable, type SqlValue, type Statement } from '../../database.ts'
import { type Result, sendPrepared } from './prepared-query.ts'

type Shared = {
  readonly client: pg.Client
  readonly stream: Socket
  /** In flight. */
  waiting: number
  /** When something was last answered, or first asked of it. */
  progress: number
}

/** More than these in one turn are shared out. */
const MOST_IN_BATCH = 16

export type SharedConnections = ReturnType<typeof sharedConnections>

/** A connection that answers nothing for `silentMs` while something waits is given up: all that waits fails. */
export function sharedConnections(config: pg.ClientConfig, size: number, silentMs: number) {
  const open: Shared[] = []
  let opening: Promise<void> | undefined
  let closed = false
  let batch: Shared | undefined
  let inBatch = 0

  async function connect(): Promise<void> {
    const client = new pg.Client({ ...config, pipeline: true })
    const drop = () => {
      const place = open.findIndex((one) => one.client === client)
      if (place !== -1) open.splice(place, 1)
      if (batch?.client === client) batch = undefined
    }
    client.on('error', drop)
    client.on('end', drop)
    await client.connect()
    if (closed) return client.end()
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
    open.push({ client, stream, waiting: 0, progress: 0 })
  }

  /** One more, unless one is on its way already. */
  function openAnother(): Promise<void> {
    opening ??= connect().finally(() => {
      opening = undefined
    })
    return opening
  }

  function flush(): void {
    const flushed = batch
    batch = undefined
    flushed?.stream.uncork()
  }

  function startBatch(): Shared {
    if (open.length === 0) throw new DatabaseUnavailable('the connection was lost as soon as it was open')
    const chosen = open.reduce((best, one) => (one.waiting < best.waiting ? one : best))
    if (batch === undefined) setImmediate(flush)
    else batch.stream.uncork()
    chosen.stream.cork()
    batch = chosen
    inBatch = 0
    return chosen
  }

  async function send(statement: Statement<never, unknown>, parameters: readonly SqlValue[]): Promise<Result> {
    if (closed) throw new DatabaseUnavailable('the database is closed')
    if (open.length === 0) await openAnother()
    // The others are opened when the first is busy; whether that works is seen by those who need them.
    else if (open.length < size) openAnother().catch(() => {})
    const shared = batch !== undefined && inBatch < MOST_IN_BATCH ? batch : startBatch()
    inBatch++
    if (shared.waiting++ === 0) shared.progress = performance.now()
    try {
      return await sendPrepared(shared.client, statement, parameters)
    } finally {
      shared.waiting--
      shared.progress = performance.now()
    }
  }

  const watch = setInterval(() => {
    const now = performance.now()
    for (const shared of open) {
      if (shared.waiting > 0 && now - shared.progress > silentMs) {
        shared.stream.destroy(new Error(`Connection timeout: no answer for ${silentMs} ms`))
      }
    }
  }, 1000).unref()

  return {
    send,
    async close(): Promise<void> {
      closed = true
      clearInterval(watch)
      flush()
      await opening?.catch(() => {})
      await Promise.all([...open].map(({ client }) => client.end()))
    },
  }
}
