import type { Context } from '../context.ts'
import type { Database } from '../database/database.ts'
import { Fault } from '../faults.ts'
import { addFlag } from '../moderation/flag.ts'
import { getOwnProfile, type OwnProfile, viewerOf, withOwnProfile } from './profile.ts'
import { toProfile } from './profile-view.ts'
import type { FollowEntry, Profile } from './shapes.ts'
import {
  addToFollowCounts,
  deleteFollow,
  followersOf,
  followingsOf,
  insertFollow,
  latestFollows,
  lockPair,
  profileStatus,
} from './store.ts'

export async function followProfile(context: Context, customerId: number, id: number): Promise<void> {
  const follower = await withOwnProfile(context, customerId, async (transaction, own) => {
    const pair = await lockedPair(transaction, own, id)
    if (pair.status !== 'A') throw new Fault('noProfile', 'id')
    if (own === id) throw new Fault('followSelf', 'id')
    // A follow by an inactive profile is hidden and not counted until the profile is reactivated.
    const shown = pair.ownStatus === 'A' ? 1 : 0
    const inserted = await transaction.run(insertFollow, { follower: own, followee: id, now: context.now(), shown })
    if (inserted === 1 && shown === 1)
      await transaction.run(addToFollowCounts, { follower: own, followee: id, change: 1 }, 'last')
    return own
  })
  context.feedCursors.invalidate(follower)
}

/** The same answer whether or not there was a follow. */
export async function unfollowProfile(context: Context, customerId: number, id: number) {
  const follower = await withOwnProfile(context, customerId, async (transaction, own) => {
    await lockedPair(transaction, own, id)
    const removed = await transaction.one(deleteFollow, { follower: own, followee: id })
    if (removed?.shown === 1)
      await transaction.run(addToFollowCounts, { follower: own, followee: id, change: -1 }, 'last')
    return own
  })
  context.feedCursors.invalidate(follower)
  return { id, status: 'I' }
}

export async function flagProfile(context: Context, customerId: number, id: number): Promise<void> {
  await withOwnProfile(context, customerId, async (transaction, own) => {
    const { status } = await lockedPair(transaction, own, id)
    if (status !== 'A') throw new Fault('noProfile', 'id')
    if (own === id) throw new Fault('flagSelf', 'id')
    await addFlag(transaction, { kind: 'profile', subjectId: id, flaggerId: own, now: context.now() })
  })
}

async function lockedPair(transaction: Database, own: number, id: number) {
  const rows = await transaction.query(lockPair, { one: own, other: id })
  const target = rows.find((row) => row.id === id)
  if (target === undefined) throw new Fault('noProfile', 'id')
  return { status: target.status, ownStatus: rows.find((row) => row.id === own)?.status }
}

type Block = { blockSize: number; blockNum: number; communities: boolean }

const lists = { followers: followersOf, followings: followingsOf }

/** null: the profile exists and the block is empty. */
export async function listFollows(
  context: Context,
  list: keyof typeof lists,
  who: { id: number; customerId: number | null },
  block: Block,
): Promise<Profile[] | null> {
  const viewer = await viewerOf(context, who.customerId)
  const rows = await readBlock(context, list, { id: who.id, viewer }, block)
  if (rows.length > 0) return rows.map((row) => toProfile(context.config, row, viewOf(who.customerId, block)))
  const profile = await context.database.one(profileStatus, { id: who.id })
  if (profile?.status !== 'A') throw new Fault('noProfile', 'id')
  return null
}

/** The caller's own lists. The call that creates the profile answers with its data instead (ruling R7). */
export async function listOwnFollows(context: Context, list: keyof typeof lists, own: OwnProfile, block: Block) {
  if (own.created) return [await getOwnProfile(context, own.id, block.communities)]
  const rows = await readBlock(context, list, { id: own.id, viewer: own.id }, block)
  if (rows.length === 0) return null
  return rows.map((row) => toProfile(context.config, row, { requester: true, communities: block.communities }))
}

function readBlock(context: Context, list: keyof typeof lists, who: { id: number; viewer: number }, block: Block) {
  return context.database.query(lists[list], {
    ...who,
    limit: block.blockSize,
    offset: block.blockNum * block.blockSize,
  })
}

function viewOf(customerId: number | null, block: Block) {
  return { requester: customerId !== null, communities: block.communities }
}

/** Pairs of follower and followee, newest first. */
export async function latestFollowPairs(context: Context, customerId: number, communities: boolean) {
  const viewer = await viewerOf(context, customerId)
  const rows = await context.database.query(latestFollows, { viewer })
  const pairs: FollowEntry[][] = []
  for (const row of rows) {
    const profile = toProfile(context.config, row, { requester: true, communities })
    if (row.is_followee === 0) pairs.push([{ ...profile, relationship: 'follower' }])
    else pairs.at(-1)?.push({ ...profile, relationship: 'followee', status: row.status })
  }
  return pairs.length === 0 ? null : pairs
}
