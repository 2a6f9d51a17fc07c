// How any operation is served: who calls, what they ask, the operation's own function, the answer. In the order of
// ruling R1; the first fault found is the one answered.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context } from '../context.ts'
import { Fault } from '../faults.ts'
import type { Writer } from '../representation/compile.ts'
import { jsonWriter } from '../representation/json.ts'
import { xmlWriter } from '../representation/xml.ts'
import { whenKnown } from '../soon.ts'
import { readBody } from './body.ts'
import { identifyApplication, identifyCustomer, type Pairs } from './credentials.ts'
import { faultBody, toFault } from './failures.ts'
import type { admission, rateLimiter } from './limits.ts'
import { negotiate, type Representation } from './negotiate.ts'
import { areaOf, type Operation } from './operation.ts'
import { checked, headerText, judgeRaw, type Parameter, parsePairs, type Raw, readRaw } from './parameters.ts'
import { isOverTls } from './proxies.ts'
import { sendNothing, sendText } from './send.ts'
import type { Recorder, Served } from './served.ts'

/** A request for an operation, and where its answer goes. */
export type Exchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The variable parts of the path. */
  readonly path: Readonly<Record<string, string>>
  readonly served: Served
}

export type Guards = {
  limiter: ReturnType<typeof rateLimiter>
  admission: ReturnType<typeof admission>
  recorder: Recorder
}

const LARGEST_BODY = 64 * 1024
const LARGEST_PICTURE = 10 * 1024 * 1024

/** Promises are made only where something must be waited for: a caller seen in the last seconds is known at once. */
export function serveOperation(context: Context, operation: Operation, guards: Guards) {
  const { document, status } = operation.answer
  const writers: Record<Representation, Writer> | null =
    document === null ? null : { xml: xmlWriter(document), json: jsonWriter(document) }
  const parameters = Object.entries(operation.parameters)

  function succeed(call: Call, value: unknown): void {
    const { exchange, representation } = call
    const { response, served } = exchange
    try {
      if (value === null || writers === null) sendNothing(response, served.id)
      else {
        const body = writers[representation].measured(value as never)
        sendText(response, { status, representation, body, id: served.id })
      }
      conclude(call)
    } catch (error) {
      fail(call, error)
    }
  }
  function fail(call: Call, error: unknown): void {
    refuse(error, call.exchange, call.representation)
    conclude(call)
  }
  function conclude({ exchange, admitted }: Call): void {
    if (admitted) guards.admission.leave()
    guards.recorder.finish(exchange.served, exchange.response.statusCode)
  }

  return function serve(exchange: Exchange): void {
    exchange.served.operation = operation.name
    const accepted = negotiate(exchange.request.headers.accept)
    const call: Call = { exchange, representation: accepted ?? 'xml', admitted: false }
    try {
      guards.admission.enter()
      call.admitted = true
      const value = answer(context, operation, guards, exchange, { parameters, acceptable: accepted !== null })
      if (value instanceof Promise) answerLater(call, value)
      else succeed(call, value)
    } catch (error) {
      fail(call, error)
    }
  }

  /** By itself, because only what is waited for needs functions of its own. */
  function answerLater(call: Call, value: Promise<unknown>): void {
    value.then(
      (known) => succeed(call, known),
      (error) => fail(call, error),
    )
  }
}

type Call = { readonly exchange: Exchange; readonly representation: Representation; admitted: boolean }

type Asked = { parameters: readonly (readonly [string, Parameter])[]; acceptable: boolean }

function answer(
  context: Context,
  operation: Operation,
  guards: Guards,
  exchange: Exchange,
  { parameters, acceptable }: Asked,
): unknown {
  const { request, response, served } = exchange
  const { headers } = request
  const { mode, trustedProxies } = context.config
  if (mode === 'production' && !isOverTls(request, trustedProxies)) throw new Fault('plainHttp', '')
  const query = queryOf(request.url ?? '')
  const known = identifyApplication(context.applications, headers, operation.keyInQuery ? query : null)
  return whenKnown(known, ({ apiKey, rateLimit }) => {
    served.application = apiKey
    guards.limiter.take(apiKey, rateLimit)
    return whenKnown(identifyCustomer(context.tickets, headers, operation.ticket), (customerId) =>
      whenKnown(readBody(request, operation.body === 'picture' ? LARGEST_PICTURE : LARGEST_BODY), (body) => {
        const raws = readRaw(parameters, rawReader(exchange, query, body))
        if (!acceptable) throw new Fault('notAcceptable', 'accept')
        return operation.handle(context, {
          caller: { apiKey, customerId: customerId as never },
          parameters: judgeRaw(parameters, raws) as never,
          body,
          setHeader: (name, value) => response.setHeader(name, value),
        })
      }),
    )
  })
}

const NO_PAIRS: Pairs = new Map()

function queryOf(url: string): Pairs {
  const start = url.indexOf('?')
  return start === -1 ? NO_PAIRS : parsePairs(url.slice(start + 1))
}

function rawReader({ request, path }: Exchange, query: Pairs, body: Buffer) {
  let form: Pairs | undefined
  return (name: string, parameter: Parameter): Raw => {
    if (parameter.from === 'path') return checked(path[name] ?? '')
    if (parameter.from === 'header') return inHeaders(request, name)
    const inQuery = query.get(name)
    if (inQuery !== undefined || parameter.from === 'query') return inQuery
    if (parameter.from === 'query or header') return inHeaders(request, name)
    form ??= isForm(request) ? parsePairs(body.toString('latin1')) : NO_PAIRS
    return form.get(name)
  }
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
  if (fault.retryAfter !== undefined) response.setHeader('retry-after', String(fault.retryAfter))
  const body = faultBody(fault, representation, areaOf(request.url ?? ''))
  sendText(response, { status: fault.status, representation, body, id: served.id })
}
