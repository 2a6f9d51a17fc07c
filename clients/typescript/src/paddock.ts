import { eachItem } from './blocks.ts'
import { type CallOptions, call, type Fetch, openStream, type Settings } from './call.ts'
import type { StreamEvent } from './events.ts'
import type { Comment } from './generated/answers.ts'
import type { Each } from './generated/each.ts'
import type { Methods } from './generated/methods.ts'
import { operations } from './generated/operations.ts'
import type { GetAllMyFollowingsCommentsParameters } from './generated/parameters.ts'
import { type Operation, operationOf, type Values } from './operation.ts'
import { readStream, type StreamOptions } from './stream.ts'

export type PaddockOptions = {
  /** The address of the service, without `/v1`. Empty in a page that the service itself serves. */
  readonly baseUrl: string
  /** The key and the secret of the application. */
  readonly apiKey: string
  readonly secret: string
  /** The session of the customer for whom calls are made. */
  readonly ticket?: string | undefined
  /** The most time for a call, with all repetitions: 30 seconds, if absent. */
  readonly timeoutMs?: number | undefined
  /** How often a call is repeated at most: 2, if absent. */
  readonly retries?: number | undefined
  /** Used in place of the global `fetch`. */
  readonly fetch?: Fetch | undefined
  /**
   * `original`: calls are written as the original API documents them: follows at `/v1/profiles/me/followers/{id}`, the key in the
   * query string where it may be, parameters in the query string instead of forms.
   */
  readonly addresses?: 'original' | undefined
}

/** Which tips of the profiles that the customer follows; active ones, if not told otherwise. */
export type FeedParameters = Partial<Omit<GetAllMyFollowingsCommentsParameters, 'blockNum'>>

export type EventsOptions = StreamOptions & {
  /** The position of an event, to go on after it. */
  readonly lastEventId?: number | undefined
}

const table = Object.entries(operations).map(([name, row]) => [name, operationOf(row)] as const)

/** The methods of the operations are added to its prototype, from their table. */
const Base = class {} as new () => Methods

export class Paddock extends Base {
  readonly #options: PaddockOptions
  readonly #settings: Settings
  /** Lists, block after block: `for await (const follower of paddock.each.getFollowers({ id: 3 }))`. */
  readonly each: Each

  static {
    for (const [name, operation] of table) {
      const method = function (this: Paddock, parameters: Values = {}, options?: CallOptions & StreamOptions) {
        const run = operation.stream ? stream : call
        return run(this.#settings, operation, parameters, options)
      }
      Object.defineProperty(Paddock.prototype, name, { value: method })
    }
  }

  constructor(options: PaddockOptions) {
    super()
    this.#options = options
    this.#settings = settingsOf(options)
    this.each = eachOf(this.#settings)
  }

  /** The same settings, for another customer, or for none. */
  withTicket(ticket: string | undefined): Paddock {
    return new Paddock({ ...this.#options, ticket })
  }

  /** All tips of the profiles that the customer follows, newest first if not told otherwise. */
  feed(parameters: FeedParameters = {}, options: CallOptions = {}): AsyncGenerator<Comment, void> {
    return this.each.getAllMyFollowingsComments({ status: 'A', ...parameters }, options)
  }

  /** What concerns the customer, as it happens. Comes back where it was when the connection is lost; ends with the signal. */
  events({ lastEventId, ...options }: EventsOptions = {}): AsyncGenerator<StreamEvent, void> {
    return this.openStream({ lastEventId }, options)
  }
}

function settingsOf({ baseUrl, timeoutMs, retries, fetch, addresses, ...credentials }: PaddockOptions): Settings {
  if (!/^(https?:\/\/|\/|$)/.test(baseUrl))
    throw new TypeError(`baseUrl ${baseUrl}: write it like https://api.example.com`)
  return {
    ...credentials,
    baseUrl: baseUrl.replace(/\/+$/, '').replace(/\/v1$/, ''),
    original: addresses === 'original',
    timeoutMs: timeoutMs ?? 30_000,
    retries: retries ?? 2,
    // Browsers refuse a fetch that is called as a method of another object.
    fetch: fetch ?? ((url, init) => globalThis.fetch(url, init)),
  }
}

function stream(settings: Settings, operation: Operation, { lastEventId }: Values, options?: StreamOptions) {
  const from = lastEventId === undefined ? undefined : String(lastEventId)
  return readStream((id, signal) => openStream(settings, operation, { lastEventId: id }, signal), from, options)
}

function eachOf(settings: Settings): Each {
  const iterators = table.flatMap(([name, operation]) => {
    const { blocks } = operation
    if (blocks === undefined) return []
    const iterate = (parameters: Values = {}, options?: CallOptions) =>
      eachItem(blocks, parameters, (block) => call(settings, operation, block, options))
    return [[name, iterate] as const]
  })
  return Object.fromEntries(iterators) as unknown as Each
}
