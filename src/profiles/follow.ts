import { Fault } from '../faults.ts'
import { addFlag, type FlagText, NO_FLAG_TEXT } from '../flags/flag.ts'
import { writeRow } from '../platform/database/row-list-store.ts'
import type { ProfilesContext } from './context.ts'
import { deleteFollow, followOfProfile, insertFollow } from './follow-store.ts'
import { getOwnProfile, type OwnProfile, transactionWithOwnProfile, viewerOf, withOwnProfile } from './profile.ts'
import { toProfile } from './profile-view.ts'
import type { FollowEntry, Profile } from './shapes.ts'
import * as sql from './store.ts'

export async function followProfile(context: ProfilesContext, customerId: number, id: number): Promise<void> {
  const follower = await withOwnProfile(context, customerId, async (database, own) => {
    const pair = { follower_id: own, followee_id: id, created_at: context.now() }
    await writeRow(database, insertFollow, pair, async () => {
      const profile = await database.one(sql.activeProfile, { id, viewer: own })
      if (profile === undefined) throw new Fault('noProfile', 'id')
      if (own === id) throw new Fault('followSelf', 'id')
      return Boolean(profile.is_followed)
    })
    return own
  })
  context.feedCursors.invalidate(follower)
}

/** The same answer whether or not there was a follow. */
export async function unfollowProfile(context: ProfilesContext, customerId: number, id: number) {
  const follower = await withOwnProfile(context, customerId, async (database, own) => {
    const pair = { follower_id: own, followee_id: id }
    await writeRow(database, deleteFollow, pair, async () => {
      const profile = await database.one(followOfProfile, pair)
      if (profile === undefined) throw new Fault('noProfile', 'id')
      return !profile.is_followed
    })
    return own
  })
  context.feedCursors.invalidate(follower)
  return { id, status: 'I' }
}

export async function flagProfile(
  context: ProfilesContext,
  customerId: number,
  id: number,
  text: FlagText = NO_FLAG_TEXT,
): Promise<void> {
  await transactionWithOwnProfile(context, customerId, async (transaction, own) => {
    const pair = await transaction.query(sql.lockPair, { own, other: id })
    if (pair.find((profile) => profile.id === id)?.status !== 'A') throw new Fault('noProfile', 'id')
    if (own === id) throw new Fault('flagSelf', 'id')
    await addFlag(transaction, { kind: 'profile', subjectId: id, flaggerId: own, now: context.now() }, text)
  })
}

type Block = { blockSize: number; blockNum: number; communities: boolean }

const lists = { followers: sql.followersOf, followings: sql.followingsOf }

/** null: the profile exists and the block is empty. */
export async function listFollows(
  context: ProfilesContext,
  list: keyof typeof lists,
  who: { id: number; customerId: number | null },
  block: Block,
): Promise<Profile[] | null> {
  const viewer = await viewerOf(context, who.customerId)
  const rows = await readBlock(context, list, { id: who.id, viewer }, block)
  if (rows.length > 0) return rows.map((row) => toProfile(context.config, row, viewOf(who.customerId, block)))
  const profile = await context.database.one(sql.profileStatus, { id: who.id, viewer })
  if (profile?.status !== 'A') throw new Fault('noProfile', 'id')
  return null
}

/** The caller's own lists. The call that creates the profile answers with its data instead (ruling R7). */
export async function listOwnFollows(
  context: ProfilesContext,
  list: keyof typeof lists,
  own: OwnProfile,
  block: Block,
) {
  if (own.created) return [await getOwnProfile(context, own.id, block.communities)]
  const rows = await readBlock(context, list, { id: own.id, viewer: own.id }, block)
  if (rows.length === 0) return null
  return rows.map((row) => toProfile(context.config, row, { requester: true, communities: block.communities }))
}

function readBlock(
  context: ProfilesContext,
  list: keyof typeof lists,
  who: { id: number; viewer: number },
  block: Block,
) {
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
export async function latestFollowPairs(context: ProfilesContext, customerId: number, communities: boolean) {
  const viewer = await viewerOf(context, customerId)
  const rows = await context.database.query(sql.latestFollows, { viewer })
  const pairs: FollowEntry[][] = []
  for (const row of rows) {
    const profile = toProfile(context.config, row, { requester: true, communities })
    if (row.is_followee === 0) pairs.push([{ ...profile, relationship: 'follower' }])
    else pairs.at(-1)?.push({ ...profile, relationship: 'followee', status: row.status })
  }
  return pairs.length === 0 ? null : pairs
}
