// A moderator takes a profile out of sight, and back. Its follows are hidden with it and come back with it, so that
// lists and counts always agree.

import { countTipsOfProfile } from '../communities/tip-status.ts'
import { type Database, statement } from '../database/database.ts'

/** Status changes take turns: each reads the status of all whom the profile follows. */
export const oneStatusChangeAtATime = statement<[], { name: string }>(
  'oneStatusChangeAtATime',
  `select name from turnstile where name = 'profile-status' for update`,
)

/** In the order of ids, as follows lock them too (addToFollowCounts): otherwise the two could wait for each other. */
export const lockCountsAround = statement<[id: number], { profile_id: number }>(
  'lockCountsAround',
  `select profile_id from profile_count
   where profile_id in (
     select followee_id from follow where follower_id = $1
     union all select follower_id from follow where followee_id = $1 and shown = 1
     union all select follower_id from follow where followee_id = $1 and shown = 0)
   order by profile_id for no key update`,
)

export const setStatus = statement<[id: number, status: string]>(
  'setStatus',
  'update profile set status = $2 where id = $1 and status <> $2',
)

export const uncountFollowees = statement<[id: number]>(
  'uncountFollowees',
  `update profile_count set num_followers = num_followers - 1
   where profile_id in (select followee_id from follow where follower_id = $1 and shown = 1)`,
)
export const uncountFollowers = statement<[id: number]>(
  'uncountFollowers',
  `update profile_count set num_followings = num_followings - 1
   where profile_id in (select follower_id from follow where followee_id = $1 and shown = 1)`,
)
export const uncountOwn = statement<[id: number]>(
  'uncountOwn',
  'update profile_count set num_followers = 0, num_followings = 0 where profile_id = $1',
)
export const hideFollowings = statement<[id: number]>(
  'hideFollowings',
  'update follow set shown = 0 where follower_id = $1 and shown = 1',
)
export const hideFollowers = statement<[id: number]>(
  'hideFollowers',
  'update follow set shown = 0 where followee_id = $1 and shown = 1',
)

export const showFollowings = statement<[id: number]>(
  'showFollowings',
  `update follow set shown = 1 where follower_id = $1 and shown = 0
   and exists (select 1 from profile where id = follow.followee_id and status = 'A')`,
)
export const showFollowers = statement<[id: number]>(
  'showFollowers',
  `update follow set shown = 1 where followee_id = $1 and shown = 0
   and exists (select 1 from profile where id = follow.follower_id and status = 'A')`,
)
export const countFollowees = statement<[id: number]>(
  'countFollowees',
  `update profile_count set num_followers = num_followers + 1
   where profile_id in (select followee_id from follow where follower_id = $1 and shown = 1)`,
)
export const countFollowers = statement<[id: number]>(
  'countFollowers',
  `update profile_count set num_followings = num_followings + 1
   where profile_id in (select follower_id from follow where followee_id = $1 and shown = 1)`,
)
export const countOwn = statement<[id: number]>(
  'countOwn',
  `update profile_count set
     num_followers = (select count(*) from follow where followee_id = $1 and shown = 1),
     num_followings = (select count(*) from follow where follower_id = $1 and shown = 1)
   where profile_id = $1`,
)

/** false: it had this status already, or there is no such profile. */
export async function setProfileStatus(transaction: Database, id: number, status: 'A' | 'I'): Promise<boolean> {
  await transaction.one(oneStatusChangeAtATime, [])
  // Waits for follows of this profile that are being written (lockPair), and lets later ones see the new status.
  if ((await transaction.run(setStatus, [id, status])) === 0) return false
  await transaction.query(lockCountsAround, [id])
  const steps =
    status === 'I'
      ? [uncountFollowees, uncountFollowers, uncountOwn, hideFollowings, hideFollowers]
      : [showFollowings, showFollowers, countFollowees, countFollowers, countOwn]
  for (const step of steps) await transaction.run(step, [id])
  await countTipsOfProfile(transaction, id, status === 'A' ? 1 : -1)
  return true
}
