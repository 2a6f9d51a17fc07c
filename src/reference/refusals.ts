// Which faults an operation can answer with, its own and those that every operation shares, and what stands in their
// faultName. OpenAPI and the page say it from here.

import { Fault, type FaultKind, faultTable } from '../faults.ts'
import type { Operation } from '../http/operation.ts'

export type Refusal = {
  readonly kind: FaultKind
  readonly status: number
  readonly code: string
  readonly text: string
  /** What faultName can be; '' is a faultName that is there and empty. None: no faultName. */
  readonly names: readonly string[]
  /** Not of this operation in particular: credentials, limits, failures. */
  readonly shared: boolean
}

const BEFORE: readonly FaultKind[] = ['apiKeyMissing', 'secretMissing', 'apiKeyInvalid', 'secretInvalid', 'plainHttp']
const AFTER: readonly FaultKind[] = ['notAcceptable', 'tooLarge', 'tooManyRequests', 'unexpected', 'unavailable']

/** In the order of status and code; each kind once. */
export function refusals(operation: Operation): Refusal[] {
  const own = new Set<FaultKind>(operation.faults)
  if (operation.ticket === 'required') own.add('missing')
  if (operation.ticket !== 'none') own.add('ticketInvalid')
  const shared = new Set([...BEFORE, ...AFTER].filter((kind) => !own.has(kind)))
  return [...own, ...shared]
    .map((kind) => ({ kind, ...faultTable[kind], names: faultNames(kind, operation), shared: shared.has(kind) }))
    .sort((one, other) => one.status - other.status || one.code.localeCompare(other.code))
}

export function exampleFault({ kind, names }: Refusal): Fault {
  return new Fault(kind, names[0], kind === 'inappropriate' ? { solution: 'A **** good tip' } : {})
}

export function faultNames(kind: FaultKind, operation: Operation): readonly string[] {
  const parameters = Object.entries(operation.parameters)
  const judged = parameters
    .filter(([, { invalidFault }]) => (invalidFault ?? 'invalid') === kind)
    .map(([name, { faultName }]) => faultName ?? name)
  if (kind === 'invalid' && operation.keyInQuery) judged.push('who-apiKey', 'apiKey')
  if (kind === 'invalid' || judged.length > 0) return unique(judged)
  const missed = parameters
    .filter(([, { required, missingFault }]) => required && (missingFault ?? 'missing') === kind)
    .map(([name, { faultName }]) => faultName ?? name)
  if (kind === 'missing' && operation.ticket === 'required') missed.push('who-ticket')
  if (missed.length > 0) return unique(missed)
  const texts = ['name', 'biography', 'text'].filter((name) => name in operation.parameters)
  if (kind === 'ancillary' || kind === 'inappropriate') return texts
  return NAMES_BY_KIND[kind] ?? NAMES_BY_CODE[faultTable[kind].code] ?? []
}

const NAMES_BY_KIND: { readonly [K in FaultKind]?: readonly string[] } = {
  plainHttp: [''],
  ticketInvalid: ['who-ticket'],
  notAcceptable: ['accept'],
  noSession: ['ticket'],
}

const NAMES_BY_CODE: { readonly [code: string]: readonly string[] } = {
  10010: [''],
  10020: [''],
  20000: [''],
  24001: ['transactionType'],
  24002: ['amount'],
  24003: ['amount'],
  24009: ['cv2'],
  30410: ['id'],
  30430: ['name'],
  30440: ['id'],
  30460: ['id'],
  30490: ['id'],
  30491: [''],
  30492: ['the outcome id'],
  30500: ['id'],
  30520: ['betId'],
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)]
}
