import { Pool } from 'undici'

export type GatewayReply = { readonly status: number; readonly body: unknown }

/** No answer, or none that can be read: whether the call was heard is unknown. */
export class NoAnswer extends Error {}

const LARGEST_ANSWER = 1024 * 1024

/** A few kept-alive connections to one gateway, with a time for the whole call. Nothing is repeated here. */
export function gatewayCalls(url: string, timeoutMs: number) {
  const { origin, pathname } = new URL(url)
  const pool = new Pool(origin, { connections: 32, pipelining: 1, connect: { timeout: timeoutMs } })
  const base = pathname.replace(/\/+$/, '')
  return {
    async post(path: string, headers: Record<string, string>, body: object): Promise<GatewayReply> {
      try {
        const { statusCode, body: answer } = await pool.request({
          method: 'POST',
          path: base + path,
          headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(timeoutMs),
        })
        const chunks: Buffer[] = []
        let size = 0
        for await (const chunk of answer as AsyncIterable<Buffer>) {
          size += chunk.length
          if (size > LARGEST_ANSWER) throw new Error('the answer is too long')
          chunks.push(chunk)
        }
        return { status: statusCode, body: parsed(Buffer.concat(chunks).toString()) }
      } catch (error) {
        // The cause is dropped: an error of the client library may hold the request, and that holds the cv2.
        throw new NoAnswer((error as { code?: string }).code ?? (error as Error).name)
      }
    },
    close: () => pool.close(),
  }
}

/** undefined for what is not JSON: the status alone then tells. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
