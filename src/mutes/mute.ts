// A *mute* is one-sided: the tips of the muted profile leave the owner's home feed, and what it does sends the owner neither
// notifications nor events. The muted one notices nothing. A *block* is two-sided: neither of the two sees, follows, likes or
// flags the other, and each is answered as if the other did not exist.

import { setImmediate as yieldToRequests } from 'node:timers/promises'
import type { CommunitiesContext } from '../communities/context.ts'
import { Fault } from '../faults.ts'
import { forgetActorsBetween } from '../notifications/write-batch.ts'
import type { Database } from '../platform/database/database.ts'
import { HOUR_MS } from '../platform/runtime/durations.ts'
import { deleteFollow } from '../profiles/follow-store.ts'
import { NO_PROFILE, sessionOver, transactionWithOwnProfile, viewerOf } from '../profiles/profile.ts'
import { toProfile } from '../profiles/profile-view.ts'
import type { Profile } from '../profiles/shapes.ts'
import { type ProfileRow, profileStatus } from '../profiles/store.ts'
import { FOR_EVER } from '../profiles/visibility-store.ts'
import * as sql from './store.ts'

/** A limit for mutes and one for blocks: it bounds what the checks of one profile can cost. */
export const MAX_HIDDEN = 5_000

/** `hours` null: until it is taken back. A second mute replaces the end of the first. */
export async function muteProfile(
  context: CommunitiesContext,
  customerId: number,
  { id, hours }: { id: number; hours: number | null },
): Promise<void> {
  const muter = await transactionWithOwnProfile(context, customerId, async (transaction, own) => {
    const now = context.now()
    const until = hours === null ? FOR_EVER : now + hours * HOUR_MS
    const { block, muted_until, num_mutes } = await lockedPair(transaction, { own, other: id, now })
    if (block !== null) throw new Fault('noProfile', 'id')
    const isMuted = muted_until !== null && muted_until > now
    if (!isMuted && num_mutes >= MAX_HIDDEN) throw new Fault('tooManyHidden', 'id')
    // One that has ended and is not deleted yet would keep its old place in the list.
    if (!isMuted && muted_until !== null) await transaction.run(sql.deleteMute, { own, other: id })
    await transaction.run(sql.putMute, { own, other: id, now, until })
    await transaction.run(sql.muteFollow, { own, other: id, until })
    return own
  })
  context.feedCursors.invalidate(muter)
}

export async function unmuteProfile(context: CommunitiesContext, customerId: number, id: number) {
  const muter = await transactionWithOwnProfile(context, customerId, async (transaction, own) => {
    await transaction.query(sql.lockBothProfiles, { own, other: id })
    const deleted = await transaction.run(sql.deleteMute, { own, other: id })
    if (deleted === 0) await refuseUnknown(transaction, own, id)
    else await transaction.run(sql.muteFollow, { own, other: id, until: 0 })
    return own
  })
  context.feedCursors.invalidate(muter)
  return { id, status: 'I' }
}

/** Ends follows between the two, and what either was notified of about the other. Taking the block back restores neither. */
export async function blockProfile(context: CommunitiesContext, customerId: number, id: number): Promise<void> {
  const blocker = await transactionWithOwnProfile(context, customerId, async (transaction, own) => {
    const now = context.now()
    const { block, num_blocks } = await lockedPair(transaction, { own, other: id, now })
    if (block === 1) return own
    if (block === 0) throw new Fault('noProfile', 'id')
    if (num_blocks >= MAX_HIDDEN) throw new Fault('tooManyHidden', 'id')
    await transaction.run(sql.insertBlock, { own, other: id, now })
    await transaction.run(deleteFollow.alone, { follower_id: own, followee_id: id })
    await transaction.run(deleteFollow.alone, { follower_id: id, followee_id: own })
    await forgetActorsBetween(transaction, own, id)
    return own
  })
  for (const reader of [blocker, id]) context.feedCursors.invalidate(reader)
}

export async function unblockProfile(context: CommunitiesContext, customerId: number, id: number) {
  await transactionWithOwnProfile(context, customerId, async (transaction, own) => {
    await transaction.query(sql.lockBothProfiles, { own, other: id })
    const deleted = await transaction.run(sql.deleteBlock, { own, other: id })
    if (deleted === 0) await refuseUnknown(transaction, own, id)
  })
  return { id, status: 'I' }
}

/** The same faults, in the same order, as for a follow. */
async function lockedPair(transaction: Database, pair: { own: number; other: number; now: number }) {
  const { own, other } = pair
  const locked = await transaction.query(sql.lockBothProfiles, { own, other })
  if (locked.find(({ id }) => id === other)?.status !== 'A') throw new Fault('noProfile', 'id')
  if (own === other) throw new Fault('hideSelf', 'id')
  const hiding = await transaction.one(sql.hidingOf, pair)
  // The customer was erased while the ticket was still cached.
  if (hiding === undefined) throw sessionOver()
  return hiding
}

async function refuseUnknown(transaction: Database, own: number, id: number): Promise<void> {
  if ((await transaction.one(profileStatus, { id, viewer: own })) === undefined) throw new Fault('noProfile', 'id')
}

// ---- Lists

type Block = { blockSize: number; blockNum: number; communities: boolean }

/** null: the block is empty. */
export async function listHidden(
  context: CommunitiesContext,
  list: 'mutes' | 'blocks',
  customerId: number,
  block: Block,
): Promise<Profile[] | null> {
  const id = await viewerOf(context, customerId)
  if (id === NO_PROFILE) return null
  const rows = await readHidden(context, list, {
    id,
    limit: block.blockSize,
    offset: block.blockNum * block.blockSize,
  })
  const view = { requester: true, communities: block.communities }
  return rows.length === 0 ? null : rows.map((row) => toProfile(context.config, row, view))
}

function readHidden(
  { database, now }: CommunitiesContext,
  list: 'mutes' | 'blocks',
  query: { id: number; limit: number; offset: number },
): Promise<ProfileRow[]> {
  return list === 'mutes' ? database.query(sql.mutesOf, { ...query, now: now() }) : database.query(sql.blocksOf, query)
}

// ---- Retention and erasure

/** Deletes in batches, between which others write. */
export async function deleteEndedMutes(database: Database, now: number): Promise<void> {
  while ((await database.run(sql.deleteMutesBefore, { now })) > 0) await yieldToRequests()
}

/** For the transaction that erases a customer. */
export async function eraseMutesAndBlocks(transaction: Database, id: number): Promise<void> {
  await transaction.run(sql.deleteMutesOf, { id })
  await transaction.run(sql.unmuteFollowsOf, { id })
  await transaction.run(sql.deleteMirrorsOf, { id })
  await transaction.run(sql.deleteBlocksOf, { id })
}
