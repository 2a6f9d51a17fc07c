// The operator API as rows: method, path, role, the schemas of what is sent and answered, and what the operation does.
// Requests are checked against their schemas before the handler runs; its result is checked by the compiler, and by the
// tests against every answer that they see.

import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { SubjectState, Trail } from '../../audit/trail.ts'
import type { EventStream } from '../../http/operations/operation.ts'
import type { JsonSchema, Properties, Schema, SentOf, ValueOf } from '../../http/representation/json-schema.ts'
import type { Operator } from '../../identity/operators/operator.ts'
import type { Database } from '../../platform/database/database.ts'
import type { MaybePromise } from '../../platform/runtime/maybe-promise.ts'
import type { OperatorContext } from '../context.ts'
import type { CallRole } from './call-roles.ts'
import { isId, pathSchema, subjectKind } from './fields.ts'

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
  /** It decides about money: not for tokens where only people decide (identity/operators/person.ts). */
  readonly decides?: true
  /**
   * What the operator did, as the audit trail words it after the operator's name: "suspended customer {id}". In braces a
   * parameter of the path, or a field of the body as {body.name}. Required for changes; a read that has it is recorded.
   */
  readonly audit?: string | ((call: AuditedCall) => string)
  /** Which reads are in the audit trail, because they show personal data of customers. */
  readonly personalData: boolean | ((body: unknown) => boolean)
  /** Sent by the console on its own: not in the audit trail, and no use of a console session. */
  readonly background?: true
  /** The answer is a stream of server-sent events; its schema has the data of each type of event. */
  readonly sendsEvents?: true
  /** The answer is a CSV file, as a stream of its text (platform/runtime/csv.ts); its schema has the columns. */
  readonly sendsCsv?: true
  readonly query?: QuerySchema
  /** It takes an Idempotency-Key, with which it may be sent again. */
  readonly takesKey?: true
  readonly body?: Schema | 'stream'
  readonly answer: AnswerSchemas
  readonly problems: Problems
  /** Works in the sandbox, once the random ids in its path exist. A stream's body is its text. */
  readonly example: OperatorExample
  /** The subject's state, read before and after a change for the audit trail (audit/trail.ts). */
  readonly subjectState?: (transaction: Database, path: OperatorPath) => MaybePromise<SubjectState | undefined>
  readonly handle: (context: OperatorContext, request: OperatorRequest) => Promise<OperatorAnswer>
}

