// Builds one HTTP request from an operation, its parameters and the settings of the client.

import type { Operation, Values } from './operation.ts'

export type Credentials = {
  readonly apiKey: string
  readonly secret: string
  readonly ticket?: string | undefined
}

export type HeaderValues = { readonly [name: string]: string }

export type Target = Credentials & {
  readonly baseUrl: string
  readonly addresses?: 'original' | undefined
  readonly headers: { readonly [name: string]: unknown }
}

export type Body = NonNullable<RequestInit['body']> | null

export type Request = {
  readonly url: string
  readonly method: string
  readonly headers: Record<string, string>
  readonly body: Body
}

export function requestFor(operation: Operation, values: Values, target: Target): Request {
  const { method, path, originalPath, keyInQuery, form, body } = operation
  const isOriginal = target.addresses === 'original'
  // What is not taken for another place is sent in the query string or as a form.
  const left = { ...values }
  const take = (name: string): unknown => {
    const value = left[name]
    delete left[name]
    return value
  }
  const written = (isOriginal && originalPath) || path
  const filled = written.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(textOf(take(name)) ?? ''))
  const headers: Record<string, string> = { accept: 'application/json' }
  const content = body === undefined ? null : (take(body) as Body)
  const pairs: Record<string, string> = {}
  if (!operation.open) {
    write(isOriginal && keyInQuery ? pairs : headers, 'who-apiKey', target.apiKey)
    write(headers, 'who-secret', target.secret)
    if (!operation.noTicket) write(headers, 'who-ticket', target.ticket)
  }
  for (const [name, value] of Object.entries(target.headers)) write(headers, name.toLowerCase(), value)
  for (const [name, value] of Object.entries(left)) write(pairs, name, value)
  const encoded = new URLSearchParams(pairs)
  const isForm = form && !isOriginal
  const query = isForm || `${encoded}` === '' ? '' : `?${encoded}`
  return { url: `${target.baseUrl}${filled}${query}`, method, headers, body: isForm ? encoded : content }
}

function write(pairs: Record<string, string>, name: string, value: unknown): void {
  const text = textOf(value)
  if (text !== undefined) pairs[name] = text
}

/** undefined: not sent. `false` is what the service assumes where nothing is sent. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null || value === false) return undefined
  if (value === true) return 'Y'
  return value instanceof Date ? value.toISOString() : String(value)
}
