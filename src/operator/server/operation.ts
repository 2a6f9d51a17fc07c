// The operator API as rows: method, path, role, the schemas of what is sent and answered, and what the operation does.
// Requests are checked against their schemas before the handler runs; its result is checked by the compiler, and by the
// tests against every answer that they see.

import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { SubjectState, Trail } from '../../audit/trail.ts'
import type { EventStream } from '../../http/operation.ts'
import type { JsonSchema, Properties, Schema, SentOf, ValueOf } from '../../http/representation/json-schema.ts'
import type { Operator } from '../../identity/operators/operator.ts'
import type { Database } from '../../platform/database/database.ts'
import type { MaybePromise } from '../../platform/runtime/maybe-promise.ts'
import type { OperatorContext } from '../context.ts'
import type { CallRole } from './call-roles.ts'

type Method = 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'
type QuerySchema = Schema & { readonly properties: Properties }
type Status = 200 | 201 | 204
/** null: no body. */
type AnswerSchemas = { readonly [S in Status]?: Schema | null }
/** The operation's own refusals, each with its condition. Shared ones are added (operation-problems.ts). */
type Problems = {
  readonly [S in 404 | 409 | 422]?: string | { readonly when: string; readonly schema: Schema }
}

export type OperatorOperation = {
  readonly name: string
  /** A few words: the title in the reference. */
  readonly summary: string
  /** What else a caller should know. */
  readonly description?: string
  readonly method: Method
  /** Below /operator/v1. Parameters are {names}; those of ids must be digits. */
  readonly path: string
  readonly role: CallRole
  /**
   * What the operator did, as the audit trail words it after the operator's name: "suspended customer {id}". In braces a
   * parameter of the path, or a field of the body as {body.name}. Required where the trail records the operation.
   */
  readonly audit?: string | ((call: AuditedCall) => string)
  /**
   * It shows personal data of customers: each read is in the audit trail. A function: where only some answers do, the
   * reads whose answer has any.
   */
  readonly personalData?: true | ((body: unknown) => boolean)
  /** Sent by the console on its own: not in the audit trail, and no use of a console session. */
  readonly background?: true
  /** The answer is a stream of server-sent events; its schema has the data of each type of event. */
  readonly sendsEvents?: true
  /** The answer is a CSV file, as a stream of its text (platform/runtime/csv.ts); its schema has the columns. */
  readonly sendsCsv?: true
  readonly query?: QuerySchema
  readonly body?: Schema | 'stream'
  readonly answer: AnswerSchemas
  readonly problems?: Problems
  /** Works in the sandbox, once the random ids in its path exist. A stream's body is its text. */
  readonly example: OperatorExample
  /** The subject's state, read before and after a change for the audit trail (audit/trail.ts). */
  readonly subjectState?: (transaction: Database, path: OperatorPath) => MaybePromise<SubjectState | undefined>
  readonly handle: (context: OperatorContext, request: OperatorRequest) => Promise<OperatorAnswer>
}

/** An entry of the audit trail, in the terms of its operation. `changes`: from what to what. */
export type AuditedCall = {
  readonly path: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly changes: Readonly<Record<string, { readonly from?: unknown; readonly to?: unknown }>>
  readonly detail: Readonly<Record<string, unknown>>
}

type OperatorPath<Name extends string = string> = { readonly [N in Name]: string }

type OperatorExample = {
  readonly path?: OperatorPath
  readonly query?: object
  readonly body?: unknown
  /** Fields of the answer that differ from the examples of its schema. */
  readonly answer?: object
}

type OperatorRequest<Path = OperatorPath, Query = unknown, Body = unknown> = {
  readonly operator: Operator
  /** Changes through the context's database are recorded in it automatically. */
  readonly trail: Trail
  readonly path: Path
  readonly query: Query
  readonly body: Body
  /** Only for operations whose body is a stream. */
  readonly stream: IncomingMessage
  /** Whether the caller's credentials are still good, for answers that take long. Not a use of a console session. */
  readonly stillAllowed: () => Promise<boolean>
  /** Compiles a schema for what arrives in a stream; the function returns the value with its defaults, or what is wrong. */
  readonly validator: (schema: JsonSchema) => (data: unknown) => { value: unknown } | { problem: string }
}

