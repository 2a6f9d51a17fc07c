import { hasRole, type Operator } from '../../identity/operators/operator.ts'
import { ROLES, type Role } from '../../platform/config/roles.ts'

/** Who may call an operation, in addition to admin (everything) and auditor (everything that only reads). */
export type CallRole =
  | 'admin'
  | 'feed'
  | 'accounts'
  | 'feed or accounts'
  | 'events'
  | 'feed or events'
  | 'moderator'
  | 'accounts or moderator'
  | 'any'

type Call = { readonly role: CallRole; readonly method: string; readonly decides?: true }

export function rolesOf({ role, method }: Call): Role[] {
  if (role === 'any') return [...ROLES]
  const named: readonly string[] = role.split(' or ')
  return ROLES.filter((one) => one === 'admin' || named.includes(one) || (one === 'auditor' && method === 'GET'))
}

export function mayCall(operator: Operator, call: Call): boolean {
  if (call.decides && operator.cannotDecide) return false
  return rolesOf(call).some((role) => hasRole(operator, role))
}

/** The roles of the calls that read one of the kind. */
const READERS = {
  customer: 'accounts',
  profile: 'moderator',
  comment: 'moderator',
  deposit: 'admin',
} as const satisfies Record<string, CallRole>

export function mayRead(operator: Operator, kind: keyof typeof READERS): boolean {
  return mayCall(operator, { role: READERS[kind], method: 'GET' })
}
