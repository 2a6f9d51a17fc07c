/** The operator's input contradicts what is stored; nothing was written. */
export class Refused extends Error {
  readonly why: 'unknown' | 'conflict' | 'invalid'

  constructor(why: 'unknown' | 'conflict' | 'invalid', reason: string) {
    super(reason)
    this.why = why
  }
}