export type OperatorAnswer = {
  readonly status: Status
  /** Written as JSON; an answer that may be too long to hold in memory is a stream of its text. Or a stream of events. */
  readonly body?: unknown | Readable | EventStream
}

// ---- A row with the types that its schemas give.

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never
type QueryOf<Q> = Q extends Schema ? ValueOf<Q> : undefined
type BodyOf<B> = B extends Schema ? ValueOf<B> : undefined
/** The status is outside the conditional type, so that the compiler infers literals in handlers. */
type AnswerOf<A extends AnswerSchemas> = {
  [S in keyof A & Status]: { readonly status: S } & (A[S] extends Schema
    ? { readonly body: ValueOf<A[S]> | Readable | EventStream }
    : unknown)
}[keyof A & Status]
type ExampleOf<P extends string, Q, B, A> = {
  readonly answer?: { [S in keyof A]: A[S] extends Schema ? Partial<ValueOf<A[S]>> : never }[keyof A]
} & ([NamesIn<P>] extends [never] ? { readonly path?: never } : { readonly path: OperatorPath<NamesIn<P>> }) &
  (Q extends Schema ? { readonly query?: SentOf<Q> } : { readonly query?: never }) &
  (B extends Schema
    ? { readonly body: SentOf<B> }
    : B extends 'stream'
      ? { readonly body: string }
      : { readonly body?: never })

type TypedOperation<N, M, P extends string, Q, B, A extends AnswerSchemas, C> = Omit<
  OperatorOperation,
  'name' | 'method' | 'path' | 'sendsCsv' | 'query' | 'body' | 'answer' | 'example' | 'subjectState' | 'handle'
> & {
  readonly name: N
  readonly method: M
  readonly path: P
  readonly sendsCsv?: C
  readonly query?: Q
  readonly body?: B
  readonly answer: A
  readonly example: ExampleOf<P, Q, B, A>
  readonly subjectState?: (
    transaction: Database,
    path: OperatorPath<NamesIn<P>>,
  ) => MaybePromise<SubjectState | undefined>
  readonly handle: (
    context: OperatorContext,
    request: OperatorRequest<OperatorPath<NamesIn<P>>, QueryOf<Q>, BodyOf<B>>,
  ) => Promise<AnswerOf<A>>
}

declare const CALL: unique symbol

/** A row that remembers how it is called. For the compiler only, as the types of schemas are. */
export type OperatorRow<Name extends string = string, Call = unknown> = OperatorOperation & {
  readonly name: Name
  readonly [CALL]: Call
}

/** What a caller of the operation sends and gets. A file is read as a blob. */
export type OperatorCall<M extends Method, P extends string, Q, B, A, C> = {
  readonly route: `${M} ${P}`
  readonly path: OperatorPath<NamesIn<P>>
  readonly query: Q extends Schema ? SentOf<Q> : undefined
  readonly body: B extends Schema ? SentOf<B> : B extends 'stream' ? string : undefined
  readonly answer: C extends true ? Blob : { [S in keyof A]: A[S] extends Schema ? ValueOf<A[S]> : undefined }[keyof A]
}

/** The calls of rows by the names of their operations. */
export type CallsOf<Row> = {
  readonly [R in Row as R extends OperatorRow<infer Name> ? Name : never]: R extends OperatorRow<string, infer Call>
    ? Call
    : never
}

/** Checks the handler and the example against the schemas of the row. */
export function operatorOperation<
  const N extends string,
  const M extends Method,
  const P extends string,
  A extends AnswerSchemas,
  Q extends QuerySchema | undefined = undefined,
  B extends Schema | 'stream' | undefined = undefined,
  C extends true | undefined = undefined,
>(row: TypedOperation<N, M, P, Q, B, A, C>): OperatorRow<N, OperatorCall<M, P, Q, B, A, C>> {
  return row as unknown as OperatorRow<N, OperatorCall<M, P, Q, B, A, C>>
}
