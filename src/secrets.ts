import { hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'

/**
 * For secrets that are long and random (keys, tickets, tokens): one round of SHA-256 is enough, there is nothing to
 * guess. Passwords are not such: see sessions/password.ts.
 */
export function hashOf(secret: string): string {
  return hash('sha256', secret, 'hex')
}

/** Constant time in the content. */
export function sameHash(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}

export function randomSecret(): string {
  return randomBytes(24).toString('base64url')
}

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export function randomAlphanumeric(length: number): string {
  return Array.from({ length }, () => ALPHANUMERIC[randomInt(ALPHANUMERIC.length)]).join('')
}
