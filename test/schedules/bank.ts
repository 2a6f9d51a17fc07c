// The bank of the schedules, with a memory of what it really did. What it answers and tells is chosen by the plan.

export type Payment = {
  readonly reference: string
  readonly amount: number
  /** failed: captured, and then returned to the card. */
  state: 'challenged' | 'held' | 'captured' | 'cancelled' | 'failed'
  taken: number
  hasFailed?: boolean
}

/** What was sent to a card, or came back: as the bank's books have it. */
export type Sent = {
  readonly reference: string
  readonly payment: string | null
  readonly amount: number
  /** open: it has not decided. */
  state: 'open' | 'done' | 'refused'
  refusal: Refusal | null
  sent: number
  isTold: boolean
}

export const REFUSALS = ['card', 'account-closed', 'deposit', 'not-permitted'] as const
export type Refusal = (typeof REFUSALS)[number]

/** What becomes of a call that sends money to a card, when it is decided. silent: nobody knows, and nothing happens yet. */
export const SEND_FATES = ['done', 'received', 'silent', 'unfunded', ...REFUSALS] as const
export type SendFate = (typeof SEND_FATES)[number]

/** partly: it takes a part, and only a notification says so. */
export const CAPTURE_FATES = ['captured', 'refused', 'silent', 'partly'] as const
export type CaptureFate = (typeof CAPTURE_FATES)[number]

export type Bank = ReturnType<typeof openBank>

export function openBank() {
  const payments = new Map<string, Payment>()
  const outflows = new Map<string, Sent>()

  return {
    payments,
    outflows,
    /** A reference that is known stays as it is. */
    hold(reference: string, amount: number): 'held' | 'not held' {
      const known = payments.get(reference) ?? { reference, amount, state: 'held', taken: 0 }
      payments.set(reference, known)
      if (known.state === 'challenged') known.state = 'held'
      return known.state === 'held' ? 'held' : 'not held'
    },
    challenge(reference: string, amount: number): void {
      const known = payments.get(reference)
      if (known === undefined) payments.set(reference, { reference, amount, state: 'challenged', taken: 0 })
    },
    /** Whether the issuer still waits for the customer, or has approved it already. */
    isChallenged(reference: string): boolean {
      const state = payments.get(reference)?.state
      return state === 'challenged' || state === 'held'
    },
    capture(reference: string, fate: () => CaptureFate): CaptureFate {
      const payment = payments.get(reference)
      if (payment === undefined || ['challenged', 'cancelled', 'failed'].includes(payment.state)) return 'refused'
      if (payment.state === 'captured') return payment.taken === payment.amount ? 'captured' : 'partly'
      const decided = fate()
      if (decided === 'refused') payment.state = 'failed'
      if (decided === 'captured' || decided === 'partly') payment.state = 'captured'
      if (decided === 'captured') payment.taken = payment.amount
      if (decided === 'partly') payment.taken = Math.floor(payment.amount * 0.6)
      return decided
    },
    cancel(reference: string): 'cancelled' | 'notFound' | 'captured' {
      const payment = payments.get(reference)
      if (payment === undefined) return 'notFound'
      if (payment.state === 'held' || payment.state === 'challenged') payment.state = 'cancelled'
      return payment.state === 'captured' ? 'captured' : 'cancelled'
    },
    /** By persons, who look it up: what it still holds. */
    release(reference: string): Payment | undefined {
      const payment = payments.get(reference)
      if (payment?.state === 'held') payment.state = 'cancelled'
      return payment
    },
    send(terms: { reference: string; payment: string | null; amount: number }, fate: () => SendFate): SendFate {
      const { reference } = terms
      const known = outflows.get(reference) ?? { ...terms, state: 'open', refusal: null, sent: 0, isTold: false }
      outflows.set(reference, known)
      if (known.state === 'done') return 'done'
      if (known.state === 'refused') return known.refusal ?? 'card'
      const decided = fate()
      if (decided === 'done' || decided === 'received') {
        known.state = 'done'
        known.sent = known.amount
      } else if (decided !== 'silent' && decided !== 'unfunded') {
        known.state = 'refused'
        known.refusal = decided
      }
      return decided
    },
    /** Sends nothing. */
    lookUp(reference: string): SendFate {
      const known = outflows.get(reference)
      return known === undefined || known.state === 'open'
        ? 'silent'
        : known.state === 'done'
          ? 'done'
          : (known.refusal ?? 'card')
    },
  }
}
