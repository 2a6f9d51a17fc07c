// An *operation* of the bench is one kind of request, asked again and again with other values: of the service, and of
// the floor, which does the same in its own words.

import { SANDBOX_KEY, SANDBOX_SECRET } from '../../src/sandbox/customers.ts'
import type { DataSet } from '../data/data-sets.ts'
import { ticketOf } from '../data/sizes.ts'
import { httpRequest } from '../load.ts'

export type Call = {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  /** Whose ticket; absent: none. */
  readonly customer?: number
  readonly accept?: 'json' | 'xml'
  /** The path at the floor. */
  readonly floor: string
}

export type Operation = {
  /** As `--only` names it. */
  readonly name: string
  readonly what: string
  readonly kind: 'point' | 'list' | 'write'
  /** The least ratio to the floor that is due on PostgreSQL. */
  readonly due: number
  /** Its cost must not grow with the data set: single things and first pages. */
  readonly level: boolean
  /** It writes, so it works on the copy. */
  readonly writes: boolean
  /** An empty answer is right too. */
  readonly mayBeEmpty?: boolean
  /** What a right answer holds, for those whose refusals are not visible in the status. */
  readonly holds?: string
  /** Requests that belong together, one after the other on one connection. */
  readonly row?: number
  /** undefined: the set has nobody to ask for. Otherwise the next call of a connection. */
  calls(set: DataSet): ((connection: number) => Call) | undefined
}

export const CONNECTIONS = 8

export function serviceRequest({ method, path, customer, accept = 'json' }: Call): Buffer {
  return httpRequest(path, headersOf(customer, accept), method)
}

/** With the same headers, so that both parse the same. */
export function floorRequest({ method, floor, customer, accept = 'json' }: Call): Buffer {
  return httpRequest(floor, headersOf(customer, accept), method)
}

function headersOf(customer: number | undefined, accept: 'json' | 'xml'): Record<string, string> {
  const credentials = { 'who-apiKey': SANDBOX_KEY, 'who-secret': SANDBOX_SECRET, accept: `application/${accept}` }
  return customer === undefined ? credentials : { ...credentials, 'who-ticket': ticketOf(customer) }
}

/** Numbers from 0 to below `below` that look random and are the same in each run. */
export function dice(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below)
  }
}
