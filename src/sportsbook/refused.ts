/** What the operator told cannot be so; nothing of it was written. */
export class Refused extends Error {
  readonly why: 'unknown' | 'conflict' | 'invalid'

  constructor(why: 'unknown' | 'conflict' | 'invalid', reason: string) {
    super(reason)
    this.why = why
  }
}
