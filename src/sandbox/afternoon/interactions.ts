// What customers do during an afternoon, so that whoever looks on as Alice, Bob or Carol gets notifications.

import { likeComment, unlikeComment } from '../../communities/reaction.ts'
import { followProfile, unfollowProfile } from '../../profiles/follow.ts'
import type { SandboxContext } from '../context.ts'
import { createMissingTip } from '../world/communities.ts'
import type { Card } from './card.ts'
import { newestTipOf, sandboxProfile } from './store.ts'

export type Interaction =
  | { readonly kind: 'tip'; readonly customerId: number; readonly text: string }
  /** Likes the customer's newest tip, or follows the customer. `nth` chooses who does it. */
  | { readonly kind: 'like' | 'follow'; readonly customerId: number; readonly nth: number }

const [ALICE, BOB, CAROL] = [1, 2, 3]

export const INTERACTIONS: readonly { readonly at: number; readonly interaction: Interaction }[] = [
  tip(2, 12, 'First leg of today’s fifteen'),
  like(4, ALICE, 0),
  tip(6, 5, 'The place terms alone are worth it'),
  like(7, BOB, 1),
  follow(10, CAROL, 2),
  tip(12, 11, 'Home side on a Saturday afternoon'),
  like(14, CAROL, 3),
  follow(17, ALICE, 4),
  tip(24, 13, 'Holds serve all day'),
  like(29, ALICE, 5),
  like(32, BOB, 6),
  tip(36, 14, 'Nap of the day'),
  follow(39, BOB, 7),
  like(41, CAROL, 8),
  like(45, ALICE, 9),
  tip(48, 6, 'Each way at a big price'),
  like(52, BOB, 10),
  like(56, CAROL, 11),
  like(60, ALICE, 12),
  follow(63, ALICE, 13),
  like(70, BOB, 14),
  like(73, CAROL, 15),
  like(80, ALICE, 16),
  follow(85, CAROL, 0),
  like(89, BOB, 2),
  like(97, ALICE, 3),
  like(103, CAROL, 5),
  follow(109, BOB, 6),
  like(112, ALICE, 7),
]

/** Customers 4 to 20. */
const OTHERS = 17
const FIRST_OTHER = 4

export async function interact(
  context: SandboxContext,
  { round, bets }: Card,
  interaction: Interaction,
): Promise<void> {
  const { customerId } = interaction
  if (interaction.kind === 'tip') {
    const bet = bets.find((one) => one.customerId === customerId)
    if (bet === undefined) return
    await createMissingTip(context, customerId, { id: bet.outcomeId, betId: bet.id, text: interaction.text })
    return
  }
  const actor = FIRST_OTHER + ((round * 5 + interaction.nth * 3) % OTHERS)
  await (interaction.kind === 'like' ? likeAnew : followAnew)(context, actor, customerId)
}

/** Taken back first: a like that is there already would notify nobody. */
async function likeAnew(context: SandboxContext, actor: number, customerId: number): Promise<void> {
  const newest = await context.database.one(newestTipOf, { customerId })
  if (newest === undefined) return
  await unlikeComment(context, actor, newest.id)
  await likeComment(context, actor, newest.id)
}

async function followAnew(context: SandboxContext, actor: number, customerId: number): Promise<void> {
  const profile = await context.database.one(sandboxProfile, { customerId })
  if (profile === undefined) return
  await unfollowProfile(context, actor, profile.id)
  await followProfile(context, actor, profile.id)
}

function tip(at: number, customerId: number, text: string) {
  return { at, interaction: { kind: 'tip', customerId, text } as const }
}

function like(at: number, customerId: number, nth: number) {
  return { at, interaction: { kind: 'like', customerId, nth } as const }
}

function follow(at: number, customerId: number, nth: number) {
  return { at, interaction: { kind: 'follow', customerId, nth } as const }
}
