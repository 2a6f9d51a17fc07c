import { type BuiltRequest, buildRequest, type Headers } from '../../web/reference/request.js'
import type { ReferenceOperation } from './document.ts'

export type { BuiltRequest }

/** The request of an operation with these parameters. Empty ones are not sent. */
export function sentRequest(
  operation: ReferenceOperation,
  values: Readonly<Record<string, string>>,
  headers: Headers,
): BuiltRequest {
  const fields = operation.fields.map(({ name, from }) => ({ name, from, value: values[name] ?? '' }))
  return buildRequest(operation, fields, headers)
}
