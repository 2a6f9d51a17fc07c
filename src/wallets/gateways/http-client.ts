import { Pool } from 'undici'
import { withoutTrailingSlashes } from '../../platform/runtime/trailing-slashes.ts'

export type GatewayResponse = { readonly status: number; readonly body: unknown }

/** No response, or none that can be read: whether the gateway received the call is unknown. */
export class NoResponse extends Error {}

const MAX_RESPONSE_BYTES = 1024 * 1024

/** Keep-alive connections to one gateway, with a timeout for the whole call. Callers repeat calls, not this client. */
export function gatewayHttpClient(url: string, timeoutMs: number) {
  const { origin, pathname } = new URL(url)
  const pool = new Pool(origin, { connections: 32, pipelining: 1, connect: { timeout: timeoutMs } })
  const base = withoutTrailingSlashes(pathname)
  return {
    async post(path: string, headers: Record<string, string>, body: object): Promise<GatewayResponse> {
      try {
        const { statusCode, body: response } = await pool.request({
          method: 'POST',
          path: base + path,
          headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(timeoutMs),
        })
        const chunks: Buffer[] = []
        let size = 0
        for await (const chunk of response as AsyncIterable<Buffer>) {
          size += chunk.length
          if (size > MAX_RESPONSE_BYTES) throw new Error('the response is too long')
          chunks.push(chunk)
        }
        return { status: statusCode, body: parseJson(Buffer.concat(chunks).toString()) }
      } catch (error) {
        // Without a cause: an error of the client library may hold the request, which holds the cv2.
        throw new NoResponse((error as { code?: string }).code ?? (error as Error).name)
      }
    },
    close: () => pool.close(),
  }
}

/** undefined: not JSON. The status alone then decides. */
function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
