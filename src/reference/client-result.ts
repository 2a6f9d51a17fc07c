// What the samples of the TypeScript client call the answer of an operation.

import type { Operation } from '../http/operations/operation.ts'
import type { Document } from '../http/representation/shape.ts'

/** Names for answers whose shape has no name for the whole. */
const RESULTS: { readonly [operation: string]: string } = {
  createTicket: 'session',
  checkTicket: 'isAlive',
  endTicket: 'session',
  getMyNotifications: 'notifications',
  // Not `event`, which is one of the stream.
  getEvent: 'match',
  getLogProofs: 'proofs',
  getLogConsistency: 'proof',
  makeTransaction: 'payment',
}

/** What a sample calls the answer: '' for none. */
export function clientResult({ name, answer }: Operation): string {
  if (answer.stream !== undefined) return STREAM
  return RESULTS[name] ?? (answer.document === null ? '' : resultOf(answer.document, answer.mayBeEmpty === true))
}

/** Stands for a stream, whose call is a loop. */
const STREAM = 'event'

function resultOf({ node }: Document, mayBeEmpty: boolean): string {
  if (node.is === 'sequence') return mayBeEmpty ? plural(node.item) : node.item
  const [only, ...others] = Object.entries(node.fields)
  if (only === undefined || others.length > 0) return 'answer'
  const [name, { place }] = only
  return place === 'nodes' ? plural(name) : name
}

function plural(name: string): string {
  return /[^aeiou]y$/.test(name) ? name.replace(/y$/, 'ies') : `${name}s`
}
