import { hasRole, type Operator } from '../../identity/operators/operator.ts'
import { ROLES, type Role } from '../../platform/config/roles.ts'

/**
 * Who may call an operation, in addition to admin (everything) and auditor (everything that only reads). A cashier-lead may all
 * that a cashier may.
 */
export type CallRole =
  | 'admin'
  | 'feed'
  | 'accounts'
  | 'feed or accounts'
  | 'tickets'
  | 'cashier'
  | 'cashier-lead'
  | 'accounts or cashier'
  | 'accounts or cashier-lead'
  | 'cashier or moderator'
  | 'accounts or cashier or moderator'
  | 'events'
  | 'feed or events'
  | 'moderator'
  | 'any'

type Call = { readonly role: CallRole; readonly method: string; readonly decides?: true }

export function rolesOf({ role, method }: Call): Role[] {
  if (role === 'any') return [...ROLES]
  const named: readonly string[] = role.split(' or ')
  const isNamed = (one: Role) => named.includes(one) || (one === 'cashier-lead' && named.includes('cashier'))
  return ROLES.filter((one) => one === 'admin' || isNamed(one) || (one === 'auditor' && method === 'GET'))
}

export function mayCall(operator: Operator, call: Call): boolean {
  if (call.decides && operator.cannotDecide) return false
  return rolesOf(call).some((role) => hasRole(operator, role))
}

/** The roles of the calls that read one of the kind. */
const READERS = {
  customer: 'accounts or cashier',
  profile: 'moderator',
  comment: 'moderator',
  deposit: 'cashier',
} as const satisfies Record<string, CallRole>

export function mayRead(operator: Operator, kind: keyof typeof READERS): boolean {
  return mayCall(operator, { role: READERS[kind], method: 'GET' })
}
