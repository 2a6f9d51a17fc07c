// How any operation is served: who calls, what they ask, the operation's own function, the answer. In the order of
// ruling R1; the first fault found is the one answered.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Application } from '../applications/application.ts'
import type { RateLimiter } from '../applications/rate-limit.ts'
import type { Context } from '../context.ts'
import { Fault } from '../faults.ts'
import type { Writer } from '../representation/compile.ts'
import { jsonWriter } from '../representation/json.ts'
import { xmlWriter } from '../representation/xml.ts'
import { compileRowFactory } from '../runtime/compile-row-factory.ts'
import type { MaybePromise } from '../runtime/maybe-promise.ts'
import { type BodyRules, EMPTY, hasBody, ignoreBody, readBody } from './body.ts'
import { identifyApplication, identifyCustomer, type Pairs } from './credentials.ts'
import { faultBody, toFault } from './failures.ts'
import { type Budget, heldBy, type uploadLimits } from './limits.ts'
import { negotiate, type Representation } from './negotiate.ts'
import { areaOf, type Operation } from './operation.ts'
import { checked, headerText, judgeRaw, type Parameter, parsePairs, type Raw, readRaw } from './parameters.ts'
import { isOverTls } from './proxies.ts'
import { sendNothing, sendText } from './raw-response.ts'
import type { Recorder, RequestRecord } from './request-record.ts'
import type { WrongSecrets } from './wrong-secrets.ts'

/** A request for an operation, and where its answer goes. */
export type Exchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The variable parts of the path. */
  readonly path: Readonly<Record<string, string>>
  readonly served: RequestRecord
}

export type Guards = {
  limiter: RateLimiter
  /** Requests served at once. */
  slots: Budget
  /** Bytes of bodies that are held at once. */
  bodyMemory: Budget
  uploads: ReturnType<typeof uploadLimits>
  recorder: Recorder
  wrongSecrets: WrongSecrets
}

const LARGEST_BODY = 64 * 1024
const LARGEST_PICTURE = 10 * 1024 * 1024

/**
 * The steps of an operation, each with what was found before it in its `call`. Promises are made only where something must be
 * waited for: a caller seen in the last seconds is known at once.
 */
export function serveOperation(context: Context, operation: Operation, guards: Guards) {
  const { document, status } = operation.answer
  const writers: Record<Representation, Writer> | null =
    document === null ? null : { xml: xmlWriter(document), json: jsonWriter(document) }
  const parameters = Object.entries(operation.parameters)
  const named = compileRowFactory(Object.keys(operation.parameters))
  const largestBody = operation.body === 'picture' ? LARGEST_PICTURE : LARGEST_BODY
  const takesForm = parameters.some(([, { from }]) => from === 'query or form')

  function serve(exchange: Exchange): void {
    exchange.served.operation = operation.name
    const accepted = negotiate(exchange.request.headers.accept)
    const call = newCall(exchange, accepted)
    try {
      guards.slots.take(null, 1)
      call.hasSlot = true
      const value = receive(call)
      if (value instanceof Promise) answerLater(call, value)
      else succeed(call, value)
    } catch (error) {
      fail(call, error)
    }
  }

  function receive(call: Call): unknown {
    const { request } = call.exchange
    const { mode, trustedProxies } = context.config
    if (mode === 'production' && !isOverTls(request, trustedProxies)) throw new Fault('plainHttp', '')
    call.query = queryOf(request.url ?? '')
    const application = identifyApplication(
      context.applications,
      request,
      operation.keyInQuery ? call.query : null,
      guards.wrongSecrets,
    )
    return goOn(application, call, fromApplication)
  }

  function fromApplication(call: Call, { apiKey, rateLimit }: Application): unknown {
    call.exchange.served.application = apiKey
    guards.slots.assign(apiKey, 1)
    call.slotHolder = apiKey
    return goOn(guards.limiter.take(apiKey, rateLimit), call, withinLimits)
  }

  function withinLimits(call: Call): unknown {
    const customer = identifyCustomer(context.tickets, call.exchange.request.headers, operation.ticket)
    return goOn(customer, call, fromCustomer)
  }

  function fromCustomer(call: Call, customerId: number | null): unknown {
    call.customerId = customerId
    call.exchange.served.customer = customerId
    const { request } = call.exchange
    if (!hasBody(request)) return withBody(call, EMPTY)
    const isPicture = operation.body === 'picture'
    if (isPicture) {
      guards.uploads.begin(`${customerId}`)
      call.isUploading = true
    }
    const isUsed = isPicture || (takesForm && isForm(request))
    const rules = bodyRules(call)
    return goOn(isUsed ? readBody(request, rules) : ignoreBody(request, rules), call, withBody)
  }

  function bodyRules({ exchange }: Call): BodyRules {
    const { application } = exchange.served
    return {
      largest: largestBody,
      deadlineMs: context.config.deadlines.bodyMs,
      ...heldBy(guards.bodyMemory, application),
    }
  }

  function withBody(call: Call, body: Buffer): unknown {
    call.body = body
    const { served, response } = call.exchange
    const raws = readRaw(parameters, call, rawOf)
    if (!call.acceptable) throw new Fault('notAcceptable', 'accept')
    return operation.handle(context, {
      caller: { apiKey: served.application, customerId: call.customerId as never },
      parameters: named(judgeRaw(parameters, raws)) as never,
      body,
      response,
    })
  }

  /** By itself, because only what is waited for needs functions of its own. */
  function answerLater(call: Call, value: Promise<unknown>): void {
    value.then(
      (known) => succeed(call, known),
      (error) => fail(call, error),
    )
  }
  function succeed(call: Call, value: unknown): void {
    const { exchange, representation } = call
    const { response, served } = exchange
    try {
      if (value === null || writers === null) sendNothing(response, served.id)
      else {
        const body = writers[representation].measured(value as never)
        sendText(response, { status, representation, body, id: served.id })
      }
    } catch (error) {
      fail(call, error)
      return
    }
    conclude(call)
  }
  function fail(call: Call, error: unknown): void {
    refuse(error, call.exchange, call.representation)
    conclude(call)
  }
  function conclude({ exchange, hasSlot, slotHolder, body, isUploading, customerId }: Call): void {
    if (isUploading) guards.uploads.end(`${customerId}`)
    if (hasSlot) guards.slots.giveBack(slotHolder, 1)
    if (body.length > 0) guards.bodyMemory.giveBack(exchange.served.application, body.length)
    guards.recorder.finish(exchange.served, exchange.response.statusCode)
  }

  return serve
}

