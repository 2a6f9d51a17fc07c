// Addresses of webhooks often have a secret in path or query (https://hooks.example.com/services/T01/8f3a…). Which part is the
// secret cannot be known, so only the origin is shown.

/** "https://hooks.example.com/…"; other texts stay as they are. */
export function maskedAddress(text: string): string {
  if (!/^https?:\/\//i.test(text)) return text
  if (!URL.canParse(text)) return '…'
  const { origin, href } = new URL(text)
  return href === `${origin}/` ? href : `${origin}/…`
}

/** Masks every address in a value of JSON. */
export function maskAddresses<T>(value: T): T {
  if (typeof value === 'string') return maskedAddress(value) as T
  if (Array.isArray(value)) return value.map(maskAddresses) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, maskAddresses(field)])) as T
}
