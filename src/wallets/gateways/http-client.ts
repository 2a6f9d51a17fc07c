import { Pool } from 'undici'
import { withoutTrailingSlashes } from '../../platform/runtime/trailing-slashes.ts'
import { tracedCall } from '../../platform/tracing/calls.ts'
import { errorTypeOf } from '../../platform/tracing/span.ts'

export type GatewayResponse = { readonly status: number; readonly body: unknown; readonly date?: string | undefined }

/** No response, or none that can be read: whether the gateway received the call is unknown. */
export class NoResponse extends Error {}

const MAX_RESPONSE_BYTES = 1024 * 1024
const JSON_BODY = { 'content-type': 'application/json' }

/** Keep-alive connections to one gateway, with a timeout for the whole call. Callers repeat calls, not this client. */
export function gatewayHttpClient(url: string, timeoutMs: number) {
  const address = new URL(url)
  const { origin, pathname } = address
  const pool = new Pool(origin, { connections: 32, pipelining: 1, connect: { timeout: timeoutMs } })
  const base = withoutTrailingSlashes(pathname)

  type Method = 'GET' | 'POST'
  type Headers = Record<string, string>

  function call(method: Method, path: string, headers: Headers, body: object | null): Promise<GatewayResponse> {
    const describe = () => ({ method, url: address, target: withoutReferences(base + path) })
    return tracedCall(describe, (more) => send(method, path, { ...headers, ...more }, body))
  }

  async function send(method: Method, path: string, headers: Headers, body: object | null): Promise<GatewayResponse> {
    try {
      const {
        statusCode,
        headers: sent,
        body: response,
      } = await pool.request({
        method,
        path: base + path,
        headers: { ...(body === null ? {} : JSON_BODY), accept: 'application/json', ...headers },
        body: body === null ? null : JSON.stringify(body),
        signal: AbortSignal.timeout(timeoutMs),
      })
      const chunks: Buffer[] = []
      let size = 0
      for await (const chunk of response as AsyncIterable<Buffer>) {
        size += chunk.length
        if (size > MAX_RESPONSE_BYTES) throw new Error('the response is too long')
        chunks.push(chunk)
      }
      return { status: statusCode, body: parseJson(Buffer.concat(chunks).toString()), date: `${sent.date ?? ''}` }
    } catch (error) {
      // Without a cause: an error of the client library may hold the request, which holds the cv2.
      throw new NoResponse(errorTypeOf(error))
    }
  }

  return {
    post: (path: string, headers: Headers, body: object) => call('POST', path, headers, body),
    get: (path: string, headers: Headers) => call('GET', path, headers, null),
    close: () => pool.close(),
  }
}

/** For the name of a span: references of payments and query strings are left out. */
function withoutReferences(path: string): string {
  const [plain = ''] = path.split('?', 1)
  return plain.replace(/[^/]+/g, (part) => (/^([a-z][a-zA-Z-]*|v\d+)$/.test(part) ? part : '{id}'))
}

/** undefined: not JSON. The status alone then decides. */
function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
