// Serves one operation in the order of ruling R1; the first fault found is the one answered:
//   1. receive: a slot, TLS in production, the application by key and secret (fromAnyone: the caller's address)
//   2. fromApplication: its rate limit
//   3. withinLimits: the customer by ticket
//   4. fromCustomer: the customer's share of the slots, the body
//   5. withBody: the parameters, the representation, the operation's own function
//   6. succeed or fail: the answer, and conclude in either case
// Each step is a plain function of the call, and returns a promise only where it has to wait: for a caller seen in the last
// seconds it need not, and such a request allocates no closure.

import { Fault } from '../../faults.ts'
import type { Shows } from '../../platform/observability/request-rings.ts'
import { compileRowFactory } from '../../platform/runtime/compile-row-factory.ts'
import type { MaybePromise } from '../../platform/runtime/maybe-promise.ts'
import { acceptsStream, negotiate, type Representation } from '../answers/negotiate.ts'
import { streamHeaders } from '../answers/raw-response.ts'
import { type Renderings, renderings } from '../answers/renderings.ts'
import { clientNetwork, isOverTls } from '../connection/proxies.ts'
import { memoryOf } from '../limits/limits.ts'
import type { Writer } from '../representation/compile.ts'
import { jsonWriter } from '../representation/json.ts'
import { xmlWriter } from '../representation/xml.ts'
import { type BodyRules, EMPTY_BODY, hasBody, ignoreBody, readBody } from '../requests/body.ts'
import { type Application, identifyApplication, identifyCustomer } from '../requests/credentials.ts'
import { type Parameter, parseRaw, readRaw } from '../requests/parameters.ts'
import type { RequestRecord } from '../requests/request-record.ts'
import { type Call as CallOf, isForm, newCall, queryOf, rawOf, unreadBodyHint } from './call.ts'
import { type Exchange, refuse } from './exchange.ts'
import { areaOf, type BoundOperation, type EventStream } from './operation.ts'
import type { PublicListener } from './public-listener.ts'
import { keptForm, showsOf } from './shown-request.ts'

const MAX_BODY = 64 * 1024
const MAX_PICTURE = 10 * 1024 * 1024

/** An operation with everything that is compiled for it once. */
type OperationServer = {
  readonly listener: PublicListener
  readonly operation: BoundOperation
  readonly writers: Readonly<Record<Representation, Writer>> | null
  /** The texts of answers that are served again. */
  readonly renderings: Renderings | null
  readonly parameters: readonly (readonly [name: string, parameter: Parameter])[]
  readonly toParameters: (values: readonly unknown[]) => unknown
  readonly largestBody: number
  readonly takesForm: boolean
  /** For the last requests of the application. */
  readonly shows: Shows
  /** Answers of sessions contain tickets. */
  readonly answersSecret: boolean
}

type Call = CallOf<OperationServer>

export function serveOperation(listener: PublicListener, operation: BoundOperation): (exchange: Exchange) => void {
  const { document } = operation.answer
  const parameters = Object.entries(operation.parameters)
  const writers = document === null ? null : { xml: xmlWriter(document), json: jsonWriter(document) }
  const server: OperationServer = {
    listener,
    operation,
    writers,
    renderings: writers !== null && operation.answer.reused === true ? renderings(writers) : null,
    parameters,
    toParameters: compileRowFactory(Object.keys(operation.parameters)),
    largestBody: operation.body === 'picture' ? MAX_PICTURE : MAX_BODY,
    takesForm: parameters.some(([, { from }]) => from === 'query or form'),
    shows: showsOf(operation, writers, listener.context.config.mode === 'sandbox'),
    answersSecret: areaOf(operation.path) === 'sessions',
  }
  return (exchange) => serve(server, exchange)
}

