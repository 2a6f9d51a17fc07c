// What an operator sends is checked against the schemas of its operation. Each is compiled when its operation is first
// called: given to the routes, all would be compiled at every start, which took a quarter of it.

import type { FastifyRequest } from 'fastify'
import { numbersAsText, readyBody, readyQuery } from './bodies.ts'
import { type JsonSchema, type OperatorOperation, pathSchema } from './operation.ts'
import { Problem } from './problem.ts'
import { type Finding, findingsRefused } from './refusals.ts'

type Checked = (request: FastifyRequest) => void

export function validationOf(operation: OperatorOperation): Checked {
  const { path, query = {}, body } = operation
  const ofPath = { type: 'object', properties: pathSchema(path) }
  const ofQuery = { type: 'object', properties: query, additionalProperties: false }
  return (request) => {
    request.body = readyBody(operation, request.body)
    request.query = readyQuery(operation, request.query)
    refuseInvalid(request, ofPath, { value: request.params, place: 'path' })
    if (body !== undefined && body !== 'stream') refuseInvalid(request, body, { value: request.body, place: '' })
    refuseInvalid(request, ofQuery, { value: request.query, place: 'query' })
  }
}

type Part = { value: unknown; place: 'path' | 'query' | '' }

function refuseInvalid(request: FastifyRequest, schema: JsonSchema, { value, place }: Part): void {
  const validate = request.compileValidationSchema(schema)
  if (!validate(value)) throw findingsRefused(validate.errors as Finding[], place)
}

/** For what arrives in a stream, line by line. */
export function lineValidator(request: FastifyRequest, schema: JsonSchema) {
  const validate = request.compileValidationSchema(schema)
  return (data: unknown) => {
    try {
      const value = numbersAsText(schema, data)
      return validate(value) ? { value } : { problem: findingsRefused(validate.errors as Finding[], '').message }
    } catch (error) {
      if (error instanceof Problem) return { problem: error.message }
      throw error
    }
  }
}
