// Answers what Node could not parse as a request (malformed HTTP, a head that is too large or too slow) and CONNECT, in the
// requested representation as far as it can be read, with a request id that is in the log.

import { type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { turnTime } from '../../platform/runtime/clock.ts'
import type { WriteAnswer } from '../connection/connections.ts'
import type { Recorder } from './request-record.ts'

export type BrokenRequest = {
  readonly reason: 'malformedRequest' | 'headersTooLarge' | 'tooSlow' | 'methodNotServed'
  readonly accept: string | undefined
  /** The path in the request line; '' where it could not be read. */
  readonly target: string
}

export type ProtocolRefusal = { status: number; contentType: string; body: string; fault: string }
export type RefusalOf = (broken: BrokenRequest) => ProtocolRefusal

type ParseError = Error & { code?: string; rawPacket?: Buffer; bytesParsed?: number }
type Connections = { refuse(socket: Socket, answer: WriteAnswer): void }

const REASONS: Readonly<Record<string, BrokenRequest['reason']>> = {
  HPE_HEADER_OVERFLOW: 'headersTooLarge',
  ERR_HTTP_REQUEST_TIMEOUT: 'tooSlow',
}

export function answerBrokenRequests(
  server: Server,
  connections: Connections,
  requests: Recorder,
  refusalOf: RefusalOf,
): void {
  const answer = (socket: Socket, broken: BrokenRequest): void => {
    const record = requests.begin({ socket, headers: {} })
    const { status, contentType, body, fault } = refusalOf(broken)
    record.fault = fault
    const headers = {
      'content-type': contentType,
      'content-length': Buffer.byteLength(body),
      vary: 'accept',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': record.id,
      ...(status === 405 ? { allow: 'GET, HEAD, POST, PUT, DELETE' } : {}),
      Date: new Date(turnTime()).toUTCString(),
      Connection: 'close',
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
    requests.finish(record, status)
  }
  server.on('clientError', (error: ParseError, stream: Duplex) => {
    const socket = stream as Socket
    const isSilent = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0
    if (error.code === 'ECONNRESET' || isSilent) {
      socket.destroy()
      return
    }
    const reason = REASONS[error.code ?? ''] ?? 'malformedRequest'
    connections.refuse(socket, () => answer(socket, { reason, ...readHead(error) }))
  })
  server.on('connect', ({ headers, socket }) => {
    connections.refuse(socket, () => answer(socket, { reason: 'methodNotServed', accept: headers.accept, target: '' }))
  })
}

/** Reads the part of the packet around the place of the error, between the blank lines before and after it. */
function readHead({ rawPacket, bytesParsed = 0 }: ParseError): Pick<BrokenRequest, 'accept' | 'target'> {
  const packet = rawPacket?.toString('latin1') ?? ''
  const before = packet.lastIndexOf('\r\n\r\n', Math.max(0, Math.min(bytesParsed - 1, packet.length - 5)))
  const after = packet.indexOf('\r\n\r\n', bytesParsed)
  const head = packet.slice(before === -1 ? 0 : before + 4, after === -1 ? undefined : after)
  return {
    accept: /^accept:[ \t]*([^\r\n]*)/im.exec(head)?.[1],
    target: /^[A-Z]+ (\/[^ \r\n]*)/.exec(head)?.[1] ?? '',
  }
}
