// An operation is data: its name, path, who may call it, its parameters, its answer, its faults and its handler. Routing,
// parameter parsing, the reference (OpenAPI, XSD) and the contract walk of the tests are generated from the table of operations.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { DeclaredFaults } from '../../faults.ts'
import type { MaybePromise } from '../../platform/runtime/maybe-promise.ts'
import type { Document, Value } from '../representation/shape.ts'
import type { TicketRule } from '../requests/credentials.ts'
import type { Parameters, ParameterValues } from '../requests/parameters.ts'

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
export type Area = 'profiles' | 'communities' | 'wallets' | 'sessions' | 'stream'

type Caller<T extends TicketRule> = {
  readonly apiKey: string
  readonly customerId: T extends 'required' ? number : T extends 'optional' ? number | null : null
}

type Answer = {
  readonly status: 200 | 201 | 204
  readonly document: Document | null
  /** A list that may be empty: then 204 without a body. */
  readonly mayBeEmpty?: boolean
  /** Headers in addition to those of every answer, with their meaning. */
  readonly headers?: { readonly [name: string]: string }
  /** The handler may return the same object again: it is written once, and the answer has an ETag. */
  readonly reused?: true
  /** The answer is a stream of server-sent events. */
  readonly stream?: StreamDescription
}

type StreamDescription = {
  /** The types of its events, with their meaning. */
  readonly events: { readonly [type: string]: string }
  readonly example: string
}

/** What the handler of a stream returns. */
export type EventStream = {
  /** Writes the headers and keeps the response. Throws a fault, and writes nothing, if the stream cannot be opened. */
  begin(response: ServerResponse, headers: string[]): void
}

/** What a row of a table of operations has in common with the operation. `C`: what its handler uses. */
type Described<C, P extends Parameters, T extends TicketRule, A extends Answer> = {
  readonly name: string
  readonly summary: string
  /** Not part of the contract: not served with EXTENSIONS=off. */
  readonly extension?: true
  /** Other paths of the same operation in the contract. */
  readonly alsoAt?: readonly string[]
  /** Anybody may call it, without an application key. Absent: key and secret are needed. */
  readonly credentials?: 'none'
  readonly ticket: T
  /** The application key may come in the query string. */
  readonly keyInQuery?: boolean
  /**
   * While the primary is away, a replica may answer it with what was true a while ago. Of each GET and HEAD: what belongs to money, to
   * a log-in, or to a promise that never shrinks may not. HEAD of a GET may not either.
   */
  readonly mayBeStale?: boolean
  /** How many requests it counts as in the limits of calls without credentials; absent: one. */
  readonly cost?: (parameters: ParameterValues<P>) => number
  /**
   * An idempotent POST: safe to retry when the answer was lost. All other methods are, and a POST with an
   * Idempotency-Key.
   */
  readonly repeatable?: true
  /** Ends the caller's sessions for a time that nothing shortens: the reference requests a confirmation first. */
  readonly locksOut?: true
  /** Charges or pays a customer: the console requests a confirmation first. */
  readonly movesMoney?: true
  /** The request's body is a picture; otherwise it is a form or ignored. */
  readonly body?: 'picture'
  /** null is answered 204, and so is whatever an operation without a document returns. */
  readonly handle: (context: C, request: OperationRequest<P, T>) => MaybePromise<AnswerValue<A>>
}

export type Operation<
  C = never,
  P extends Parameters = Parameters,
  T extends TicketRule = TicketRule,
  A extends Answer = Answer,
> = Described<C, P, T, A> & {
  readonly method: Method
  readonly path: string
  readonly parameters: P
  readonly answer: A
  /** In addition to the faults of its parameters and those that all operations share (declared-faults.ts). */
  readonly faults: DeclaredFaults
}

/** As people write it: `GET /v1/profiles/{id}`. */
export type Route = `${Method} /${string}`

/** Absent: no parameters, 204 without a body, no faults of its own. */
type Row<C, P extends Parameters, T extends TicketRule, A extends Answer> = Described<C, P, T, A> & {
  readonly route: Route
  readonly parameters?: P & Parameters
  readonly answer?: A
  readonly faults?: DeclaredFaults
}
type NoParameters = Record<never, never>
const NO_CONTENT = { status: 204, document: null } as const

type OperationRequest<P extends Parameters, T extends TicketRule> = {
  readonly caller: Caller<T>
  readonly parameters: ParameterValues<P>
  readonly body: Buffer
  /** For headers in addition to those of every answer; faults carry them too. */
  readonly response: {
    setHeader(name: string, value: string): unknown
    removeHeader(name: string): unknown
    readonly req: IncomingMessage
  }
}

type AnswerValue<A extends Answer> = A extends { stream: StreamDescription }
  ? EventStream
  : A['document'] extends Document
    ? Value<A['document']['node']> | (A extends { mayBeEmpty: true } ? null : never)
    : unknown

/** An operation whose handler has its context: ready to be served. */
export type BoundOperation = Omit<Operation, 'handle'> & {
  readonly handle: (request: OperationRequest<Parameters, TicketRule>) => MaybePromise<AnswerValue<Answer>>
}

/** Makes the operations of a domain. Checks a handler's types against the row's parameters and shape, and returns the operation without them. */
export function operationWith<C>() {
  return <
    const P extends Parameters = NoParameters,
    const T extends TicketRule = TicketRule,
    const A extends Answer = typeof NO_CONTENT,
  >({
    route,
    ...row
  }: Row<C, P, T, A>): Operation<C> => {
    const [method, path] = route.split(' ')
    return { parameters: {}, answer: NO_CONTENT, faults: {}, ...row, method, path } as unknown as Operation<C>
  }
}

export function areaOf(path: string): Area {
  if (path.startsWith('/v1/communities') || path.startsWith('/v1/search/comments')) return 'communities'
  if (path.startsWith('/v1/wallets')) return 'wallets'
  if (path.startsWith('/v1/sessions')) return 'sessions'
  if (path.startsWith('/v1/stream')) return 'stream'
  return 'profiles'
}
