// What the scheduler and a process of the service say to each other.

import type { Operation } from './operations.ts'

/** A call of the gateway's port, which the scheduler carries out at the sandbox's bank. */
export type GatewayCall = {
  readonly name: 'authorise' | 'capture' | 'cancel' | 'refund' | 'payout' | 'lookUpPayout'
  readonly terms: readonly unknown[]
}

/**
 * What a process wants to do next and does when the scheduler lets it: a statement, the end of a transaction, a call of the gateway, or
 * what a timer would do.
 */
export type Step = {
  readonly id: number
  /** reads, locks, writes: a statement that does. */
  readonly kind: 'reads' | 'locks' | 'writes' | 'commit' | 'rollback' | 'gateway' | 'timer'
  /** Of the statement, or of the gateway's call. */
  readonly name: string
  /** The number of its transaction within the process; null: it is in none. */
  readonly transaction: number | null
  /** Only of kind gateway. */
  readonly call?: GatewayCall
}

/** `without`: the statement that loses its lock, for the controls. */
export type Order =
  | { readonly play: Operation; readonly without: string | null }
  /** `answer`: of the gateway. */
  | { readonly letThrough: number; readonly answer?: unknown }

/** How an operation ended. `isFailure`: with an error that is no refusal, which would be answered 500 or 503. */
export type Answer = { readonly text: string; readonly isFailure: boolean }

/** Sent when nothing more happens in the process until a step is let through, or ends. */
export type Report = {
  readonly pending: readonly Step[]
  /** The steps that ended since the last report. */
  readonly ended: readonly number[]
  /** null: the operation goes on. */
  readonly answer: Answer | null
  /** SQLSTATEs for which transactions were repeated since the last report. */
  readonly conflicts: readonly string[]
}
