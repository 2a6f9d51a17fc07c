// Reads a collection with Postman's own library, and builds its requests as Postman does. The library's types lack what is used
// here.

import { createRequire } from 'node:module'

type Pair = { readonly key: string; readonly value: string; readonly disabled?: boolean }
type List<T> = { all(): T[]; count(): number }

export type PostmanRequest = {
  readonly method: string
  readonly url: { readonly path: string[]; readonly query: List<Pair>; readonly variables: List<Pair> }
  readonly headers: List<Pair>
  readonly body?: { readonly mode: string; readonly urlencoded?: List<Pair> }
  getHeaders(options: { enabled: boolean }): Record<string, string>
  toObjectResolved(scope: PostmanCollection, overrides: []): object
}
export type PostmanItem = {
  readonly name: string
  readonly request: PostmanRequest
  readonly responses: List<{ readonly code: number }>
}
export type PostmanCollection = {
  readonly name: string
  readonly variables: List<Pair>
  readonly items: List<{ readonly name: string; readonly items: List<PostmanItem> }>
}
type Library = {
  Collection: new (definition: object) => PostmanCollection
  Request: new (definition: object) => PostmanRequest
}

// A package of the converter, not of ours.
const converter = createRequire(import.meta.url).resolve('openapi-to-postmanv2')
const { Collection, Request } = createRequire(converter)('postman-collection') as Library

export async function readCollection(url: string): Promise<PostmanCollection> {
  const response = await fetch(`${url}/postman.json`)
  return new Collection((await response.json()) as object)
}

export function itemsOf(collection: PostmanCollection): PostmanItem[] {
  return collection.items.all().flatMap((folder) => folder.items.all())
}

/** With the collection's variables; `file` is what a request with a file sends. */
export function fetchArguments(collection: PostmanCollection, item: PostmanItem, file: Blob): [string, RequestInit] {
  const resolved = new Request(item.request.toObjectResolved(collection, []))
  const { method, url, body } = resolved
  const pairs = body?.urlencoded?.all().filter(({ disabled }) => !disabled) ?? []
  const form = new URLSearchParams(pairs.map(({ key, value }): [string, string] => [key, value])).toString()
  const sent = body?.mode === 'file' ? { body: file } : body?.mode === 'urlencoded' ? { body: form } : {}
  return [url.toString(), { method, headers: resolved.getHeaders({ enabled: true }), ...sent }]
}
