// Checks requests against the schemas of their operation. Each schema is compiled when its operation is first called:
// given to the routes, all would be compiled at every start, which took a quarter of it.

import type { FastifyRequest } from 'fastify'
import { type JsonSchema, object } from '../../http/representation/json-schema.ts'
import { numbersToText, prepareBody, prepareQuery } from './bodies.ts'
import { pathSchema } from './fields.ts'
import type { OperatorOperation } from './operation.ts'
import { Problem } from './problem.ts'
import { invalidRequest, type SchemaError } from './refusals.ts'

type Check = (request: FastifyRequest) => void

export function validationOf(operation: OperatorOperation): Check {
  const { path, query = object({}), body } = operation
  const ofPath = { type: 'object', properties: pathSchema(path) }
  return (request) => {
    request.body = prepareBody(operation, request.body)
    request.query = prepareQuery(operation, request.query)
    refuseInvalid(request, ofPath, { value: request.params, place: 'path' })
    if (body !== undefined && body !== 'stream') refuseInvalid(request, body, { value: request.body, place: '' })
    refuseInvalid(request, query, { value: request.query, place: 'query' })
  }
}

type Part = { value: unknown; place: 'path' | 'query' | '' }

function refuseInvalid(request: FastifyRequest, schema: JsonSchema, { value, place }: Part): void {
  const validate = request.compileValidationSchema(schema)
  if (!validate(value)) throw invalidRequest(validate.errors as SchemaError[], place)
}

/** For a stream, whose lines are checked one by one. */
export function lineValidator(request: FastifyRequest, schema: JsonSchema) {
  const validate = request.compileValidationSchema(schema)
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
