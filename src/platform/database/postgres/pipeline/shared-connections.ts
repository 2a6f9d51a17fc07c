// A few connections on which single statements are pipelined: many in flight on each. The statements of one turn of the
// event loop are sent together at its end, in one system call, on the connection with the fewest in flight.

import type { Socket } from 'node:net'
import type pg from 'pg'
import { DatabaseUnavailable, type SqlValue, type Statement } from '../../database.ts'
import type { Servers } from '../servers.ts'
import { type Result, sendPrepared } from './prepared-query.ts'

type Shared = {
  readonly client: pg.Client
  readonly stream: Socket
  inFlight: number
  /** When an answer last arrived, or the first statement in flight was sent. */
  progress: number
}

/** More statements of one turn go to another connection. */
const MAX_IN_BATCH = 16

export class SharedConnections {
  readonly #config: pg.ClientConfig
  readonly #size: number
  readonly #silentMs: number
  readonly #servers: Servers
  readonly #open: Shared[] = []
  readonly #watch: NodeJS.Timeout
  #opening: Promise<void> | undefined
  #closed = false
  #batch: Shared | undefined
  #inBatch = 0

  /** A connection that answers nothing for `silentMs` while statements are in flight is closed: they all fail. */
  constructor(config: pg.ClientConfig, size: number, { silentMs, servers }: { silentMs: number; servers: Servers }) {
    this.#config = config
    this.#size = size
    this.#silentMs = silentMs
    this.#servers = servers
    this.#watch = setInterval(() => this.#closeSilent(), 1000).unref()
  }

  async send(statement: Statement<never, unknown>, values: readonly SqlValue[]): Promise<Result> {
    if (this.#closed) throw new DatabaseUnavailable('the database is closed')
    if (this.#open.length === 0) await this.#openAnother()
    // The others are opened while all are busy. A failure shows when they are needed.
    else if (this.#open.length < this.#size && this.#open.every(({ inFlight }) => inFlight > 0))
      this.#openAnother().catch(() => {})
    const shared = this.#batch !== undefined && this.#inBatch < MAX_IN_BATCH ? this.#batch : this.#startBatch()
    this.#inBatch++
    if (shared.inFlight++ === 0) shared.progress = performance.now()
    try {
      return await sendPrepared(shared.client, statement, values)
    } finally {
      shared.inFlight--
      shared.progress = performance.now()
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#watch)
    this.#flush()
    await this.#opening?.catch(() => {})
    await Promise.all([...this.#open].map(({ client }) => client.end()))
  }

  /** One at a time. */
  #openAnother(): Promise<void> {
    this.#opening ??= this.#servers
      .connectToAny(() => this.#connect())
      .finally(() => {
        this.#opening = undefined
      })
    return this.#opening
  }

  async #connect(): Promise<void> {
    const client = new this.#servers.Client({ ...this.#config, pipeline: true })
    const drop = () => {
      const index = this.#open.findIndex((one) => one.client === client)
      if (index !== -1) this.#open.splice(index, 1)
      if (this.#batch?.client === client) this.#batch = undefined
    }
    client.on('error', drop)
    client.on('end', drop)
    await client.connect()
    try {
      await this.#servers.checkForReads(client)
    } catch (error) {
      await client.end()
      throw error
    }
    if (this.#closed) return client.end()
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
    this.#open.push({ client, stream, inFlight: 0, progress: 0 })
  }

  #startBatch(): Shared {
    if (this.#open.length === 0) throw new DatabaseUnavailable('the connection was lost as soon as it was open')
    const chosen = this.#open.reduce((best, one) => (one.inFlight < best.inFlight ? one : best))
    if (this.#batch === undefined) setImmediate(() => this.#flush())
    else this.#batch.stream.uncork()
    chosen.stream.cork()
    this.#batch = chosen
    this.#inBatch = 0
    return chosen
  }

  #flush(): void {
    const flushed = this.#batch
    this.#batch = undefined
    flushed?.stream.uncork()
  }

  #closeSilent(): void {
    const now = performance.now()
    for (const { inFlight, progress, stream } of this.#open) {
      if (inFlight > 0 && now - progress > this.#silentMs) {
        stream.destroy(new Error(`Connection timeout: no answer for ${this.#silentMs} ms`))
      }
    }
  }
}
