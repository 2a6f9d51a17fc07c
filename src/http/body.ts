import type { IncomingMessage } from 'node:http'
import { Fault } from '../faults.ts'

export type BodyRules = {
  /** In bytes. */
  readonly largest: number
  /** The whole body must be there within this time. */
  readonly deadlineMs: number
  /** Called with the size of each piece that is kept; throws where there is no room for it. */
  readonly keep: (bytes: number) => void
  /** Called with what was kept of a body that is refused. */
  readonly drop: (bytes: number) => void
}

export function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': announced, 'transfer-encoding': chunked } = headers
  return chunked !== undefined || (announced !== undefined && announced !== '0')
}

/** Read only after the caller's credentials were checked, so that nobody unknown makes the service hold bytes. */
export function readBody(request: IncomingMessage, rules: BodyRules): Buffer | Promise<Buffer> {
  if (!hasBody(request)) return EMPTY
  refuseTooLarge(request, rules.largest)
  return collect(request, rules)
}

/**
 * Refuses a body that is too large, and keeps nothing of it. One that says its size is not waited for: Node reads it away after
 * the answer.
 */
export function ignoreBody(request: IncomingMessage, rules: BodyRules): Buffer | Promise<Buffer> {
  refuseTooLarge(request, rules.largest)
  return request.headers['transfer-encoding'] === undefined ? EMPTY : collect(request, rules, false)
}

export const EMPTY = Buffer.alloc(0)

function refuseTooLarge({ headers }: IncomingMessage, largest: number): void {
  if (Number(headers['content-length']) > largest) throw new Fault('tooLarge')
}

function collect(request: IncomingMessage, rules: BodyRules, keepBytes = true): Promise<Buffer> {
  const { largest, deadlineMs, keep, drop } = rules
  // It may have broken off, or turned out to be no HTTP, while the credentials were looked up.
  if (request.destroyed && !request.readableEnded) throw new Fault('malformedRequest')
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    let kept = 0
    const late = setTimeout(() => refuse(new Fault('tooSlow')), deadlineMs)
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size > largest) return refuse(new Fault('tooLarge'))
      if (!keepBytes) return
      try {
        keep(chunk.length)
      } catch (error) {
        return refuse(error)
      }
      kept += chunk.length
      chunks.push(chunk)
    }
    const onEnd = () => {
      stop()
      resolve(keepBytes ? Buffer.concat(chunks, size) : EMPTY)
    }
    // A client that goes away in the middle of its body is none of our errors.
    const onLost = () => refuse(new Fault('malformedRequest'))
    /** What still comes is read away by Node once the answer is sent; none of it is kept. */
    function refuse(fault: unknown): void {
      stop()
      drop(kept)
      request.resume()
      reject(fault)
    }
    function stop(): void {
      clearTimeout(late)
      request.off('data', onData).off('end', onEnd).off('close', onLost)
    }
    request.on('data', onData).once('end', onEnd).once('close', onLost)
  })
}
