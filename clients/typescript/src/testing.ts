// For the tests of applications: `@paddock/client/testing`.

import { keyOf, signedBytes, type WebhookBody } from './webhooks.ts'

export type SignOptions = {
  /** The id of the delivery. */
  readonly id?: string
  /** When it was signed: now, if absent. */
  readonly at?: Date
}

/**
 * Headers as the service sends them, for the tests of your receiver: `body` is a text like `{"type":"like.created","data":{…}}`.
 */
export async function signWebhook(
  body: WebhookBody,
  secret: string,
  { id = 'msg_test', at = new Date() }: SignOptions = {},
): Promise<{ 'webhook-id': string; 'webhook-timestamp': string; 'webhook-signature': string }> {
  const seconds = `${Math.floor(at.getTime() / 1000)}`
  const signature = await crypto.subtle.sign('HMAC', await keyOf(secret), signedBytes(id, seconds, body))
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`,
  }
}
