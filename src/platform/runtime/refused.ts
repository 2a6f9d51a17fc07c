/** A change that a domain refuses; nothing of it was written. operator/server/refusals.ts turns it into a problem. */
export class Refused extends Error {
  readonly kind: 'unknown' | 'conflict' | 'invalid'
  /** Sent with the message, such as the current state of what was to be changed. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(kind: Refused['kind'], message: string, details: Refused['details'] = {}) {
    super(message)
    this.kind = kind
    this.details = details
  }
}
