import { hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'

/**
 * For long random secrets (keys, tickets, tokens): one round of SHA-256 is enough, because they cannot be guessed.
 * Passwords can: see hashPassword.
 */
export function hashOf(secret: string): string {
  return hash('sha256', secret, 'hex')
}

/**
 * Compares secrets with a stored hash, in constant time. The matching secret is cached with the matcher, which lives for
 * seconds, so that an application in use needs no hash for each request.
 */
export function matcherOf(storedHash: string): (secret: string) => boolean {
  const stored = Buffer.from(storedHash, 'hex')
  let isRight = (_secret: string): boolean => false
  return (secret) => {
    if (isRight(secret)) return true
    if (!timingSafeEqual(hash('sha256', secret, 'buffer'), stored)) return false
    isRight = comparison(secret)
    return true
  }
}

/** The longest character of UTF-8: with room for one more, a longer secret cannot be truncated to the right length. */
const MAX_CHARACTER_LENGTH = 4

/** Compares with one secret in constant time, without allocating. */
function comparison(right: string): (secret: string) => boolean {
  const wanted = Buffer.from(right)
  const buffer = Buffer.alloc(wanted.length + MAX_CHARACTER_LENGTH)
  const given = buffer.subarray(0, wanted.length)
  return (secret) => buffer.write(secret) === wanted.length && timingSafeEqual(given, wanted)
}

export function randomSecret(): string {
  return randomBytes(24).toString('base64url')
}

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export function randomAlphanumeric(length: number): string {
  return Array.from({ length }, () => ALPHANUMERIC[randomInt(ALPHANUMERIC.length)]).join('')
}

/**
 * A cautious estimate of the entropy of a chosen secret, in bits: a letter that continues a word adds about one bit, a
 * repeated pair of characters or a sequence (abc, 321) adds none.
 */
export function estimatedBits(secret: string): number {
  const pairs = new Set<string>()
  let bits = 0
  let stepBefore = Number.NaN
  for (let at = 0; at < secret.length; at++) {
    const pair = secret.slice(Math.max(at - 1, 0), at + 1)
    const step = at === 0 ? Number.NaN : secret.charCodeAt(at) - secret.charCodeAt(at - 1)
    const counts = step === stepBefore && Math.abs(step) <= 1
    if (!counts && !pairs.has(pair)) bits += bitsOf(pair)
    pairs.add(pair)
    stepBefore = step
  }
  return bits
}

/** What the last character of a pair adds. */
function bitsOf(pair: string): number {
  if (/^([a-z]{2}|[A-Z]{2})$/.test(pair)) return 1
  const last = pair.slice(-1)
  if (/[a-z]/i.test(last)) return Math.log2(26)
  return /[0-9]/.test(last) ? Math.log2(10) : 2
}
