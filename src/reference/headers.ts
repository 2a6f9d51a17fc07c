// The headers of answers, for the OpenAPI document; assets/reference/public/openapi.json describes them.

import type { Operation } from '../http/operations/operation.ts'
import type { Json } from './document-schema.ts'

const RETRIED = new Set([429, 503])

export function headersOf({ answer, mayBeStale }: Operation, status: number): Json {
  const shared = [
    'x-request-id',
    ...(RETRIED.has(status) ? ['Retry-After'] : []),
    ...(mayBeStale && status !== 503 ? ['x-read-age'] : []),
    ...(mayBeStale !== false && status !== 503 ? ['x-write-position'] : []),
  ]
  const own = status === answer.status ? Object.entries(answer.headers ?? {}) : []
  return {
    ...Object.fromEntries(shared.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    ...Object.fromEntries(own.map(([name, description]) => [name, { description, schema: { type: 'string' } }])),
  }
}
