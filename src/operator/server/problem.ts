import type { FastifyReply } from 'fastify'
import type { FieldError } from './problem-schema.ts'

type ProblemParts = { errors?: readonly FieldError[]; members?: Readonly<Record<string, unknown>> }

/** A refusal, answered as problem details (RFC 9457). */
export class Problem extends Error {
  readonly status: number
  readonly title: string
  readonly errors: readonly FieldError[]
  /** Further members of the answer. */
  readonly members: Readonly<Record<string, unknown>>
  /** Seconds, sent as Retry-After. */
  readonly retryAfter: number | undefined

  constructor(status: number, title: string, detail: string, { errors = [], members = {} }: ProblemParts = {}) {
    super(detail)
    this.status = status
    this.title = title
    this.errors = errors
    this.members = members
    this.retryAfter = status === 503 ? 2 : undefined
  }
}

export class TooManyRequests extends Problem {
  override readonly retryAfter: number

  constructor(detail: string, retryAfter: number) {
    super(429, 'Too many requests', detail)
    this.retryAfter = retryAfter
  }
}

/** `advice`: a sentence on what to do. */
export function notFound(what: string, advice?: string): Problem {
  return new Problem(404, 'Not found', `There is no ${what}.${advice === undefined ? '' : ` ${advice}`}`)
}

export function conflict(detail: string): Problem {
  return new Problem(409, 'Conflict', detail)
}

export function notValid(errors: readonly FieldError[]): Problem {
  const detail = errors.map((one) => `${one.pointer} ${one.detail}`.trim()).join('; ')
  return new Problem(422, 'The request is not valid', detail, { errors })
}

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'

export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  reply.code(problem.status).header('content-type', PROBLEM_TYPE).header('cache-control', 'no-store')
  if (problem.status === 401) reply.header('www-authenticate', 'Bearer')
  // The rest of a late request is not awaited.
  if (problem.status === 408) reply.header('connection', 'close')
  if (problem.retryAfter !== undefined) reply.header('retry-after', String(problem.retryAfter))
  return reply.send(problemBody(problem))
}

export function problemBody({ title, status, message, errors, members }: Problem): string {
  const fields = errors.length === 0 ? {} : { errors }
  return JSON.stringify({ type: 'about:blank', title, status, detail: message, ...fields, ...members })
}
