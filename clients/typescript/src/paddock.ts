import { type List, listOf } from './blocks.ts'
import {
  type Call,
  type CallOptions,
  call,
  type Fetch,
  type KeyedCallOptions,
  openStream,
  type Settings,
} from './call.ts'
import type { StreamEvent, WatchedState } from './events.ts'
import type { Comment } from './generated/answers.ts'
import type { Each } from './generated/each.ts'
import type { Methods } from './generated/methods.ts'
import { operations } from './generated/operations.ts'
import type { GetAllMyFollowingsCommentsParameters } from './generated/parameters.ts'
import { version } from './generated/version.ts'
import type { Hooks } from './hooks.ts'
import { type Operation, operationsOf, type Values } from './operation.ts'
import { type Positions, writePositions } from './positions.ts'
import type { Body, HeaderValues } from './request.ts'
import { readStream, type StreamOptions } from './stream.ts'

export type PaddockOptions = Hooks & {
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
  /** Sent with each call, in place of those of the same name. */
  readonly headers?: HeaderValues | undefined
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

/** What `events` tells besides what concerns the customer. */
export type WatchOptions = {
  /** Ids of up to 100 outcomes: their prices, starts, results and new tips. */
  readonly outcomes: readonly number[]
  /** The customer's balance, and whether there are new notifications. */
  readonly account?: boolean | undefined
}

export type RequestOptions = KeyedCallOptions & {
  /** Sent as it is, with the content type of `headers`; the parameters are then in the query string. */
  readonly body?: Body | undefined
}

const table = operationsOf(operations)

const { process } = globalThis as { readonly process?: { readonly versions?: { readonly node?: string } } }
const node = process?.versions?.node
/** Browsers name themselves. */
const USER_AGENT = node && { 'user-agent': `paddock-client/${version} node/${node}` }

/** Clients of one service for several customers share what they know of writes. */
const positionsOf = new WeakMap<PaddockOptions, Positions>()

/** The methods of the operations are added to its prototype, from their table. */
const Base = class {} as new () => Methods

export class Paddock extends Base {
  readonly #options: PaddockOptions
  readonly #settings: Settings
  /** Lists, block after block: `for await (const follower of paddock.each.getFollowers({ id: 3 }))`. */
  readonly each: Each

  static {
    for (const operation of table) {
      const method = function (this: Paddock, parameters: Values = {}, options?: CallOptions & StreamOptions) {
        const run = operation.stream ? stream : call
        return run(this.#settings, operation, parameters, options)
      }
      Object.defineProperty(Paddock.prototype, operation.name, { value: method })
    }
  }

  constructor(options: PaddockOptions) {
    super()
    this.#options = options
    this.#settings = settingsOf(options, positionsOf.get(options) ?? writePositions())
    this.each = eachOf(this.#settings)
  }

  /** The same settings, for another customer, or for none. */
  withTicket(ticket: string | undefined): Paddock {
    const options = { ...this.#options, ticket }
    positionsOf.set(options, this.#settings.positions)
    return new Paddock(options)
  }

  /** All tips of the profiles that the customer follows, newest first if not told otherwise. */
  feed(parameters: FeedParameters = {}, options: CallOptions = {}): List<Comment> {
    return this.each.getAllMyFollowingsComments({ status: 'A', ...parameters }, options)
  }

  /** What concerns the customer, as it happens. Comes back where it was when the connection is lost; ends with the signal. */
  events(options: EventsOptions & WatchOptions): AsyncGenerator<StreamEvent | WatchedState, void>
  events(options?: EventsOptions): AsyncGenerator<StreamEvent, void>
  events({ lastEventId, outcomes, account, ...options }: EventsOptions & Partial<WatchOptions> = {}) {
    return this.openStream({ lastEventId, outcomes: outcomes?.join() || undefined, account }, options)
  }

  /**
   * A request for which there is no method, such as one to a later service: `request('GET', '/v1/profiles/{id}', { id: 3 })`. Parameters
   * that the path does not name go into the query string, or into the form of a POST or PUT. Answers with the JSON document as it is.
   */
  request<T = unknown>(method: string, path: string, parameters: Values = {}, options: RequestOptions = {}): Call<T> {
    const { body, idempotencyKey } = options
    const keyed = idempotencyKey !== undefined
    const operation: Operation = {
      ...{ name: path, method, path, answer: 'raw', body: 'body', keyed },
      form: body === undefined && /^P/.test(method),
      once: method === 'POST' && !keyed,
    }
    return call(
      this.#settings,
      operation,
      body === undefined ? parameters : { ...parameters, body },
      options,
    ) as Call<T>
  }
}

function withoutTrailingSlashes(url: string): string {
  return url.endsWith('/') ? withoutTrailingSlashes(url.slice(0, -1)) : url
}

function settingsOf(options: PaddockOptions, positions: Positions): Settings {
  const { baseUrl, timeoutMs = 30_000, retries = 2, headers, ...same } = options
  if (!/^(https?:\/\/|\/|$)/.test(baseUrl))
    throw new TypeError(`baseUrl ${baseUrl}: write it like https://api.example.com`)
  return {
    ...same,
    positions,
    baseUrl: withoutTrailingSlashes(baseUrl).replace(/\/v1$/, ''),
    timeoutMs,
    retries,
    headers: { ...USER_AGENT, ...headers },
    // Browsers refuse a fetch that is called as a method of another object.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
  }
}

function stream(
  settings: Settings,
  operation: Operation,
  { lastEventId, ...watched }: Values,
  options?: StreamOptions,
) {
  const call = { operation, watched }
  return readStream((id, signal) => openStream(settings, call, id, signal), lastEventId, options)
}

function eachOf(settings: Settings): Each {
  const iterators = table
    .filter(({ from0, from1 }) => from0 || from1)
    .map((operation) => [
      operation.name,
      (parameters: Values = {}, options?: CallOptions) =>
        listOf(operation, parameters, (block) => call(settings, operation, block, options)),
    ])
  return Object.fromEntries(iterators) as Each
}
