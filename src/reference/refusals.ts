// The faults of an operation as the reference shows them.

import { Fault, faultTable } from '../faults.ts'
import { type DeclaredFault, declaredFaults } from '../http/declared-faults.ts'
import type { Operation } from '../http/operation.ts'
import { parameterExample } from './example.ts'

export type Refusal = DeclaredFault & { readonly status: number; readonly code: string; readonly text: string }

/** In the order of status and code; each kind once. */
export function refusals(operation: Operation): Refusal[] {
  return declaredFaults(operation)
    .map((fault) => ({ ...fault, ...faultTable[fault.kind] }))
    .sort((one, other) => one.status - other.status || one.code.localeCompare(other.code))
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
