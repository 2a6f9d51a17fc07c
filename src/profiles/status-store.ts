// The SQL that hides a profile with its follows, and brings both back.

import { locking, type NoParameters, writing } from '../platform/database/database.ts'
import type { ProfileStatus } from './store.ts'

/** Status changes run one at a time: each reads the status of all whom the profile follows. */
export const lockStatusChanges = locking<NoParameters, { name: string }>('lockStatusChanges')`
  select name from turnstile where name = 'profile-status' for update`

/** Its own count and those of all whom a follow connects it with, in the order of ids, as everybody locks counts. */
export const lockFollowCounts = locking<{ id: number }, { profile_id: number }>('lockFollowCounts')`
  select profile_id from profile_count
  where profile_id in (
    select cast(:id as bigint)
    union all select followee_id from follow where follower_id = :id
    union all select follower_id from follow where followee_id = :id and shown = 1
    union all select follower_id from follow where followee_id = :id and shown = 0)
  order by profile_id for no key update`

export const setStatus = writing<{ id: number; status: ProfileStatus }>('setStatus')`
  update profile set status = :status where id = :id and status <> :status`

export const uncountFollowees = writing<{ id: number }>('uncountFollowees')`
  update profile_count set num_followers = num_followers - 1
  where profile_id in (select followee_id from follow where follower_id = :id and shown = 1)`
export const uncountFollowers = writing<{ id: number }>('uncountFollowers')`
  update profile_count set num_followings = num_followings - 1
  where profile_id in (select follower_id from follow where followee_id = :id and shown = 1)`
export const uncountOwn = writing<{ id: number }>('uncountOwn')`
  update profile_count set num_followers = 0, num_followings = 0 where profile_id = :id`
export const hideFollowings = writing<{ id: number }>('hideFollowings')`
  update follow set shown = 0 where follower_id = :id and shown = 1`
export const hideFollowers = writing<{ id: number }>('hideFollowers')`
  update follow set shown = 0 where followee_id = :id and shown = 1`

export const showFollowings = writing<{ id: number }>('showFollowings')`
  update follow set shown = 1 where follower_id = :id and shown = 0
  and exists (select 1 from profile where id = follow.followee_id and status = 'A')`
export const showFollowers = writing<{ id: number }>('showFollowers')`
  update follow set shown = 1 where followee_id = :id and shown = 0
  and exists (select 1 from profile where id = follow.follower_id and status = 'A')`
export const countFollowees = writing<{ id: number }>('countFollowees')`
  update profile_count set num_followers = num_followers + 1
  where profile_id in (select followee_id from follow where follower_id = :id and shown = 1)`
export const countFollowers = writing<{ id: number }>('countFollowers')`
  update profile_count set num_followings = num_followings + 1
  where profile_id in (select follower_id from follow where followee_id = :id and shown = 1)`
export const countOwn = writing<{ id: number }>('countOwn')`
  update profile_count set
    num_followers = (select count(*) from follow where followee_id = :id and shown = 1),
    num_followings = (select count(*) from follow where follower_id = :id and shown = 1)
  where profile_id = :id`
