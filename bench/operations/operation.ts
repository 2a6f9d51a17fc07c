// An *operation* of the bench is one kind of request, sent again and again with other values, to the service and to the
// baseline.

import type { DataSet } from '../data/data-sets.ts'
import { API_KEY, SECRET, ticketOf } from '../data/sizes.ts'
import { httpRequest } from '../load.ts'
import { THROUGH_PROXY } from '../processes.ts'

export type Call = {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  /** Whose ticket; absent: none. */
  readonly customer?: number
  readonly accept?: 'json' | 'xml'
  /** The path of the same request on the baseline: /handler/value/value… */
  readonly baselinePath: string
}

export type Operation = {
  /** As `--only` names it. */
  readonly name: string
  readonly title: string
  readonly kind: 'point' | 'list' | 'write'
  /** The lowest acceptable ratio to the baseline on PostgreSQL. */
  readonly target: number
  /** Its cost must not grow with the data set: single rows and first pages. */
  readonly sizeIndependent: boolean
  /** Runs on a copy of the data set. */
  readonly writes: boolean
  /** An empty list (204) counts as success. */
  readonly mayBeEmpty?: boolean
  /** For operations that refuse with status 200. */
  readonly mustInclude?: string
  /** Requests that belong together, one after the other on one connection (a follow and its unfollow). */
  readonly sequenceLength?: number
  /** Gives the next call of one of the connections (CONNECTIONS); undefined where the data set has nobody to make it. */
  calls(set: DataSet, connections?: number): ((connection: number) => Call) | undefined
}

export const CONNECTIONS = 8

export function serviceRequest({ method, path, customer, accept = 'json' }: Call): Buffer {
  return httpRequest(path, headersOf(customer, accept), method)
}

/** With the same headers, so that both servers parse the same. */
export function baselineRequest({ method, baselinePath, customer, accept = 'json' }: Call): Buffer {
  return httpRequest(baselinePath, headersOf(customer, accept), method)
}

function headersOf(customer: number | undefined, accept: 'json' | 'xml'): Record<string, string> {
  const credentials = { 'who-apiKey': API_KEY, 'who-secret': SECRET, ...THROUGH_PROXY, accept: `application/${accept}` }
  return customer === undefined ? credentials : { ...credentials, 'who-ticket': ticketOf(customer) }
}

/** Random integers from 0 to below `below`, the same in each run. */
export function seededRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below)
  }
}
