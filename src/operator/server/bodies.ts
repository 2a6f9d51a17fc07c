// Prepares bodies and queries for the check against their schemas. Ajv's own coercion is off: it would take null for
// false and "" for 0.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { busy, memoryOf } from '../../http/limits/limits.ts'
import type { JsonSchema } from '../../http/representation/json-schema.ts'
import { readBody } from '../../http/requests/body.ts'
import type { Config } from '../../platform/config/config.ts'
import { budget } from '../../platform/runtime/slots.ts'
import type { OperatorOperation } from './operation.ts'
import { notValid, Problem } from './problem.ts'

export const AJV_OPTIONS = { coerceTypes: false, removeAdditional: false, allErrors: true, useDefaults: true } as const

const MAX_JSON = 1024 * 1024

/** The parser's own message is dropped: it quotes the body, which may hold a password. */
export function parseJsonBodies(app: FastifyInstance, { deadlines, bodyMemory }: Config): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  const memory = budget(bodyMemory, bodyMemory / 2, busy)
  app.addContentTypeParser('application/json', async (request: FastifyRequest) => {
    // Nobody else's body is used: strangers must not fill the memory.
    if (request.operator === undefined) return undefined
    const own = memoryOf(memory, request.operator.name)
    const bytes = await readBody(request.raw, { largest: MAX_JSON, deadlineMs: deadlines.bodyMs, ...own })
    own.release(bytes.length)
    const body = textOf(bytes)
    // Many clients send a content type even without a body.
    if (body === '') return undefined
    return new Promise((resolve, reject) => {
      parse(request, body, (error, value) => (error === null ? resolve(value) : reject(notJson(error))))
    })
  })
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Other bytes would be stored as replacement characters. */
function textOf(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new Problem(400, 'Bad request', 'The body is not UTF-8, as JSON must be.')
  }
}

function notJson({ message }: Error): Problem {
  const position = /at position \d+/.exec(message)?.[0]
  return new Problem(400, 'Bad request', `The body is not valid JSON${position ? ` (${position})` : ''}: fix it.`)
}

/** Before the body is read, so that a wrong type is reported as such and not as a wrong body. */
export function refuseWrongType({ headers }: FastifyRequest, { body }: OperatorOperation): void {
  if (body === undefined) return
  const empty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0
  if (empty) return
  const json = /^\s*application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')
  if (json === (body !== 'stream')) return
  const wanted = body === 'stream' ? 'application/x-ndjson' : 'application/json'
  throw new Problem(415, 'Unsupported media type', `Send this call’s body with content-type: ${wanted}.`)
}

/** A missing body counts as {}: the check then reports the required fields. */
export function prepareBody({ body }: OperatorOperation, sent: unknown): unknown {
  if (body === undefined || body === 'stream') return sent
  return numbersToText(body, sent === undefined ? {} : sent)
}

/** Everything in a query is text; a blank parameter counts as absent. */
export function prepareQuery({ query }: OperatorOperation, sent: unknown): unknown {
  const given = Object.entries(sent as Record<string, unknown>).filter(([, value]) => value !== '')
  return Object.fromEntries(
    given.map(([name, value]) => {
      const isInteger = query?.properties[name]?.type === 'integer'
      return [name, isInteger && typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value]
    }),
  )
}

/** For a value that may be a word or an object: the schema of the object. */
function formOfObjects(schema: JsonSchema | undefined): JsonSchema | undefined {
  if (schema?.anyOf === undefined) return schema
  return (schema.anyOf as JsonSchema[]).find(({ type }) => type === 'object')
}

/** Deeper than anything that a schema describes, and far from what the stack holds. */
const DEEPEST = 64

/**
 * Ids and amounts may be sent as numbers. A number too large to be exact stays one, and is refused. Changes the value in
 * place: a copy cost a tenth of importing a line.
 */
export function numbersToText(schema: JsonSchema | undefined, value: unknown, depth = 0): unknown {
  if (typeof value === 'number') {
    return [schema?.type].flat().includes('string') && Math.abs(value) <= Number.MAX_SAFE_INTEGER
      ? String(value)
      : value
  }
  if (typeof value !== 'object' || value === null) return value
  const fields = value as Record<string, unknown>
  const form = formOfObjects(schema)
  const properties = (form?.properties ?? {}) as Record<string, JsonSchema>
  const other = (Array.isArray(value) ? form?.items : form?.additionalProperties) as JsonSchema | undefined
  for (const name of Object.keys(fields)) {
    if (depth === DEEPEST)
      throw notValid([{ pointer: '', detail: `must be nested no more than ${DEEPEST} levels deep` }])
    const field = fields[name]
    if (typeof field === 'string') continue
    const changed = numbersToText(Object.hasOwn(properties, name) ? properties[name] : other, field, depth + 1)
    if (changed !== field) fields[name] = changed
  }
  return value
}