/** Operations that belong together in the reference. */
export type OperatorArea = {
  readonly name: string
  readonly description: string
  readonly operations: readonly OperatorOperation[]
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
  /** null: none was sent, or the operation takes none. */
  readonly idempotencyKey: string | null
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

// ---- A row as it is written, with the types that its schemas give.

type NamesIn<Route extends string> = Route extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never
type IdName<Name extends string> = Name extends 'paymentId' ? never : Name extends 'id' | `${string}Id` ? Name : never
/** Handlers get ids as numbers. */
type PathOf<Route extends string> = { readonly [N in NamesIn<Route>]: N extends IdName<N> ? number : string }
type QueryOf<Q> = Q extends Schema ? ValueOf<Q> : undefined
type BodyOf<B> = B extends Schema ? ValueOf<B> : undefined
type Answered<S> = S extends Schema ? ValueOf<S> | Readable | EventStream : unknown
type IsOne<S, All = S> = S extends unknown ? ([All] extends [S] ? true : false) : never
/** What a handler returns: the body, or the status too where the row has several. */
type AnswerOf<A extends AnswerSchemas> =
  IsOne<keyof A & Status> extends true
    ? Answered<A[keyof A & Status]>
    : { [S in keyof A & Status]: { readonly status: S; readonly body?: Answered<A[S]> } }[keyof A & Status]
type ExampleOf<Route extends string, Q, B, A> = {
  readonly answer?: { [S in keyof A]: A[S] extends Schema ? Partial<ValueOf<A[S]>> : never }[keyof A]
} & ([NamesIn<Route>] extends [never]
  ? { readonly path?: never }
  : { readonly path?: Partial<OperatorPath<NamesIn<Route>>> }) &
  (Q extends Schema ? { readonly query?: SentOf<Q> } : { readonly query?: never }) &
  (B extends undefined ? { readonly body?: never } : { readonly body: SentBodyOf<B> })
type SentBodyOf<B> = B extends Schema ? SentOf<B> : B extends 'stream' ? string : undefined

type WrittenRow<N, R extends string, Q, B, A extends AnswerSchemas, C> = Pick<
  OperatorOperation,
  'summary' | 'description' | 'role' | 'decides' | 'audit' | 'background' | 'sendsEvents' | 'takesKey'
> & {
  readonly name: N
  /** Method and path, such as `GET /customers/{id}`. */
  readonly route: R
  /** Where not every read of a call with `audit` is recorded: those whose answer shows personal data. */
  readonly personalData?: (body: unknown) => boolean
  readonly sendsCsv?: C
  readonly query?: Q
  readonly body?: B
  readonly answer: A
  /** Beside the 404 of a path whose subject does not exist. */
  readonly problems?: Problems
  readonly subjectState?: (transaction: Database, path: PathOf<R>) => MaybePromise<SubjectState | undefined>
  readonly handle: (
    context: OperatorContext,
    request: OperatorRequest<PathOf<R>, QueryOf<Q>, BodyOf<B>>,
  ) => MaybePromise<AnswerOf<A>>
} & (B extends undefined ? { readonly example?: ExampleOf<R, Q, B, A> } : { readonly example: ExampleOf<R, Q, B, A> })

declare const CALL: unique symbol

/** A row with the type of its call. For the compiler only, as the types of schemas are. */
export type OperatorRow<Name extends string = string, Call = unknown> = OperatorOperation & {
  readonly name: Name
  readonly [CALL]: Call
}

/** What a caller of the operation sends and gets. A file is read as a blob. */
export type OperatorCall<R extends string, Q, B, A, C> = {
  readonly route: R
  readonly path: OperatorPath<NamesIn<R>>
  readonly query: Q extends Schema ? SentOf<Q> : undefined
  readonly body: SentBodyOf<B>
  readonly answer: C extends true ? Blob : { [S in keyof A]: A[S] extends Schema ? ValueOf<A[S]> : undefined }[keyof A]
}

/** The calls of rows by the names of their operations. */
export type CallsOf<Row> = {
  readonly [R in Row as R extends OperatorRow<infer Name> ? Name : never]: R extends OperatorRow<string, infer Call>
    ? Call
    : never
}

/** Checks the handler and the example against the schemas of the row, and adds what a row leaves out. */
export function operatorOperation<
  const N extends string,
  const R extends `${Method} /${string}`,
  A extends AnswerSchemas,
  Q extends QuerySchema | undefined = undefined,
  B extends Schema | 'stream' | undefined = undefined,
  C extends true | undefined = undefined,
>(row: WrittenRow<N, R, Q, B, A, C>): OperatorRow<N, OperatorCall<R, Q, B, A, C>> {
  const { route, subjectState, handle, ...same } = row
  const [method, path] = route.split(' ') as [Method, string]
  const [status, ...others] = Object.keys(row.answer).map(Number) as [Status, ...Status[]]
  const operation = {
    ...same,
    method,
    path,
    personalData: row.personalData ?? (method === 'GET' && row.audit !== undefined),
    problems: { ...noSuchSubject(method, path, row.answer), ...row.problems },
    example: { ...row.example, path: { ...firstIds(path), ...row.example?.path } },
    subjectState:
      subjectState && ((transaction: Database, path: OperatorPath) => subjectState(transaction, withNumbers(path))),
    async handle(context: OperatorContext, request: OperatorRequest): Promise<OperatorAnswer> {
      const typed = { ...request, path: withNumbers(request.path) } as Parameters<typeof handle>[1]
      const answer = await handle(context, typed)
      if (others.length > 0) return answer as OperatorAnswer
      return { status, body: row.answer[status] === null ? undefined : answer }
    },
  }
  return operation as unknown as OperatorRow<N, OperatorCall<R, Q, B, A, C>>
}

/** What a path names may not exist, unless the call creates it. */
function noSuchSubject(method: Method, path: string, answer: AnswerSchemas): Problems {
  const kind = subjectKind(path)
  const creates = method === 'PUT' && answer[201] !== undefined
  return kind === null || creates ? {} : { 404: `There is no such ${kind.replaceAll('-', ' ')}.` }
}

/** Examples have the id 1 where they name no other. */
function firstIds(path: string): OperatorPath {
  return Object.fromEntries(
    Object.keys(pathSchema(path))
      .filter(isId)
      .map((name) => [name, '1']),
  )
}

function withNumbers<Path>(path: OperatorPath): Path {
  const values = Object.entries(path).map(([name, value]) => [name, isId(name) ? Number(value) : value])
  return Object.fromEntries(values) as Path
}
