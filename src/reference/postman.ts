// The Postman collection, of what the service offers. `npm run postman` writes the whole of it, because the converter is
// no part of the installed service.

import { readFileSync } from 'node:fs'
import type { Operation } from '../http/operations/operation.ts'

type Pair = { readonly key: string; readonly value: string }
type PostmanRequest = {
  readonly url: { readonly query: readonly Pair[] }
  readonly header: readonly Pair[]
  readonly body: { readonly urlencoded?: readonly Pair[] }
}
/** `name` is the operation's. */
type Item = {
  readonly name: string
  readonly request: PostmanRequest
  readonly response: readonly { readonly originalRequest: PostmanRequest }[]
}
export type Collection = {
  readonly info: object
  readonly variable: readonly Pair[]
  readonly item: readonly { readonly name: string; readonly item: readonly Item[] }[]
}

type Served = {
  /** The service has the credentials that the variables are preset to. */
  readonly sandbox: boolean
  readonly address: string
}

export function offeredCollection(operations: readonly Operation[], { sandbox, address }: Served): Collection {
  const text = readFileSync(new URL('../../assets/postman.json', import.meta.url), 'utf8')
  const { info, variable, item } = JSON.parse(text) as Collection
  const offered = new Map(operations.map((operation) => [operation.name, operation]))
  const folders = item.map((folder) => ({
    ...folder,
    item: folder.item.flatMap((one) => {
      const operation = offered.get(one.name)
      return operation === undefined ? [] : [offeredItem(one, operation)]
    }),
  }))
  return {
    info,
    variable: variable.map((one) => {
      if (one.key === 'baseUrl') return { ...one, value: address }
      return sandbox ? one : { ...one, value: '' }
    }),
    item: folders.filter((folder) => folder.item.length > 0),
  }
}

function offeredItem(item: Item, operation: Operation): Item {
  return {
    ...item,
    request: offeredRequest(item.request, operation),
    response: item.response.map((one) => ({
      ...one,
      originalRequest: offeredRequest(one.originalRequest, operation),
    })),
  }
}

/** Headers of every request, which are no parameters of an operation. */
const COMMON = new Set(['who-apiKey', 'who-secret', 'who-ticket', 'Accept', 'Content-Type'])

function offeredRequest(request: PostmanRequest, { parameters }: Operation): PostmanRequest {
  const offered = (pairs: readonly Pair[]) => pairs.filter(({ key }) => key in parameters || COMMON.has(key))
  const { url, header, body } = request
  return {
    ...request,
    url: { ...url, query: offered(url.query) },
    header: offered(header),
    body: body.urlencoded === undefined ? body : { ...body, urlencoded: offered(body.urlencoded) },
  }
}
