// Every fault that an operation can answer with: those of its parameters, those that its row declares and those that all
// operations share. The reference is generated from them, and the contract walk compares them with real answers.

import type { DeclaredFaults, FaultKind } from '../../faults.ts'
import type { Operation } from './operation.ts'

export type DeclaredFault = {
  readonly kind: FaultKind
  /** What faultName can be, as in `DeclaredFaults`. Empty: the fault has no faultName. */
  readonly names: readonly string[]
  /** Shared by all operations: credentials, limits, failures. */
  readonly shared: boolean
}

const CREDENTIAL_FAULTS: DeclaredFaults = {
  apiKeyMissing: '',
  secretMissing: '',
  apiKeyInvalid: '',
  secretInvalid: '',
}

const SHARED_FAULTS: DeclaredFaults = {
  plainHttp: '',
  notAcceptable: 'accept',
  tooLarge: null,
  tooManyRequests: null,
  unexpected: null,
  unavailable: null,
}

/** Each kind once. */
export function declaredFaults(operation: Operation): DeclaredFault[] {
  const own = new Map<FaultKind, Set<string>>()
  const declare = (kind: FaultKind, names: readonly string[]): void => {
    own.set(kind, new Set([...(own.get(kind) ?? []), ...names]))
  }
  for (const [name, parameter] of Object.entries(operation.parameters)) {
    const { required, missingFault = 'missing', invalidFault = 'invalid', malformedFault = invalidFault } = parameter
    const names = [parameter.faultName ?? name]
    if (required) declare(missingFault, names)
    declare(invalidFault, names)
    declare(malformedFault, names)
  }
  if (operation.keyInQuery) declare('invalid', ['who-apiKey', 'apiKey'])
  if (operation.ticket === 'required') declare('missing', ['who-ticket'])
  if (operation.ticket !== 'none') declare('ticketInvalid', ['who-ticket'])
  for (const [kind, names] of entriesOf(operation.faults)) declare(kind, names)
  const sharedFaults = operation.credentials === 'none' ? SHARED_FAULTS : { ...CREDENTIAL_FAULTS, ...SHARED_FAULTS }
  const shared = entriesOf(sharedFaults).filter(([kind]) => !own.has(kind))
  return [
    ...[...own].map(([kind, names]) => ({ kind, names: [...names], shared: false })),
    ...shared.map(([kind, names]) => ({ kind, names, shared: true })),
  ]
}

function entriesOf(faults: DeclaredFaults): [FaultKind, readonly string[]][] {
  const entries = Object.entries(faults) as [FaultKind, string | null | readonly string[]][]
  return entries.map(([kind, names]) => [kind, names === null ? [] : [names].flat()])
}
