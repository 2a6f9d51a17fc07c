// The faults of an operation as the reference shows them.

import { Fault, type FaultKind, faultTable } from '../faults.ts'
import { type DeclaredFault, declaredFaults } from '../http/operations/declared-faults.ts'
import type { Operation } from '../http/operations/operation.ts'
import { parameterExample } from './example.ts'

export type Refusal = DeclaredFault & { readonly status: number; readonly code: string; readonly text: string }

/** In the order of status and code; each kind once. */
export function refusals(operation: Operation): Refusal[] {
  return declaredFaults(operation)
    .map((fault) => ({ ...fault, ...faultTable[fault.kind] }))
    .sort((one, other) => one.status - other.status || one.code.localeCompare(other.code))
}

/** Refused before an operation is found. */
const OF_ANY_REQUEST: readonly FaultKind[] = [
  'noSuchPath',
  'methodNotServed',
  'malformedRequest',
  'expectationFailed',
  'headersTooLarge',
  'tooSlow',
  'notificationInvalid',
]

/** `names`: the faultNames of a fault that all operations share; others have theirs in the operations. */
type FaultComponent = Pick<Refusal, 'status' | 'code' | 'text'> & { readonly names?: readonly string[] }

/** Every fault that an operation, or no operation, can answer with. */
export function faultComponents(operations: readonly Operation[]): { [kind: string]: FaultComponent } {
  const all = operations.flatMap(refusals)
  const shared = new Map(all.filter((one) => one.shared).map(({ kind, names }) => [kind, names]))
  const kinds = new Set([...all.map(({ kind }) => kind), ...OF_ANY_REQUEST])
  const described = [...kinds].map((kind) => {
    const names = shared.get(kind)
    return [kind, { ...faultTable[kind], ...(names === undefined ? {} : { names }) }]
  })
  return Object.fromEntries(described)
}

export function exampleFault(operation: Operation, { kind, names }: Refusal): Fault {
  const [name] = names
  const parameter = name === undefined ? undefined : parameterOf(name)
  const faultName = parameter === undefined ? name : parameterExample(operation, parameter).value
  return new Fault(kind, faultName, kind === 'inappropriate' ? { solution: 'A **** good tip' } : {})
}

/** `id` for '{id}': the faultName is the value of that parameter. */
export function parameterOf(faultName: string): string | undefined {
  return /^\{(.+)\}$/.exec(faultName)?.[1]
}
