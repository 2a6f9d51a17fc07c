// The span of a request. Without url.path, the query, headers and the client's address: they hold customers' data and secrets.

import type { IncomingMessage } from 'node:http'
import type { Config } from '../../platform/config/config.ts'
import { type Attributes, endSpan, type Span } from '../../platform/tracing/span.ts'
import type { Tracing } from '../../platform/tracing/tracing.ts'

/** Others are written as _OTHER, so that nobody can invent names of spans. */
const METHODS = new Set(['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'QUERY', 'TRACE'])

/** What all requests of a listener have in common. The header Host is not used: clients write into it what they like. */
export function listenerAttributes(config: Config, listener: 'public' | 'operator'): Attributes {
  const { url, host, port } = config[listener]
  const tls = listener === 'public' ? config.tls : config.operator.tls
  const reached = url === null ? null : new URL(url)
  const serverPort = reached === null ? port : portOf(reached)
  return {
    'url.scheme': tls === null ? (reached?.protocol.slice(0, -1) ?? 'http') : 'https',
    'server.address': reached?.hostname ?? host,
    // Any free port, which tests use, is not known here.
    ...(serverPort === 0 ? {} : { 'server.port': serverPort }),
  }
}

function portOf({ protocol, port }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}

type Source = Pick<IncomingMessage, 'headers'> & Partial<Pick<IncomingMessage, 'method'>>

/** undefined: not sampled. */
export function beginRequestSpan(
  tracing: Tracing,
  { method = '', headers }: Source,
  attributes: Attributes,
): Span | undefined {
  return tracing.beginRequest(() => {
    const known = METHODS.has(method) ? method : '_OTHER'
    return { kind: 'server', name: '', attributes: { 'http.request.method': known, ...attributes } }
  }, headers)
}

type Recorded = { readonly id: string; readonly operation: string; readonly fault: string }

export function endRequestSpan(span: Span, { id, operation, fault }: Recorded, status: number): void {
  const { attributes } = span
  const { 'http.request.method': method, 'http.route': route } = attributes
  span.name = `${method === '_OTHER' ? 'HTTP' : method}${route === undefined ? '' : ` ${route}`}`
  attributes['http.response.status_code'] = status
  attributes['paddock.operation'] = operation
  attributes['paddock.request_id'] = id
  if (fault !== '') attributes['paddock.fault'] = fault
  if (status < 500) endSpan(span)
  else endSpan(span, fault === '' ? `${status}` : fault)
}
