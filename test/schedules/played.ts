import type { Attempt } from '../torture/invariants.ts'
import type { World } from './world.ts'

/** A customer of a schedule, with what happened that the service does not store. */
export type Played = {
  readonly world: World
  readonly customerId: number
  /** The answers to deposits. */
  readonly attempts: Attempt[]
  /** The references of the movements that were said to be applied. */
  readonly moved: Set<string>
  /** The deposits that were credited when the customer was no longer allowed to play; null: they are. */
  creditedBefore: ReadonlySet<string> | null
  /** The violations. */
  readonly found: string[]
}
