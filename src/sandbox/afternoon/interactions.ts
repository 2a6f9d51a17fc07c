// What customers do during an afternoon, so that whoever looks on as Alice, Bob or Carol gets notifications.

import { likeComment, unlikeComment } from '../../communities/reaction.ts'
import { readAsset } from '../../platform/runtime/assets.ts'
import { followProfile, unfollowProfile } from '../../profiles/follow.ts'
import type { SandboxContext } from '../context.ts'
import { createMissingTip } from '../world/tips.ts'
import type { Racecard } from './racecard.ts'
import { newestTipOf, sandboxProfile } from './store.ts'

export type Interaction = { readonly at: number; readonly customerId: number } & (
  | { readonly kind: 'tip'; readonly text: string }
  /** Likes the customer's newest tip, or follows the customer. `nth` chooses who does it. */
  | { readonly kind: 'like' | 'follow'; readonly nth: number }
)

export const INTERACTIONS = readAsset<{ interactions: Interaction[] }>('sandbox/afternoon.json').interactions

/** Customers 4 to 20. */
const OTHERS = 17
const FIRST_OTHER = 4

export async function interact(
  context: SandboxContext,
  { round, bets }: Racecard,
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
