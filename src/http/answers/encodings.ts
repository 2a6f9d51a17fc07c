// Compression of answers, as far as Accept-Encoding allows it (RFC 9110 12.5.3).

import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { qualityOf } from './negotiate.ts'

export type Encoding = 'br' | 'gzip'

/** The rest of a longer header is ignored. */
const MAX_CODINGS = 20

/** null: as it is. Linear in the length of the header. */
export function encodingOf(accept: string | undefined): Encoding | null {
  if (accept === undefined) return null
  const qualities = new Map<string, number>()
  for (const part of accept.split(',', MAX_CODINGS)) {
    const [coding = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
    qualities.set(coding, qualityOf(parameters))
  }
  const quality = (coding: Encoding): number => qualities.get(coding) ?? qualities.get('*') ?? 0
  const [br, gz] = [quality('br'), quality('gzip')]
  if (br === 0 && gz === 0) return null
  return gz > br ? 'gzip' : 'br'
}

const byGzip = promisify(gzip)
const byBrotli = promisify(brotliCompress)

/** On a thread of Node's pool. `often`: for each answer anew, so quickly rather than small. */
export function compressed(bytes: Buffer, encoding: Encoding, { often }: { often: boolean }): Promise<Buffer> {
  if (encoding === 'gzip') return byGzip(bytes, { level: often ? 4 : 9 })
  return byBrotli(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: often ? 4 : 9,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  })
}
