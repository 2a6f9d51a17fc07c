// How any operation is served: who calls, what they ask, the operation's own function, the answer. In the order of
// ruling R1; the first fault found is the one answered.

import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { Fault } from '../faults.ts'
import type { Writer } from '../representation/compile.ts'
import { jsonWriter } from '../representation/json.ts'
import { xmlWriter } from '../representation/xml.ts'
import { readBody } from './body.ts'
import { identifyApplication, identifyCustomer, type Pairs } from './credentials.ts'
import { faultBody, toFault } from './failures.ts'
import type { admission, rateLimiter } from './limits.ts'
import { negotiate, type Representation } from './negotiate.ts'
import { areaOf, type Operation } from './operation.ts'
import { checked, headerText, judgeRaw, type Parameter, parsePairs, type Raw, readRaw } from './parameters.ts'
import { sendNothing, sendText } from './send.ts'

/** What the log line and the metrics say of a request. */
export type Served = {
  operation: string
  application: string
  fault: string
  error?: unknown
  readonly since: number
  finished: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    served: Served
  }
  interface FastifyInstance {
    /** Writes the log line and the metrics of a request, once. */
    finishRequest(request: FastifyRequest, status: number): void
  }
}

export type Guards = {
  limiter: ReturnType<typeof rateLimiter>
  admission: ReturnType<typeof admission>
  finish: (request: FastifyRequest, status: number) => void
}

const LARGEST_BODY = 64 * 1024
const LARGEST_PICTURE = 10 * 1024 * 1024

/**
 * Promises are made only where something must be waited for: a caller seen in the last seconds is known at once. The
 * answer goes straight to Node's response, without Fastify's reply.
 */
export function serveOperation(context: Context, operation: Operation, guards: Guards) {
  const { document, status } = operation.answer
  const writers: Record<Representation, Writer> | null =
    document === null ? null : { xml: xmlWriter(document), json: jsonWriter(document) }
  const parameters = Object.entries(operation.parameters)

  return function serve(request: FastifyRequest, reply: FastifyReply): void {
    request.served.operation = operation.name
    reply.hijack()
    const { raw } = reply
    const accepted = negotiate(request.headers.accept)
    const representation = accepted ?? 'xml'
    let admitted = false

    function succeed(value: unknown): void {
      try {
        if (value === null || writers === null) sendNothing(raw, request.id)
        else
          sendText(raw, {
            status,
            representation,
            body: writers[representation].measured(value as never),
            id: request.id,
          })
        conclude()
      } catch (error) {
        fail(error)
      }
    }
    function fail(error: unknown): void {
      refuse(error, request, raw, representation)
      conclude()
    }
    function conclude(): void {
      if (admitted) guards.admission.leave()
      guards.finish(request, raw.statusCode)
    }

    try {
      guards.admission.enter()
      admitted = true
      const acceptable = accepted !== null
      const value = answer(context, operation, guards, { request, raw, parameters, acceptable })
      if (value instanceof Promise) value.then(succeed, fail)
      else succeed(value)
    } catch (error) {
      fail(error)
    }
  }
}

type Asked = {
  request: FastifyRequest
  raw: ServerResponse
  parameters: readonly (readonly [string, Parameter])[]
  acceptable: boolean
}

function answer(
  context: Context,
  operation: Operation,
  guards: Guards,
  { request, raw, parameters, acceptable }: Asked,
): unknown {
  if (context.config.mode === 'production' && request.protocol !== 'https') throw new Fault('plainHttp', '')
  const { headers } = request
  const query = queryOf(request.url)
  const known = identifyApplication(context.applications, headers, operation.keyInQuery ? query : null)
  return whenKnown(known, ({ apiKey, rateLimit }) => {
    request.served.application = apiKey
    guards.limiter.take(apiKey, rateLimit)
    return whenKnown(identifyCustomer(context.tickets, headers, operation.ticket), (customerId) =>
      whenKnown(readBody(request.raw, operation.body === 'picture' ? LARGEST_PICTURE : LARGEST_BODY), (body) => {
        const raws = readRaw(parameters, rawReader(request, query, body))
        if (!acceptable) throw new Fault('notAcceptable', 'accept')
        return operation.handle(context, {
          caller: { apiKey, customerId: customerId as never },
          parameters: judgeRaw(parameters, raws) as never,
          body,
          setHeader: (name, value) => raw.setHeader(name, value),
        })
      }),
    )
  })
}

/** Goes on at once with what is there already. */
function whenKnown<T>(value: T | Promise<T>, next: (value: T) => unknown): unknown {
  return value instanceof Promise ? value.then(next) : next(value)
}

const NO_PAIRS: Pairs = new Map()

function queryOf(url: string): Pairs {
  const start = url.indexOf('?')
  return start === -1 ? NO_PAIRS : parsePairs(url.slice(start + 1))
}

function rawReader(request: FastifyRequest, query: Pairs, body: Buffer) {
  let form: Pairs | undefined
  return (name: string, parameter: Parameter): Raw => {
    if (parameter.from === 'path') return checked((request.params as Record<string, string>)[name] ?? '')
    if (parameter.from === 'header') return headerText(request.raw.headersDistinct[name.toLowerCase()])
    const inQuery = query.get(name)
    if (inQuery !== undefined || parameter.from === 'query') return inQuery
    if (parameter.from === 'query or header') return headerText(request.raw.headersDistinct[name.toLowerCase()])
    form ??= isForm(request) ? parsePairs(body.toString('latin1')) : NO_PAIRS
    return form.get(name)
  }
}

function isForm(request: FastifyRequest): boolean {
  return /^application\/x-www-form-urlencoded\s*(;|$)/i.test(request.headers['content-type'] ?? '')
}

export function refuse(
  error: unknown,
  request: FastifyRequest,
  raw: ServerResponse,
  representation: Representation,
): void {
  const fault = toFault(error)
  request.served.fault = fault.code
  if (fault.status >= 500 && fault.cause !== undefined) request.served.error = fault.cause
  if (fault.retryAfter !== undefined) raw.setHeader('retry-after', String(fault.retryAfter))
  const body = faultBody(fault, representation, areaOf(request.url))
  sendText(raw, { status: fault.status, representation, body, id: request.id })
}
