// The rows in full, for the OpenAPI description and the reference: what is sent and answered, with examples.

import type { JsonSchema, Schema } from '../../http/representation/json-schema.ts'
import type { Role } from '../../platform/config/roles.ts'
import { csvLine } from '../../platform/runtime/csv.ts'
import { rolesOf } from './call-roles.ts'
import { exampleOf } from './example.ts'
import { pathSchema } from './fields.ts'
import type { OperatorOperation } from './operation.ts'
import { type DescribedProblem, problemsOf } from './operation-problems.ts'

/** Operations that belong together in the reference. */
export type OperatorArea = {
  readonly name: string
  readonly description: string
  readonly operations: readonly OperatorOperation[]
}

export type DescribedOperation = {
  readonly name: string
  readonly area: string
  readonly summary: string
  /** What else a caller should know; '' if nothing. */
  readonly description: string
  readonly personalData: boolean
  readonly background: boolean
  readonly sendsEvents: boolean
  readonly sendsCsv: boolean
  readonly roles: readonly Role[]
  readonly method: OperatorOperation['method']
  /** Below /operator/v1. */
  readonly path: string
  readonly parameters: readonly DescribedParameter[]
  readonly body: DescribedBody | null
  readonly answers: readonly DescribedAnswer[]
  readonly problems: readonly DescribedProblem[]
}

/** `example` undefined: the example of the operation leaves it out. */
export type DescribedParameter = {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly schema: JsonSchema
  readonly example: unknown
}

export type DescribedBody = {
  readonly mediaType: 'application/json' | 'application/x-ndjson'
  readonly schema: JsonSchema
  readonly required: boolean
  readonly example: unknown
}

export type DescribedAnswer = {
  readonly status: number
  readonly description: string
  readonly schema: Schema | null
  readonly example: unknown
}

export function describeOperations(areas: readonly OperatorArea[]): DescribedOperation[] {
  return areas.flatMap(({ name, operations }) => operations.map((operation) => describe(name, operation)))
}

function describe(area: string, operation: OperatorOperation): DescribedOperation {
  const {
    name,
    summary,
    description = '',
    personalData,
    method,
    path,
    background = false,
    sendsEvents = false,
    sendsCsv = false,
  } = operation
  return {
    name,
    area,
    summary,
    description,
    personalData: personalData === true,
    background,
    sendsEvents,
    sendsCsv,
    roles: rolesOf(operation),
    method,
    path,
    parameters: parametersOf(operation),
    body: bodyOf(operation),
    answers: answersOf(operation),
    problems: problemsOf(operation),
  }
}

function parametersOf({ path, query, example }: OperatorOperation): DescribedParameter[] {
  const sent = (example.query ?? {}) as Record<string, unknown>
  return [
    ...Object.entries(pathSchema(path)).map(
      ([name, schema]) => ({ name, in: 'path', schema, example: example.path?.[name] }) as const,
    ),
    ...Object.entries(query?.properties ?? {}).map(
      ([name, schema]) => ({ name, in: 'query', schema, example: sent[name] }) as const,
    ),
  ]
}

const LINES = { type: 'string', description: 'One JSON object on each line.' }

function bodyOf({ body, example }: OperatorOperation): DescribedBody | null {
  if (body === undefined) return null
  if (body === 'stream') {
    return { mediaType: 'application/x-ndjson', schema: LINES, required: true, example: example.body }
  }
  const required = Array.isArray(body.required) && body.required.length > 0
  return { mediaType: 'application/json', schema: body, required, example: example.body }
}

function answersOf({ answer, example, summary, sendsCsv }: OperatorOperation): DescribedAnswer[] {
  const shown = (schema: Schema) => ({ ...(exampleOf(schema) as object), ...example.answer })
  const statuses = Object.keys(answer)
  return Object.entries(answer).map(([status, schema]) => ({
    status: Number(status),
    description: status === '201' ? 'Created' : statuses.includes('201') ? 'Changed' : summary,
    schema,
    example: schema === null ? undefined : sendsCsv ? csvOf(shown(schema)) : shown(schema),
  }))
}

/** The columns, and one row. */
function csvOf(row: object): string {
  return csvLine(Object.keys(row)) + csvLine(Object.values(row))
}
