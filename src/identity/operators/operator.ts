import type { Role } from '../../platform/config/roles.ts'

/** The role of tokens from before `feed` was split in two. No new ones are created. */
const FORMER_FEED = 'feed and accounts'
export type TokenRole = Role | typeof FORMER_FEED

/** The caller of the operator API: a token, or a person who signed in to the console. */
export type Operator = {
  readonly name: string
  readonly role: TokenRole
  /** Who this is in decisions that need two persons (person.ts). */
  readonly person?: string
  /** Why the caller decides nothing about money, in words. */
  readonly cannotDecide?: string | null
}

export function hasRole({ role }: Operator, wanted: Role): boolean {
  return role === wanted || (role === FORMER_FEED && (wanted === 'feed' || wanted === 'accounts'))
}

// ---- Names in the audit trail that belong to no token.

/** The token of the settings. */
export const BOOTSTRAP = 'bootstrap'

/** Whoever runs a command of `paddock` on the server. */
export const COMMAND_LINE = { name: 'command line', role: 'admin' } as const

/** What the service does by itself. */
export const SERVICE = { name: 'service', role: 'none' } as const

/** A caller without a valid token. */
export const NOBODY = { name: 'nobody', role: 'none' } as const

/** Names of people who signed in begin with it. */
const PERSON_PREFIX = 'openid:'

export function personName(claimed: string): string {
  return PERSON_PREFIX + claimed
}

export function isReservedName(name: string): boolean {
  const reserved: readonly string[] = [BOOTSTRAP, COMMAND_LINE.name, SERVICE.name, NOBODY.name]
  return reserved.includes(name) || name.startsWith(PERSON_PREFIX)
}