function serve(server: OperationServer, exchange: Exchange): void {
  const { record } = exchange
  const call = newCall(server, exchange, negotiate(exchange.request.headers.accept))
  record.operation = server.operation.name
  record.representation = call.representation
  record.shows = server.shows
  try {
    server.listener.slots.take(null, 1)
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
  const { listener, operation } = call.server
  const { config, applications } = listener.context
  if (config.mode === 'production' && !isOverTls(request, config.trustedProxies)) throw new Fault('plainHttp', '')
  call.query = queryOf(request.url ?? '')
  if (operation.credentials === 'none') return fromAnyone(call)
  const query = operation.keyInQuery ? call.query : null
  return continueWith(identifyApplication(applications, request, query, listener.wrongSecrets), call, fromApplication)
}

function fromApplication(call: Call, { apiKey, rateLimit }: Application): unknown {
  const { slots, limiter } = call.server.listener
  call.exchange.record.application = apiKey
  slots.assign(apiKey, 1)
  call.slotHolder = apiKey
  return continueWith(limiter.take(apiKey, rateLimit), call, withinLimits)
}

function fromAnyone(call: Call): unknown {
  const { context, limiter, openSlots, openCalls } = call.server.listener
  const address = clientNetwork(call.exchange.request, context.config.trustedProxies)
  openSlots.take(address, 1)
  call.openHolder = address
  openCalls.take(address)
  // All calls without credentials together are limited like one application.
  return continueWith(limiter.take('', context.config.rateLimit), call, withinLimits)
}

function withinLimits(call: Call): unknown {
  const { listener, operation } = call.server
  const customer = identifyCustomer(listener.context.tickets, call.exchange.request.headers, operation.ticket)
  return continueWith(customer, call, fromCustomer)
}

function fromCustomer(call: Call, customerId: number | null): unknown {
  call.customerId = customerId
  call.exchange.record.customer = customerId
  const { request } = call.exchange
  const { listener, operation, takesForm } = call.server
  if (customerId !== null) {
    listener.customerSlots.take(customerId, 1)
    call.hasCustomerSlot = true
  }
  if (!hasBody(request)) return withBody(call, EMPTY_BODY)
  const isPicture = operation.body === 'picture'
  if (isPicture) {
    listener.uploads.begin(`${customerId}`)
    call.isUploading = true
  }
  const isUsed = isPicture || (takesForm && isForm(request))
  if (takesForm && !isUsed) giveHint(call.exchange, unreadBodyHint(request))
  const rules = bodyRules(call)
  return continueWith(isUsed ? readBody(request, rules) : ignoreBody(request, rules), call, withBody)
}

function giveHint({ response, record }: Exchange, hint: string): void {
  response.setHeader('x-hint', hint)
  record.hint = hint
}

function bodyRules({ server, exchange }: Call): BodyRules {
  const { context, bodyMemory } = server.listener
  return {
    largest: server.largestBody,
    deadlineMs: context.config.deadlines.bodyMs,
    ...memoryOf(bodyMemory, exchange.record.application),
  }
}

function withBody(call: Call, body: Buffer): unknown {
  call.body = body
  if (body.length > 0) noteBody(call)
  const { listener, operation, parameters, toParameters } = call.server
  const raws = readRaw(parameters, call, rawOf)
  if (!isAcceptable(call)) throw new Fault('notAcceptable', 'accept')
  call.parameters = toParameters(parseRaw(parameters, raws))
  if (operation.cost !== undefined) chargeOpenCall(call, operation.cost(call.parameters as never) - 1)
  if (operation.method === 'GET' || call.customerId === null) return handle(call)
  return continueWith(listener.writeTurns.begin(call.customerId), call, withTurn)
}

function noteBody({ server, exchange, body }: Call): void {
  if (!server.shows.keepsBodies) return
  exchange.record.form = server.operation.body === 'picture' ? body.length : keptForm(body)
}

function withTurn(call: Call, isGranted: boolean): unknown {
  if (!isGranted) throw new Fault('tooManyRequests', undefined, { retryAfter: 1 })
  call.hasTurn = true
  return handle(call)
}

function handle({ server, exchange, customerId, parameters, body }: Call): unknown {
  const { record, response } = exchange
  return server.operation.handle({
    caller: { apiKey: record.application, customerId: customerId as never },
    parameters: parameters as never,
    body,
    response,
  })
}

/** Charges the cost beyond one: the request was counted as one before its parameters were known. */
function chargeOpenCall({ server, openHolder }: Call, more: number): void {
  const { context, limiter, openCalls } = server.listener
  if (openHolder === null) return
  openCalls.charge(openHolder, more)
  limiter.charge('', context.config.rateLimit, more)
}

function isAcceptable({ acceptable, server, exchange }: Call): boolean {
  return acceptable || (server.operation.answer.stream !== undefined && acceptsStream(exchange.request.headers.accept))
}

/** Calls the next step, synchronously where the value is known. As `andThen`, but without a closure on that path. */
function continueWith<T>(value: MaybePromise<T>, call: Call, next: (call: Call, value: T) => unknown): unknown {
  return value instanceof Promise ? value.then((known) => next(call, known)) : next(call, value)
}

/** Separate, so that the synchronous path allocates no closures. */
function answerLater(call: Call, value: Promise<unknown>): void {
  value.then(
    (known) => succeed(call, known),
    (error) => fail(call, error),
  )
}

function succeed(call: Call, value: unknown): void {
  const { exchange, representation, server } = call
  const { response, record } = exchange
  const { writer } = server.listener
  try {
    if (server.operation.answer.stream !== undefined) beginStream(call, value as EventStream)
    else if (value === null || server.writers === null) writer.sendNoContent(response, record.id)
    else {
      const rendering = server.renderings?.(value as object, representation)
      const body = rendering?.body ?? server.writers[representation].measured(value as never)
      if (server.shows.keepsBodies) noteAnswer(record, value, body.bytes)
      const { status } = server.operation.answer
      const text = { status, representation, body, id: record.id, secret: server.answersSecret }
      if (rendering === undefined) writer.sendText(response, text)
      else writer.sendCacheable(response, rendering.etag, text)
    }
  } catch (error) {
    fail(call, error)
    return
  }
  conclude(call)
}

function noteAnswer(record: RequestRecord, value: unknown, length: number): void {
  record.value = value
  record.answerLength = length
}

/** The request is over for the log and the limits when its stream begins. */
function beginStream({ exchange }: Call, stream: EventStream): void {
  const { request, response, record } = exchange
  const headers = streamHeaders(record.id)
  if (request.method === 'HEAD') response.writeHead(200, headers).end()
  else stream.begin(response, headers)
}

function fail(call: Call, error: unknown): void {
  const { server, exchange, representation } = call
  refuse(server.listener.writer, error, exchange, representation)
  conclude(call)
}

function conclude(call: Call): void {
  const { server, exchange, hasSlot, slotHolder, openHolder, body, isUploading, customerId } = call
  const { uploads, slots, customerSlots, writeTurns, openSlots, bodyMemory, recorder } = server.listener
  if (call.hasCustomerSlot) customerSlots.release(customerId, 1)
  if (isUploading) uploads.end(`${customerId}`)
  if (call.hasTurn) writeTurns.end(customerId as number)
  if (hasSlot) slots.release(slotHolder, 1)
  if (openHolder !== null) openSlots.release(openHolder, 1)
  if (body.length > 0) bodyMemory.release(exchange.record.application, body.length)
  recorder.finish(exchange.record, exchange.response.statusCode)
}
