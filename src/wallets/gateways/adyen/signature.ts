import { createHmac, timingSafeEqual } from 'node:crypto'

/** Whether `given` is Adyen's signature of this text: HMAC-SHA256 with the key of the webhook, in base64. */
export function isSignedWith(hmacKey: string, text: string | Buffer, given: unknown): boolean {
  if (typeof given !== 'string') return false
  const expected = createHmac('sha256', Buffer.from(hmacKey, 'hex')).update(text).digest()
  const signature = Buffer.from(given, 'base64')
  return signature.length === expected.length && timingSafeEqual(signature, expected)
}
