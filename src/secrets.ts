import { hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'

/**
 * For secrets that are long and random (keys, tickets, tokens): one round of SHA-256 is enough, there is nothing to
 * guess. Passwords are not such: see sessions/password.ts.
 */
export function hashOf(secret: string): string {
  return hash('sha256', secret, 'hex')
}

/**
 * Checks secrets against a stored hash, in constant time in the content. The secret that was right is remembered with
 * the matcher, which lives for seconds, so that an application in use is not hashed for at each request.
 */
export function matcherOf(storedHash: string): (secret: string) => boolean {
  const stored = Buffer.from(storedHash, 'hex')
  let right: Buffer | null = null
  return (secret) => {
    const given = Buffer.from(secret)
    if (right !== null && given.length === right.length && timingSafeEqual(given, right)) return true
    if (!timingSafeEqual(hash('sha256', given, 'buffer'), stored)) return false
    right = given
    return true
  }
}

export function randomSecret(): string {
  return randomBytes(24).toString('base64url')
}

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export function randomAlphanumeric(length: number): string {
  return Array.from({ length }, () => ALPHANUMERIC[randomInt(ALPHANUMERIC.length)]).join('')
}
