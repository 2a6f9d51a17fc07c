// Turns every error of the operator's listener into problem details that state what to do.

import { STATUS_CODES } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Fault, type FaultKind } from '../../faults.ts'
import type { BrokenRequest, ProtocolRefusal } from '../../http/requests/broken-requests.ts'
import { DatabaseUnavailable } from '../../platform/database/database.ts'
import { Refused } from '../../platform/runtime/refused.ts'
import { PATTERNS_IN_WORDS } from './fields.ts'
import { notValid, PROBLEM_TYPE, Problem, problemBody, sendProblem } from './problem.ts'
import type { FieldError } from './problem-schema.ts'

/** What Ajv reports of one wrong value. */
export type SchemaError = {
  keyword: string
  instancePath: string
  message?: string
  params: {
    missingProperty?: string
    additionalProperty?: string
    allowedValues?: unknown[]
    pattern?: string
    type?: string
    limit?: number
  }
}

type FastifyError = { code?: string; statusCode?: number; message: string }

/** Bounds the answer to a body of nothing but mistakes. */
const MAX_ERRORS = 100

const ADVICE: Record<string, string> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'The content type cannot be read: send JSON with content-type: application/json.',
}

/** What can go wrong while a body is read (http/requests/body.ts). */
const BODY_ADVICE = {
  tooLarge: 'The body is too large: send at most 1 MiB of JSON.',
  tooSlow: 'The body did not arrive in time: send it again.',
  malformedRequest: 'The body is not well-formed HTTP, or shorter than its content-length: send it again.',
} satisfies { readonly [K in FaultKind]?: string }

const REFUSED = {
  unknown: [404, 'Not found'],
  conflict: [409, 'Conflict'],
  invalid: [422, 'The request is not valid'],
} as const

export function toProblem(error: unknown, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error
  if (error instanceof Refused) {
    const [status, title] = REFUSED[error.kind]
    return new Problem(status, title, error.message, { members: error.details })
  }
  if (error instanceof DatabaseUnavailable) {
    request.record.error = error
    return new Problem(503, 'Unavailable', 'The database cannot serve now: try again later.')
  }
  if (error instanceof Fault) return new Problem(error.status, titleOf(error.status), adviceOn(error))
  const { code = '', statusCode = 500, message } = error as FastifyError
  // A client that disconnects in the middle of its request is no error of ours.
  if (code === 'ECONNRESET' && request.raw.destroyed)
    return new Problem(400, 'Bad Request', BODY_ADVICE.malformedRequest)
  if (statusCode < 500) return new Problem(statusCode, titleOf(statusCode), ADVICE[code] ?? message)
  request.record.error = error
  return new Problem(
    500,
    'Internal error',
    `Something went wrong on our side; the log has it under ${request.record.id}.`,
  )
}

function adviceOn({ kind, message }: Fault): string {
  return (BODY_ADVICE as { readonly [K in FaultKind]?: string })[kind] ?? message
}

function titleOf(status: number): string {
  return STATUS_CODES[status] ?? 'Refused'
}

/** `place`: which part of the request the values are in; '' is the body. */
export function invalidRequest(errors: readonly SchemaError[], place: 'path' | 'query' | 'header' | ''): Problem {
  return notValid(
    withoutOtherForms(errors)
      .slice(0, MAX_ERRORS)
      .map((error) => toFieldError(error, place)),
  )
}

/**
 * A value that may be a word or an object is checked against both. Drops the errors of the anyOf branch that does not
 * match: for an object, that it is not one of the words.
 */
function withoutOtherForms(errors: readonly SchemaError[]): readonly SchemaError[] {
  const choices = new Set(errors.filter(({ keyword }) => keyword === 'anyOf').map(({ instancePath }) => instancePath))
  if (choices.size === 0) return errors
  const isNoObject = new Set(errors.filter(({ params }) => params.type === 'object').map((error) => error.instancePath))
  return errors.filter(({ keyword, instancePath }) => {
    if (!choices.has(instancePath)) return true
    return keyword === 'enum' ? isNoObject.has(instancePath) : keyword !== 'type' && keyword !== 'anyOf'
  })
}

function toFieldError({ keyword, instancePath, message, params }: SchemaError, place: string): FieldError {
  const pointer = place + instancePath
  const below = (name: string | undefined) => `${pointer}/${`${name}`.replace(/~/g, '~0').replace(/\//g, '~1')}`
  switch (keyword) {
    case 'required':
      return { pointer: below(params.missingProperty), detail: 'is required' }
    case 'additionalProperties':
      return {
        pointer: below(params.additionalProperty),
        detail: 'is not known here: correct its name or leave it out',
      }
    case 'enum':
      return { pointer, detail: `must be one of ${params.allowedValues?.join(', ')}` }
    case 'pattern':
      return { pointer, detail: PATTERNS_IN_WORDS.get(params.pattern ?? '') ?? `must match ${params.pattern}` }
    case 'maxItems':
      return { pointer, detail: `must have ${params.limit} items at most: remove what is no longer needed` }
    default:
      return { pointer, detail: message ?? 'is not valid' }
  }
}

/** `methods`: what the path serves; null: the path does not exist. */
export function refusePath(reply: FastifyReply, methods: string[] | null): FastifyReply {
  if (methods === null) {
    const advice = 'There is nothing at this path; /operator/openapi.json lists all paths.'
    return sendProblem(reply, new Problem(404, 'Not found', advice))
  }
  const allowed = methods.join(', ')
  reply.header('allow', allowed)
  return sendProblem(
    reply,
    new Problem(405, 'Method not allowed', `This path serves ${allowed}: use one of these methods.`),
  )
}

/** For bytes that never became a request. */
export function brokenOperatorRequestRefusal({ reason }: BrokenRequest): ProtocolRefusal {
  const [status, advice] = BROKEN[reason]
  const body = problemBody(new Problem(status, titleOf(status), advice))
  return { status, contentType: PROBLEM_TYPE, body, fault: '' }
}

const BROKEN: Record<BrokenRequest['reason'], [status: number, advice: string]> = {
  malformedRequest: [400, 'The request is not well-formed HTTP: check the client or proxy that sent it.'],
  headersTooLarge: [431, 'The request line and headers are too large: send at most 16 KiB.'],
  tooSlow: [408, 'The request did not arrive in time: send it again.'],
  methodNotServed: [405, 'This service is no proxy: it does not serve CONNECT.'],
}
