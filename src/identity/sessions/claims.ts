import type { Session } from '../../http/requests/credentials.ts'

export type Claims = Readonly<Record<string, unknown>>

/** null when the claim holds no customer id: a valid token need not be a customer's. */
export function sessionOf(claims: Claims, customerClaim: string, until: number): Session | null {
  const customerId = customerIdOf(claims[customerClaim])
  return customerId === null || !Number.isFinite(until) ? null : { customerId, until: Math.floor(until) }
}

/**
 * Providers write the id as text ("sub" must be text) or as a number. Two texts must not be one customer ("1" and "01"); a
 * rounded number would be another customer's.
 */
function customerIdOf(claim: unknown): number | null {
  const id = typeof claim === 'string' && /^(0|[1-9][0-9]*)$/.test(claim) ? Number(claim) : claim
  return typeof id === 'number' && Number.isSafeInteger(id) && id >= 0 ? id : null
}
