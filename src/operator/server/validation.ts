// Checks requests against the schemas of their operation. Each schema is compiled when its operation is first called:
// given to the routes, all would be compiled at every start, which took a quarter of it. All services of a process share what
// was compiled: suites start hundreds.

import type { FastifyRequest } from 'fastify'
import { type JsonSchema, object } from '../../http/representation/json-schema.ts'
import { numbersToText, prepareBody, prepareQuery } from './bodies.ts'
import { keyHeaders, pathSchema } from './fields.ts'
import type { OperatorOperation } from './operation.ts'
import { Problem } from './problem.ts'
import { invalidRequest, type SchemaError } from './refusals.ts'

type Check = (request: FastifyRequest) => void

const checks = new WeakMap<OperatorOperation, Check>()

export function validationOf(operation: OperatorOperation): Check {
  const check = checks.get(operation) ?? newCheck(operation)
  checks.set(operation, check)
  return check
}

function newCheck(operation: OperatorOperation): Check {
  const { path, query = object({}), body } = operation
  const ofPath = { type: 'object', properties: pathSchema(path) }
  return (request) => {
    request.body = prepareBody(operation, request.body)
    request.query = prepareQuery(operation, request.query)
    refuseInvalid(request, ofPath, { value: request.params, place: 'path' })
    if (body !== undefined && body !== 'stream') refuseInvalid(request, body, { value: request.body, place: '' })
    refuseInvalid(request, query, { value: request.query, place: 'query' })
    if (operation.takesKey) refuseInvalid(request, HEADERS, { value: headersOf(request), place: 'header' })
  }
}

const HEADERS = { type: 'object', properties: keyHeaders }

/** A blank key counts as absent, as in the public API. */
function headersOf(request: FastifyRequest): object {
  const key = keyOf(request)
  return key === null ? {} : { 'Idempotency-Key': key }
}

export function keyOf({ headers }: FastifyRequest): string | null {
  const key = `${headers['idempotency-key'] ?? ''}`.trim()
  return key === '' ? null : key
}

type Part = { value: unknown; place: 'path' | 'query' | 'header' | '' }

function refuseInvalid(request: FastifyRequest, schema: JsonSchema, { value, place }: Part): void {
  const validate = validatorOf(request, schema)
  if (!validate(value)) throw invalidRequest(validate.errors as SchemaError[], place)
}

type Validator = ReturnType<FastifyRequest['compileValidationSchema']>
const validators = new WeakMap<JsonSchema, Validator>()

function validatorOf(request: FastifyRequest, schema: JsonSchema): Validator {
  const validate = validators.get(schema) ?? request.compileValidationSchema(schema)
  validators.set(schema, validate)
  return validate
}

/** For a stream, whose lines are checked one by one. */
export function lineValidator(request: FastifyRequest, schema: JsonSchema) {
  const validate = validatorOf(request, schema)
  return (data: unknown) => {
    try {
      const value = numbersToText(schema, data)
      return validate(value) ? { value } : { problem: invalidRequest(validate.errors as SchemaError[], '').message }
    } catch (error) {
      if (error instanceof Problem) return { problem: error.message }
      throw error
    }
  }
}
