import type { IncomingMessage } from 'node:http'
import type { Representation } from '../answers/negotiate.ts'
import { EMPTY_BODY } from '../requests/body.ts'
import type { Pairs } from '../requests/credentials.ts'
import { headerText, MALFORMED, type Parameter, parsePairs, type Raw, textOrMalformed } from '../requests/parameters.ts'
import type { Exchange } from './exchange.ts'

/** The state of one request while an operation serves it. */
export type Call<S> = {
  readonly server: S
  readonly exchange: Exchange
  /** The answer's; XML where the caller accepts neither. */
  readonly representation: Representation
  /** Whether the caller accepts XML or JSON. */
  readonly acceptable: boolean
  hasSlot: boolean
  /** The application that the slot counts for, once it is known. */
  slotHolder: string | null
  /** The address that the request counts for, if it needs no credentials. */
  openHolder: string | null
  query: Pairs
  customerId: number | null
  /** Whether it counts towards the customer's limit of concurrent requests. */
  hasCustomerSlot: boolean
  /** Whether it counts towards the customer's limit of concurrent uploads. */
  isUploading: boolean
  /** Whether it has one of the customer's turns to write. */
  hasTurn: boolean
  body: Buffer
  form: Pairs | undefined
  /** The valid parameters, for the operation. */
  parameters: unknown
}

export function newCall<S>(server: S, exchange: Exchange, accepted: Representation | null): Call<S> {
  return {
    server,
    exchange,
    representation: accepted ?? 'xml',
    acceptable: accepted !== null,
    hasSlot: false,
    slotHolder: null,
    openHolder: null,
    query: NO_PAIRS,
    customerId: null,
    hasCustomerSlot: false,
    isUploading: false,
    hasTurn: false,
    body: EMPTY_BODY,
    form: undefined,
    parameters: undefined,
  }
}

const NO_PAIRS: Pairs = new Map()

export function queryOf(url: string): Pairs {
  const start = url.indexOf('?')
  return start === -1 ? NO_PAIRS : parsePairs(url.slice(start + 1))
}

export function rawOf(call: Call<unknown>, name: string, parameter: Parameter): Raw {
  const { request, path } = call.exchange
  if (parameter.from === 'path') return textOrMalformed(path[name] ?? '')
  if (parameter.from === 'header') return inHeaders(request, name)
  const inQuery = call.query.get(name)
  if (parameter.from === 'query' || (inQuery !== undefined && !parameter.mustAgree)) return inQuery
  if (parameter.from === 'query or header') return inHeaders(request, name)
  call.form ??= isForm(request) ? parsePairs(call.body.toString('latin1')) : NO_PAIRS
  const inForm = call.form.get(name)
  if (inQuery === undefined || inForm === undefined) return inQuery ?? inForm
  return inQuery === inForm ? inQuery : MALFORMED
}

/** Node builds `headersDistinct` for all headers at its first use; most requests have none of ours. */
function inHeaders(request: IncomingMessage, name: string): Raw {
  const header = name.toLowerCase()
  return request.headers[header] === undefined ? undefined : headerText(request.headersDistinct[header])
}

/** Also a body of no type or of plain text: clients that do not name its type send a form (ruling R11). */
export function isForm({ headers }: IncomingMessage): boolean {
  return /^((application\/x-www-form-urlencoded|text\/plain)\s*(;|$)|$)/i.test(headers['content-type'] ?? '')
}

/** Why a body was not read as a form; in words of our own, because it becomes a header. */
export function unreadBodyHint({ headers }: IncomingMessage): string {
  const type = headers['content-type'] ?? ''
  const what = /json/i.test(type) ? 'it is JSON' : /^multipart/i.test(type) ? 'it is multipart' : 'of its content type'
  return `The body was not read, because ${what}: send application/x-www-form-urlencoded.`
}
