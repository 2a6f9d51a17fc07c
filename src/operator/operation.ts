// The operator's API is rows too: method, path, which role, what body, what it does. Bodies and queries are JSON
// schemas, checked before the function runs.

import type { IncomingMessage } from 'node:http'
import type { Context } from '../context.ts'
import type { Operator } from './credentials.ts'

export type Role = 'admin' | 'feed' | 'moderator' | 'auditor'

export type JsonSchema = { readonly [keyword: string]: unknown }

export type OperatorOperation<Body = unknown, Query = unknown> = {
  readonly name: string
  readonly summary: string
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'
  /** Below /operator/v1. Parameters are {names}; those of ids must be digits. */
  readonly path: string
  /** Who may call it, beside admin (everything) and auditor (everything that only reads). */
  readonly role: 'admin' | 'feed' | 'moderator'
  readonly query?: { readonly [name: string]: JsonSchema }
  readonly body?: JsonSchema | 'stream'
  readonly handle: (context: Context, request: OperatorRequest<Body, Query>) => Promise<OperatorAnswer>
}

export type OperatorRequest<Body, Query> = {
  readonly operator: Operator
  readonly path: { readonly [name: string]: string }
  readonly query: Query
  readonly body: Body
  /** Only for operations whose body is a stream. */
  readonly stream: IncomingMessage
  /** Compiles a schema for what arrives in a stream; the function says what is wrong, or null. */
  readonly validator: (schema: JsonSchema) => (data: unknown) => string | null
}

export type OperatorAnswer = {
  readonly status: 200 | 201 | 204
  readonly body?: unknown
  /** What the audit trail says of a write beside its name, path and body. */
  readonly note?: string
}

/** Checks the function against its body's type, and forgets the details. */
export function operatorOperation<Body = undefined, Query = Record<string, never>>(
  row: OperatorOperation<Body, Query>,
): OperatorOperation {
  return row as unknown as OperatorOperation
}

// ---- Pieces of schemas that several rows share.

/** Ids are accepted as number or string (numbers are turned into strings before the check). */
export const id: JsonSchema = { type: 'string', pattern: '^[0-9]{1,15}$' }
export const money: JsonSchema = { type: 'string', pattern: '^[0-9]{1,13}(\\.[0-9]{1,2})?$' }
export const note: JsonSchema = { type: 'string', maxLength: 1000, default: '' }

export function text(least: number, most: number): JsonSchema {
  return { type: 'string', minLength: least, maxLength: most }
}

export function object(properties: Record<string, JsonSchema>, required: string[] = []): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false }
}
