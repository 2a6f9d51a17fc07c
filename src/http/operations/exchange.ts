import type { IncomingMessage, ServerResponse } from 'node:http'
import { WRITE_POSITION } from '../../platform/database/replicas/write-positions.ts'
import type { Representation } from '../answers/negotiate.ts'
import type { ResponseWriter } from '../answers/raw-response.ts'
import type { RequestRecord } from '../requests/request-record.ts'
import { faultBody, toFault } from './failures.ts'
import { areaOf } from './operation.ts'

/** A request with its response and its log record. */
export type Exchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The variable parts of the path. */
  readonly path: Readonly<Record<string, string>>
  readonly record: RequestRecord
}

export function refuse(
  writer: ResponseWriter,
  error: unknown,
  { request, response, record }: Omit<Exchange, 'path'>,
  representation: Representation,
): void {
  const fault = toFault(error)
  record.fault = fault.code
  record.kind = fault.kind
  record.faultName = fault.faultName ?? ''
  if (fault.status >= 500 && fault.cause !== undefined) record.error = fault.cause
  // Closes the connection instead of waiting for the rest of a late request.
  if (fault.kind === 'tooSlow') response.shouldKeepAlive = false
  if (fault.retryAfter !== undefined) response.setHeader('retry-after', String(fault.retryAfter))
  // Whether it was written is not known, or it was not.
  if (fault.status === 503) response.removeHeader(WRITE_POSITION)
  const body = faultBody(fault, representation, areaOf(request.url ?? ''))
  writer.sendText(response, { status: fault.status, representation, body, id: record.id })
}
