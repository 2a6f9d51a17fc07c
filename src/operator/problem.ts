import type { FastifyReply } from 'fastify'

/** An answer that refuses, as RFC 9457 problem details. */
export class Problem extends Error {
  readonly status: number
  readonly title: string
  readonly errors: readonly FieldError[]

  constructor(status: number, title: string, detail: string, errors: readonly FieldError[] = []) {
    super(detail)
    this.status = status
    this.title = title
    this.errors = errors
  }
}

/** Which part of the request is wrong: a JSON pointer, and what to write instead. */
export type FieldError = { pointer: string; detail: string }

export function notFound(what: string): Problem {
  return new Problem(404, 'Not found', `There is no ${what}.`)
}

export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  reply.code(problem.status).header('content-type', 'application/problem+json; charset=utf-8')
  const errors = problem.errors.length === 0 ? {} : { errors: problem.errors }
  const body = { type: 'about:blank', title: problem.title, status: problem.status, detail: problem.message, ...errors }
  return reply.send(JSON.stringify(body))
}
