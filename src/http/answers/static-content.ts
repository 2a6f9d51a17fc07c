// What is the same for every request: documents and files of the web applications. Each is compressed once, when it is first
// requested so: at the start it would delay every process, and a build would have to be repeated for each page of the reference.

import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasCurrentCopy } from '../../platform/runtime/etags.ts'
import { compressed, type Encoding, encodingOf } from './encodings.ts'

/** Smaller ones fit into one packet anyway. Pictures are compressed already. */
const MIN_COMPRESSED = 1_024

export function staticContent(bytes: Buffer, type: string) {
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
  const encoded = new Map<Encoding, Promise<Buffer>>()

  function encode(encoding: Encoding): Promise<Buffer> {
    const known = encoded.get(encoding) ?? compressed(bytes, encoding, { often: false })
    encoded.set(encoding, known)
    return known
  }

  /** The caller has set the headers of its own. */
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const encoding =
      bytes.length < MIN_COMPRESSED || type === 'image/png' ? null : encodingOf(request.headers['accept-encoding'])
    // Other bytes have another tag.
    const etag = encoding === null ? `"${hash}"` : `"${hash}-${encoding}"`
    reply.headers({ etag, vary: 'accept-encoding' })
    if (hasCurrentCopy(request.headers['if-none-match'], etag)) return reply.code(304).send()
    reply.header('content-type', type)
    if (encoding === null) return reply.send(bytes)
    return reply.header('content-encoding', encoding).send(await encode(encoding))
  }
}
