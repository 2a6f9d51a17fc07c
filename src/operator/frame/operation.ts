// The operator's API is rows too: method, path, which role, what body, what it does. Bodies and queries are JSON
// schemas, checked before the function runs.

import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { SubjectState, Trail } from '../../audit/trail.ts'
import { ROLES, type Role } from '../../config/roles.ts'
import type { Context } from '../../context.ts'
import type { Database } from '../../database/database.ts'
import { hasRole, type Operator } from '../../operator-access/operator.ts'
import type { MaybePromise } from '../../runtime/maybe-promise.ts'

export type JsonSchema = { readonly [keyword: string]: unknown }

export type OperatorOperation<Body = unknown, Query = unknown> = {
  readonly name: string
  readonly summary: string
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'
  /** Below /operator/v1. Parameters are {names}; those of ids must be digits. */
  readonly path: string
  /** Who may call it, beside admin (everything) and auditor (everything that only reads). */
  readonly role: 'admin' | 'feed' | 'accounts' | 'feed or accounts' | 'moderator' | 'any'
  readonly query?: { readonly [name: string]: JsonSchema }
  readonly body?: JsonSchema | 'stream'
  /** It shows what is held of customers: each read is in the audit trail. */
  readonly personalData?: true
  /** What matters of the subject of a change, for its old and new values in the audit trail (audit/trail.ts). */
  readonly subjectState?: (transaction: Database, path: OperatorPath) => MaybePromise<SubjectState | undefined>
  readonly handle: (context: Context, request: OperatorRequest<Body, Query>) => Promise<OperatorAnswer>
}

export type OperatorPath = { readonly [name: string]: string }

export type OperatorRequest<Body, Query> = {
  readonly operator: Operator
  /** Changes made through the context's database are in it already. */
  readonly trail: Trail
  readonly path: OperatorPath
  readonly query: Query
  readonly body: Body
  /** Only for operations whose body is a stream. */
  readonly stream: IncomingMessage
  /** Compiles a schema for what arrives in a stream; the function answers the value, with its defaults, or what is wrong. */
  readonly validator: (schema: JsonSchema) => (data: unknown) => { value: unknown } | { problem: string }
}

export type OperatorAnswer = {
  readonly status: 200 | 201 | 204
  /** Written as JSON; an answer that may be too long to hold is a stream of JSON text. */
  readonly body?: unknown | Readable
}

/** Checks the function against its body's type, and forgets the details. */
export function operatorOperation<Body = undefined, Query = Record<string, never>>(
  row: OperatorOperation<Body, Query>,
): OperatorOperation {
  return row as unknown as OperatorOperation
}

export function rolesOf({ role, method }: Pick<OperatorOperation, 'role' | 'method'>): Role[] {
  if (role === 'any') return [...ROLES]
  const named: readonly string[] = role.split(' or ')
  return ROLES.filter((one) => one === 'admin' || named.includes(one) || (one === 'auditor' && method === 'GET'))
}

export function mayCall(operator: Operator, operation: Pick<OperatorOperation, 'role' | 'method'>): boolean {
  return rolesOf(operation).some((role) => hasRole(operator, role))
}

// ---- Pieces of schemas that several rows share.

/**
 * PostgreSQL cannot store a zero character, XML forbids U+FFFE and U+FFFF, halves of surrogate pairs are not text, and no
 * name has a reason for the other control characters.
 */
const LINE = '^[^\\p{Cc}\\p{Cs}\\ufffe\\uffff]*$'
const LINES = '^([^\\p{Cc}\\p{Cs}\\ufffe\\uffff]|[\\t\\n\\r])*$'
const WORDS = '^\\s*[^\\s\\p{Cc}\\p{Cs}\\ufffe\\uffff]([^\\p{Cc}\\p{Cs}\\ufffe\\uffff]|[\\t\\n\\r])*$'

/** Ids are accepted as number or string (numbers are turned into strings before the check). */
export const id = { type: 'string', pattern: '^[0-9]{1,15}$' } as const satisfies JsonSchema
export const money = { type: 'string', pattern: '^[0-9]{1,13}(\\.[0-9]{1,2})?$' } as const satisfies JsonSchema
/** Why something is done, where it must be said. */
export const reason: JsonSchema = { type: 'string', maxLength: 1000, pattern: WORDS }
export const note: JsonSchema = { type: 'string', maxLength: 1000, pattern: LINES, default: '' }

export const version = {
  type: 'string',
  pattern: '^[0-9]{1,9}-[0-9a-f]{16}$',
  description:
    'The version that the subject was shown with. If it has changed since, the decision is refused with 409, and ' +
    '`current` and `meanwhile` say how. Without it, the decision is on what the subject is now.',
} as const satisfies JsonSchema

export function text(least: number, most: number): JsonSchema {
  return { type: 'string', minLength: least, maxLength: most, pattern: LINE }
}

export function object(properties: Record<string, JsonSchema>, required: string[] = []): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false }
}

/** What a refusal says instead of a pattern. */
export const patternInWords: ReadonlyMap<string, string> = new Map([
  [LINE, 'must be text without control characters and others that XML forbids'],
  [LINES, 'must be text without characters that XML forbids; tabs and line ends are allowed'],
  [WORDS, 'must be text that is not blank, without characters that XML forbids; tabs and line ends are allowed'],
  [id.pattern, 'must be an id: 1 to 15 digits'],
  [money.pattern, 'must be an amount such as "12" or "12.50"'],
  [version.pattern, 'must be the version that the subject was shown with'],
])

/** Path parameters whose name ends in "id" are ids. */
export function pathSchema(path: string): Record<string, JsonSchema> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string)
  return Object.fromEntries(names.map((name) => [name, isId(name) ? id : { type: 'string', pattern: LINE }]))
}

function isId(name: string): boolean {
  return /id$/i.test(name) && name !== 'paymentId'
}
