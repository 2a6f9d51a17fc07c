// The SQL that writes follows, in batches (platform/database/write-queue.ts). Triggers count those that are shown
// (migrations/schema.*.txt). The locks hold off a change of status of either profile until the follow is written (see
// setProfileStatus). They are taken in the order of ids, as everywhere: a join would lock in its own order. A batch
// waits for none of them: a follow of a profile that somebody has locked is not written, and is tried again alone.

import { reading, writing } from '../platform/database/database.ts'
import { batchedRows, type IfLocked } from '../platform/database/row-list-store.ts'
import { bigint, type RowOf, rowList } from '../platform/database/table-store.ts'
import { isVisible } from './visibility-store.ts'

const followList = rowList({ follower_id: bigint, followee_id: bigint })
const newFollowList = rowList({ follower_id: bigint, followee_id: bigint, created_at: bigint })
type FollowKey = RowOf<typeof followList>
type NewFollow = RowOf<typeof newFollowList>

function lockedPair(ifLocked: IfLocked): string {
  return `with locked as materialized (
    select id, status from profile where id in (:follower_id, :followee_id) order by id for share ${ifLocked})`
}

/** The same for a list. */
function lockedPairs(list: typeof followList | typeof newFollowList): string {
  return `with given as materialized (${list.select}),
    locked as materialized (
      select id, status from profile where id ${list.in('follower_id', 'followee_id')} order by id for share skip locked)`
}

const BOTH_LOCKED = `given join locked own on own.id = given.follower_id join locked other on other.id = given.followee_id`

const key = ['follower_id', 'followee_id'] as const

/**
 * A follow by an inactive profile is hidden and not counted until the profile is reactivated. A trigger refuses one across a block. In the
 * order of keys: who inserts the same follow waits for the end of the other transaction.
 */
export const insertFollow = batchedRows({
  name: 'insertFollow',
  one: (name, ifLocked) => writing<NewFollow>(name)`
    ${lockedPair(ifLocked)}
    insert into follow (follower_id, followee_id, created_at, shown)
    select own.id, other.id, cast(:created_at as bigint), case when own.status = 'A' then 1 else 0 end
    from locked own cross join locked other
    where own.id = :follower_id and other.id = :followee_id and other.id <> own.id and other.status = 'A'
    on conflict (follower_id, followee_id) do nothing`,
  many: writing<{ rows: string }, FollowKey>('insertFollows')`
    ${lockedPairs(newFollowList)}
    insert into follow (follower_id, followee_id, created_at, shown)
    select own.id, other.id, given.created_at, case when own.status = 'A' then 1 else 0 end
    from ${BOTH_LOCKED} where other.id <> own.id and other.status = 'A' order by own.id, other.id
    on conflict (follower_id, followee_id) do nothing returning follower_id, followee_id`,
  list: newFollowList,
  key,
})

export const deleteFollow = batchedRows({
  name: 'deleteFollow',
  one: (name, ifLocked) => writing<FollowKey>(name)`
    ${lockedPair(ifLocked)}
    delete from follow
    where follower_id = :follower_id and followee_id = :followee_id and (select count(*) from locked) = 2`,
  many: writing<{ rows: string }, FollowKey>('deleteFollows')`
    ${lockedPairs(followList)}
    delete from follow where id = any (array(
      select ended.id from ${BOTH_LOCKED} join follow ended on ended.follower_id = own.id and ended.followee_id = other.id
      order by own.id, other.id for update of ended))
    returning follower_id, followee_id`,
  list: followList,
  key,
})

/** No row: there is no such profile, or the viewer, the follower, does not see it. */
export const followOfProfile = reading<FollowKey, { is_followed: number | boolean }>('followOfProfile')`
  select (select 1 from follow where follower_id = :follower_id and followee_id = profile.id) is not null as is_followed
  from profile where id = :followee_id and ${isVisible(':follower_id', 'profile.id')}`
