// Reads while the primary was away: who got 503, how long they took, and whether their ages were true.

import { type Exchange, isSuccess } from './traffic.ts'

/** From when a write may keep its customer's reads waiting: replicas show it within a second. */
const LAST_MOMENTS_MS = 5_000
const MAX_READ_MS = 1_000
/** A second failure is noticed as late as the first. */
const SECOND_FAILURE_MS = 600

/** A biography that a reader was shown: everything answered before `answeredBefore` must be in it. */
export type ShownBiography = { readonly profileId: number; readonly number: number; readonly answeredBefore: number }
export type AnsweredBiography = { readonly profileId: number; readonly number: number; readonly at: number }

export type StaleResult = {
  /** Reads that a replica answered in place of the primary. */
  stale: number
  oldestSeconds: number
  /** Reads answered 503: of customers who wrote in the last moments or whose write was not answered, and of others. */
  writers503: number
  others503: number
  violations: string[]
}

type Span = { readonly from: number; readonly to: number; readonly secondFailure: boolean }

export function staleReads(exchanges: readonly Exchange[], { from, to, secondFailure }: Span): StaleResult {
  const reads = exchanges.filter(({ kind, end, start }) => kind === 'read' && end > from && start < to)
  const writes = Map.groupBy(
    exchanges.filter(({ kind, ticket }) => kind !== 'read' && ticket !== undefined),
    ({ ticket }) => ticket,
  )
  /** Or its write was sent, and refused or not answered: from outside these cannot be told apart. */
  const isOfWriter = ({ ticket, start, end }: Exchange): boolean =>
    (writes.get(ticket) ?? []).some((one) => one.start < end && (one.end > start - LAST_MOMENTS_MS || !isSuccess(one)))
  const refused = Map.groupBy(
    reads.filter(({ status }) => status === 503),
    isOfWriter,
  )
  const mostMs = MAX_READ_MS + (secondFailure ? SECOND_FAILURE_MS : 0)
  const slow = reads.filter((one) => one.end - one.start > mostMs && !isOfWriter(one))
  const ages = reads.flatMap(({ age }) => (age === undefined ? [] : [age]))
  const others = refused.get(false) ?? []
  return {
    stale: ages.length,
    oldestSeconds: Math.max(0, ...ages),
    writers503: refused.get(true)?.length ?? 0,
    others503: others.length,
    violations: [
      ...others.map(
        ({ instance, what }) => `instance ${instance + 1}: ${what} was 503 for a reader who had not written`,
      ),
      ...slow.map(
        ({ instance, what, start, end }) =>
          `instance ${instance + 1}: ${what} took ${Math.round(end - start)} ms while the primary was away`,
      ),
    ],
  }
}

/** Answers that lack what was answered before their age says. */
export function falseAges(shown: readonly ShownBiography[], answered: readonly AnsweredBiography[]): string[] {
  const byProfile = Map.groupBy(answered, ({ profileId }) => profileId)
  return shown.flatMap(({ profileId, number, answeredBefore }) => {
    const before = (byProfile.get(profileId) ?? []).filter(({ at }) => at < answeredBefore)
    const newest = Math.max(0, ...before.map((one) => one.number))
    return number >= newest ? [] : [`profile ${profileId}: biography ${number} was shown, whose age says ${newest}`]
  })
}
