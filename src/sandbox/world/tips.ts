// Tips as the files of assets/sandbox/ have them, with who likes and flags them. Every step can be repeated.

import { deactivateComment } from '../../communities/comment.ts'
import { flagComment, likeComment } from '../../communities/reaction.ts'
import { createTip } from '../../communities/tip.ts'
import { Fault } from '../../faults.ts'
import type { FlagText } from '../../flags/flag.ts'
import { decideOnComment } from '../../moderation/decisions/comment-review.ts'
import { idListOf } from '../../platform/database/row-list-store.ts'
import { MINUTE_MS } from '../../platform/runtime/durations.ts'
import { ensureProfile } from '../../profiles/profile.ts'
import type { Change } from '../../sportsbook/change.ts'
import type { SandboxContext } from '../context.ts'
import { newBet, type StoredBet } from './events.ts'
import { tipsOnOutcomes } from './store.ts'

/** Times are in minutes; each file states after what. */
export type StoredTip = StoredBet & {
  readonly at: number
  readonly text: string
  /** Customers, all at the same time. */
  readonly likes?: readonly number[]
  readonly likedAt?: number
  /** With why; at the same time too. */
  readonly flags?: readonly { readonly customer: number; readonly why?: FlagText }[]
  /** By the author, after the result. */
  readonly withdrawn?: true
  /** A moderator has removed it, with this clause of the rules. */
  readonly clause?: string
}

const PLACED_BEFORE = 5

export function betOf(tip: StoredTip, base: number): Change {
  return newBet(tip, base + (tip.at - PLACED_BEFORE) * MINUTE_MS)
}

/**
 * How many tips are written together (platform/database/write-queue.ts), in PostgreSQL in the order of their outcomes. The next
 * slice begins when all of them have ended.
 */
export const SLICE = 64

/** `base`: the time that the minutes are counted from. `slice`: 1 where the tips are not in the order of their outcomes. */
export async function writeTips(
  context: SandboxContext,
  tips: readonly StoredTip[],
  base: number,
  slice = 1,
): Promise<void> {
  const known = await storedTips(context, tips)
  const missing = tips.filter(({ bet }) => !known.has(bet))
  // Known by now, so that no tip waits for it and changes places with the next.
  for (const { customer } of missing) await ensureProfile(context, customer)
  for (const together of slicesOf(missing, slice)) {
    const work = together.map(({ bet, customer, outcome, at: minutes, text }) =>
      createMissingTip(at(context, base + minutes * MINUTE_MS), customer, { id: outcome, betId: bet, text }),
    )
    await Promise.all(work)
  }
}

/** Likes and flags, of a slice of tips together. */
export async function reactToTips(
  context: SandboxContext,
  tips: readonly StoredTip[],
  base: number,
  slice = 1,
): Promise<void> {
  for (const some of slicesOf(await liveTips(context, tips), slice)) {
    const whenOf = (tip: StoredTip) => at(context, base + (tip.likedAt ?? tip.at) * MINUTE_MS)
    const likes = some.flatMap((tip) => (tip.likes ?? []).map((customer) => ({ tip, customer })))
    for (const together of slicesOf(likes, SLICE)) {
      await Promise.all(together.map(({ tip, customer }) => likeComment(whenOf(tip), customer, tip.id)))
    }
    for (const tip of some) {
      for (const { customer, why } of tip.flags ?? []) await flagComment(whenOf(tip), customer, tip.id, why)
    }
  }
}

export async function withdrawTips(context: SandboxContext, tips: readonly StoredTip[], now: number): Promise<void> {
  const withdrawn = tips.filter((tip) => tip.withdrawn)
  for (const { customer, id } of await liveTips(context, withdrawn)) {
    await deactivateComment(at(context, now), customer, id)
  }
}

export async function removeTips(context: SandboxContext, tips: readonly StoredTip[]): Promise<void> {
  for (const { id, clause = 'general' } of await liveTips(context, tips)) {
    const decision = { action: 'remove', clause, note: '', actor: 'sandbox', now: context.now() } as const
    await decideOnComment(context, id, decision)
  }
}

/** With the tip's id. */
async function liveTips(context: SandboxContext, tips: readonly StoredTip[]) {
  const stored = await storedTips(context, tips)
  return tips.flatMap((tip) => {
    const row = stored.get(tip.bet)
    return row?.state === 'live' ? [{ ...tip, id: row.id }] : []
  })
}

/** By bet. */
async function storedTips({ database }: SandboxContext, tips: readonly StoredTip[]) {
  const outcomeIds = idListOf(new Set(tips.map(({ outcome }) => outcome)))
  const rows = await database.query(tipsOnOutcomes, { outcomeIds })
  return new Map(rows.map((row) => [row.bet_id, row]))
}

/** null: an earlier, interrupted start has created it. */
export async function createMissingTip(
  context: SandboxContext,
  customer: number,
  tip: { id: number; betId: number; text: string },
): Promise<number | null> {
  try {
    const rest = { linkedId: null, priceNum: null, priceDen: null, startingPrice: false }
    return (await createTip(context, customer, { ...tip, ...rest })).id
  } catch (error) {
    if (error instanceof Fault && ['tipExists', 'outcomeInactive'].includes(error.kind)) return null
    throw error
  }
}

function slicesOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, nth) => items.slice(nth * size, (nth + 1) * size))
}

/** The same context at another time. */
export function at<C extends Pick<SandboxContext, 'now'>>(context: C, time: number): C {
  return { ...context, now: () => time }
}
