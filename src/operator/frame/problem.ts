import type { FastifyReply } from 'fastify'

type ProblemParts = { errors?: readonly FieldError[]; members?: Readonly<Record<string, unknown>> }

/** An answer that refuses, as RFC 9457 problem details. */
export class Problem extends Error {
  readonly status: number
  readonly title: string
  readonly errors: readonly FieldError[]
  /** Members of the answer beside those that every refusal has. */
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

/** Which part of the request is wrong (a JSON pointer into the body, or query/name, or path/name), and what it must be. */
export type FieldError = { pointer: string; detail: string }

export function notFound(what: string): Problem {
  return new Problem(404, 'Not found', `There is no ${what}.`)
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
  // What is left of a request that is late is not waited for.
  if (problem.status === 408) reply.header('connection', 'close')
  if (problem.retryAfter !== undefined) reply.header('retry-after', String(problem.retryAfter))
  return reply.send(problemBody(problem))
}

export function problemBody({ title, status, message, errors, members }: Problem): string {
  const fields = errors.length === 0 ? {} : { errors }
  return JSON.stringify({ type: 'about:blank', title, status, detail: message, ...fields, ...members })
}
