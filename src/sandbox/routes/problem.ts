import type { FastifyReply, FastifyRequest } from 'fastify'
import { Fault } from '../../faults.ts'
import { toFault } from '../../http/operations/failures.ts'
import { Refused } from '../../platform/runtime/refused.ts'

const REFUSED = { unknown: 404, conflict: 409, invalid: 400 } as const

/** A sentence in `title` states what to do. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  if (error instanceof Refused) return send(reply, REFUSED[error.kind], error.message)
  const fault = toFault(error)
  if (fault.status >= 500 && !(error instanceof Fault)) request.record.error = error
  if (fault.kind === 'tooSlow') reply.header('connection', 'close')
  if (fault.retryAfter !== undefined) reply.header('retry-after', String(fault.retryAfter))
  const title = fault.faultName === undefined ? fault.message : `${fault.message}: ${fault.faultName}`
  // The contract answers some faults with 200.
  return send(reply, fault.status < 400 ? 400 : fault.status, title)
}

function send(reply: FastifyReply, status: number, title: string): FastifyReply {
  return reply
    .code(status)
    .header('content-type', 'application/problem+json; charset=utf-8')
    .send(JSON.stringify({ title, status }))
}
