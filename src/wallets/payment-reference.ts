import { createHash, randomUUID } from 'node:crypto'

type Order = { readonly customerId: number; readonly apiKey: string; readonly idempotencyKey: string | null }

/**
 * The id of a deposit or withdrawal and its idempotency key at the gateway. Derived from the caller's key, if there is one: if
 * the database loses a deposit, a second request with the same key is the same payment at the gateway, and not a second one.
 */
export function referenceOf(
  { customerId, apiKey, idempotencyKey }: Order,
  kind?: 'withdrawal' | 'withdrawal by an operator',
): string {
  if (idempotencyKey === null) return randomUUID()
  const hash = createHash('sha256')
    .update(JSON.stringify([customerId, apiKey, idempotencyKey, ...(kind === undefined ? [] : [kind])]))
    .digest()
  return uuidFrom(hash)
}

/**
 * The hash of what was requested with an Idempotency-Key: the operation with its amount and card. A repeated key is compared with
 * it, not with what is stored by then.
 */
export function requestHash(operation: string, ...terms: readonly (string | number | bigint | null)[]): string {
  return createHash('sha256')
    .update(JSON.stringify([operation, ...terms.map((term) => (typeof term === 'bigint' ? `${term}` : term))]))
    .digest('hex')
}

/** A UUID of version 8, whose contents the application defines (RFC 9562). */
function uuidFrom(bytes: Buffer): string {
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')
}
