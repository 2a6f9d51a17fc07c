// Spans of calls of other services. Without url.full, which may hold secrets and customers' data: a webhook's path often is its
// secret. `target` says in its place what is called.

import { activeSpan, childSpan, endSpan, errorTypeOf, type NewSpan, propagationHeaders, type Span } from './span.ts'

type Call = { readonly method: string; readonly url: URL; readonly target: string }

export function callSpan({ method, url, target }: Call): NewSpan {
  const { protocol, hostname, port } = url
  const attributes = {
    'http.request.method': method,
    'url.scheme': protocol.slice(0, -1),
    'server.address': hostname,
    'server.port': port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
  }
  return { kind: 'client', name: `${method} ${target}`, attributes }
}

/** A status of null: no answer. */
type Answer = { readonly status: number | null }
type Send<T> = (headers: Record<string, string>) => Promise<T>

/** A call that is a part of what runs now. `send` gets the headers that name its span. */
export function tracedCall<T extends Answer>(describe: () => Call, send: Send<T>): Promise<T> {
  const parent = activeSpan()
  return throughCall(parent && childSpan(parent, callSpan(describe())), send)
}

/** The span ends with the call. */
export async function throughCall<T extends Answer>(span: Span | undefined, send: Send<T>): Promise<T> {
  if (span === undefined) return send({})
  try {
    const answer = await send(propagationHeaders(span))
    const { status } = answer
    if (status !== null) span.attributes['http.response.status_code'] = status
    if (status === null || status >= 400) endSpan(span, `${status ?? 'no_answer'}`)
    else endSpan(span)
    return answer
  } catch (error) {
    endSpan(span, errorTypeOf(error))
    throw error
  }
}

type Fetch = (url: string | URL, request: RequestInit) => Promise<Response>

/** `fetch` with a span. */
export function tracedFetch(target: string, send: Fetch = (url, request) => fetch(url, request)): Fetch {
  return (url, request) => {
    if (activeSpan() === undefined) return send(url, request)
    const describe = () => ({ method: request.method ?? 'GET', url: new URL(url), target })
    return tracedCall(describe, (more) => {
      const headers = new Headers(request.headers)
      for (const [name, value] of Object.entries(more)) headers.set(name, value)
      return send(url, { ...request, headers })
    })
  }
}
