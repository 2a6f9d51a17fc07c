import type { IncomingMessage } from 'node:http'
import { Fault } from '../faults.ts'

/**
 * The request's body, up to `limit` bytes. Read only after the caller's credentials were checked, so that nobody
 * unknown makes the service hold bytes.
 */
export function readBody(request: IncomingMessage, limit: number): Buffer | Promise<Buffer> {
  const { 'content-length': announced, 'transfer-encoding': chunked } = request.headers
  if (chunked === undefined && (announced === undefined || announced === '0')) return EMPTY
  if (Number(announced) > limit) throw new Fault('tooLarge')
  return collect(request, limit)
}

const EMPTY = Buffer.alloc(0)

function collect(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) return chunks.push(chunk)
      // The rest is read away by Node once the answer is sent; none of it is kept.
      request.off('data', onData)
      request.resume()
      reject(new Fault('tooLarge'))
    }
    request.on('data', onData)
    request.once('end', () => resolve(Buffer.concat(chunks, size)))
    request.once('error', reject)
    request.once('close', () => reject(new Fault('malformedRequest')))
  })
}
