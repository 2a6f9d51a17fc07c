// The operations of the operator API that the console calls, with what each takes and answers. All types are those of the
// service's own rows; no code of it is imported.

import type { OperatorCalls } from '../../../src/operator/operations.ts'
import { ROUTES } from './routes.ts'

export type OperationName = keyof typeof ROUTES
export type AnswerOf<Name extends OperationName> = OperatorCalls[Name]['answer']
export type BodyOf<Name extends OperationName> = OperatorCalls[Name]['body']
type QueryOf<Name extends OperationName> = OperatorCalls[Name]['query']

/** May also have text where the server wants less: filters come from the address, and the server reports what is wrong. */
type SentQuery<Query> = { readonly [Field in keyof Query]: Query[Field] | string }
type Taken<Field extends string, Value> = [Value] extends [undefined]
  ? unknown
  : object extends Value
    ? { readonly [F in Field]?: Value }
    : { readonly [F in Field]: Value }
type Given<Name extends OperationName> = OperatorCalls[Name]['path'] &
  Taken<'query', SentQuery<QueryOf<Name>>> &
  Taken<'body', BodyOf<Name>>

/** The parameters of the path by their names, `query` and `body`: what the operation has of them. */
export type Arguments<Name extends OperationName> =
  object extends Given<Name> ? [given?: Given<Name>] : [given: Given<Name>]

/** What is sent, without its types. */
export type Sent = { readonly query?: object; readonly body?: unknown; readonly [parameter: string]: unknown }

export function routeOf(name: OperationName): string {
  return ROUTES[name]
}

/** The address is below that of the API. Fields of the query that are empty are left out. */
export function requestOf(
  name: OperationName,
  { query = {}, ...given }: Sent = {},
): { method: string; address: string } {
  const [method = '', path = ''] = ROUTES[name].split(' ')
  const address = path.replace(/\{(\w+)\}/g, (_, parameter: string) => encodeURIComponent(String(given[parameter])))
  const fields = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  return { method, address: fields.length === 0 ? address : `${address}?${new URLSearchParams(fields)}` }
}
