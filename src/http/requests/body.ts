import type { IncomingMessage } from 'node:http'
import { Fault } from '../../faults.ts'

export type BodyRules = {
  /** In bytes. */
  readonly largest: number
  /** The whole body must arrive within this time. */
  readonly deadlineMs: number
  /** Called with the size of each piece before it is stored; throws where there is no memory left for it. */
  readonly reserve: (bytes: number) => void
  /** Called with the bytes stored of a body that is refused. */
  readonly release: (bytes: number) => void
}

export function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': announced, 'transfer-encoding': chunked } = headers
  return chunked !== undefined || (announced !== undefined && announced !== '0')
}

/** Called only after the caller's credentials were checked, so that strangers cannot use up memory. */
export function readBody(request: IncomingMessage, rules: BodyRules): Buffer | Promise<Buffer> {
  if (!hasBody(request)) return EMPTY_BODY
  refuseTooLarge(request, rules.largest)
  return collect(request, rules)
}

/**
 * Refuses a body that is too large, and stores nothing of it. A body that announces its size is not waited for: Node discards it
 * after the answer.
 */
export function ignoreBody(request: IncomingMessage, rules: BodyRules): Buffer | Promise<Buffer> {
  refuseTooLarge(request, rules.largest)
  return request.headers['transfer-encoding'] === undefined ? EMPTY_BODY : collect(request, rules, false)
}

export const EMPTY_BODY = Buffer.alloc(0)

function refuseTooLarge({ headers }: IncomingMessage, largest: number): void {
  if (Number(headers['content-length']) > largest) throw new Fault('tooLarge')
}

function collect(request: IncomingMessage, rules: BodyRules, storeBytes = true): Promise<Buffer> {
  const { largest, deadlineMs, reserve, release } = rules
  // It may have ended early, or turned out not to be HTTP, while the credentials were looked up.
  if (request.destroyed && !request.readableEnded) throw new Fault('malformedRequest')
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    let reserved = 0
    const late = setTimeout(() => refuse(new Fault('tooSlow')), deadlineMs)
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size > largest) return refuse(new Fault('tooLarge'))
      if (!storeBytes) return
      try {
        reserve(chunk.length)
      } catch (error) {
        return refuse(error)
      }
      reserved += chunk.length
      chunks.push(chunk)
    }
    const onEnd = () => {
      stop()
      resolve(storeBytes ? Buffer.concat(chunks, size) : EMPTY_BODY)
    }
    // A client that disconnects in the middle of its body is not an error of the service.
    const onClose = () => refuse(new Fault('malformedRequest'))
    /** Node discards what still arrives once the answer is sent. */
    function refuse(fault: unknown): void {
      stop()
      release(reserved)
      request.resume()
      reject(fault)
    }
    function stop(): void {
      clearTimeout(late)
      request.off('data', onData).off('end', onEnd).off('close', onClose)
    }
    request.on('data', onData).once('end', onEnd).once('close', onClose)
  })
}
