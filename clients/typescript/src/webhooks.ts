// Verifies webhooks as Standard Webhooks describes it (standardwebhooks.com): HMAC-SHA256 over id, time and body.

import { PaddockError } from './errors.ts'
import { decodeEvent, type WebhookEvent } from './events.ts'

/** The headers of a Node, Express or Fastify request, or of a Request. */
export type WebhookHeaders = Headers | { readonly [name: string]: string | readonly string[] | undefined }

export type WebhookBody = string | Uint8Array | ArrayBuffer

export type WebhookOptions = {
  /** How old, or how far ahead, a delivery may be. Five minutes, if absent. */
  readonly toleranceMs?: number
}

const TOLERANCE_MS = 300_000
const PREFIX = /^whsec_/

/**
 * The event of a delivery. `body` is what arrived, byte for byte, before any parsing; `secret` that of the endpoint, or several.
 * Rejects with a `PaddockError` with the reason `signature`: answer such a delivery with 401.
 */
export async function verifyWebhook(
  body: WebhookBody,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceMs = TOLERANCE_MS }: WebhookOptions = {},
): Promise<WebhookEvent> {
  const [id, at, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    read(headers, name),
  )
  if (!id || !at || !signatures) throw refused('A header of the webhook is missing')
  const age = Date.now() - Number(at) * 1000
  if (!(Math.abs(age) <= toleranceMs)) throw refused('The webhook is too old, or from the future')
  const signed = signedBytes(id, at, body)
  const given = signatures.split(' ').flatMap((one) => (one.startsWith('v1,') ? [fromBase64(one.slice(3))] : []))
  for (const key of await Promise.all([secret].flat().map(keyOf))) {
    for (const signature of given) {
      // Compares in constant time.
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return eventOf(body)
    }
  }
  throw refused('No signature of the webhook is valid')
}

/** @internal */
export function signedBytes(id: string, at: string, body: WebhookBody): Uint8Array<ArrayBuffer> {
  return new Uint8Array([...bytesOf(`${id}.${at}.`), ...bytesOf(body)])
}

function bytesOf(body: WebhookBody): Uint8Array {
  return typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body)
}

function refused(message: string): PaddockError {
  return new PaddockError('signature', message)
}

function eventOf(body: WebhookBody): WebhookEvent {
  return decodeEvent(JSON.parse(new TextDecoder().decode(bytesOf(body))).data) as WebhookEvent
}

function read(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const found = Object.entries(headers).find(([written]) => written.toLowerCase() === name)
  return found && [found[1]].flat()[0]
}

/** @internal */
export function keyOf(secret: string) {
  const bytes = fromBase64(secret.replace(PREFIX, ''))
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
}

/** What is not Base64 is no signature. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}
