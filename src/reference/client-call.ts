// What the reference needs to write an operation as a call of the TypeScript client.

import type { Operation } from '../http/operation.ts'
import type { Document } from '../http/representation/shape.ts'
import { clientName, kindOf } from './client-parameters.ts'
import { parameterExample } from './example.ts'
import { type ClientField, type ClientTarget, clientCall } from './shared.js'

/** Of answers whose shape has no name for the whole. */
const RESULTS: { readonly [operation: string]: string } = {
  createTicket: 'session',
  checkTicket: 'isAlive',
  endTicket: 'session',
  getMyNotifications: 'notifications',
  getLogProofs: 'proofs',
  getLogConsistency: 'proof',
  makeTransaction: 'payment',
}

export function clientTarget({ name, answer }: Operation): ClientTarget {
  const named = answer.document === null ? '' : resultOf(answer.document, answer.mayBeEmpty === true)
  const result = answer.stream === undefined ? (RESULTS[name] ?? named) : STREAM
  return { operation: name, result }
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

export function clientField(operation: Operation, wireName: string): Omit<ClientField, 'value'> {
  const parameter = operation.parameters[wireName]
  if (parameter === undefined) throw new Error(`${operation.name} has no parameter ${wireName}`)
  return { client: clientName(wireName), kind: kindOf(parameter) }
}

/** `picture` is a path of the service, or ''. */
export function sampleClientCall(operation: Operation, origin: string, picture: string): string {
  const fields = Object.keys(operation.parameters).flatMap((name) => {
    const { value, shown } = parameterExample(operation, name)
    return shown ? [{ ...clientField(operation, name), value }] : []
  })
  return clientCall(clientTarget(operation), fields, origin, picture)
}