/** A request, and what is known of it so far. */
type Call = {
  readonly exchange: Exchange
  /** What is answered; XML where the caller accepts neither. */
  readonly representation: Representation
  readonly acceptable: boolean
  hasSlot: boolean
  /** The application that the slot counts for, once it is known. */
  slotHolder: string | null
  query: Pairs
  customerId: number | null
  /** It counts as one of the customer's uploads under way. */
  isUploading: boolean
  body: Buffer
  form: Pairs | undefined
}

function newCall(exchange: Exchange, accepted: Representation | null): Call {
  return {
    exchange,
    representation: accepted ?? 'xml',
    acceptable: accepted !== null,
    hasSlot: false,
    slotHolder: null,
    query: NO_PAIRS,
    customerId: null,
    isUploading: false,
    body: EMPTY,
    form: undefined,
  }
}

/** The next step, at once with what is there already. As `whenKnown`, without a function made for each request. */
function goOn<T>(value: MaybePromise<T>, call: Call, next: (call: Call, value: T) => unknown): unknown {
  return value instanceof Promise ? value.then((known) => next(call, known)) : next(call, value)
}

const NO_PAIRS: Pairs = new Map()

function queryOf(url: string): Pairs {
  const start = url.indexOf('?')
  return start === -1 ? NO_PAIRS : parsePairs(url.slice(start + 1))
}

function rawOf(call: Call, name: string, parameter: Parameter): Raw {
  const { request, path } = call.exchange
  if (parameter.from === 'path') return checked(path[name] ?? '')
  if (parameter.from === 'header') return inHeaders(request, name)
  const inQuery = call.query.get(name)
  if (inQuery !== undefined || parameter.from === 'query') return inQuery
  if (parameter.from === 'query or header') return inHeaders(request, name)
  call.form ??= isForm(request) ? parsePairs(call.body.toString('latin1')) : NO_PAIRS
  return call.form.get(name)
}

/** Node makes the lists of all headers when they are first asked for; most requests have none of ours. */
function inHeaders(request: IncomingMessage, name: string): Raw {
  const header = name.toLowerCase()
  return request.headers[header] === undefined ? undefined : headerText(request.headersDistinct[header])
}

function isForm({ headers }: IncomingMessage): boolean {
  return /^application\/x-www-form-urlencoded\s*(;|$)/i.test(headers['content-type'] ?? '')
}

export type Refused = Omit<Exchange, 'path'>

export function refuse(error: unknown, refused: Refused, representation: Representation): void {
  const { request, response, served } = refused
  const fault = toFault(error)
  served.fault = fault.code
  if (fault.status >= 500 && fault.cause !== undefined) served.error = fault.cause
  // What is left of a request that is late is not waited for.
  if (fault.kind === 'tooSlow') response.shouldKeepAlive = false
  if (fault.retryAfter !== undefined) response.setHeader('retry-after', String(fault.retryAfter))
  const body = faultBody(fault, representation, areaOf(request.url ?? ''))
  sendText(response, { status: fault.status, representation, body, id: served.id })
}
