// The SQL of mutes and blocks (tables: migrations/schema.*.txt). What they hide is part of the statements that read (profiles/visibility-store.ts).

import { locking, reading, writing } from '../platform/database/database.ts'
import { type ProfileRow, type ProfileStatus, profileColumns } from '../profiles/store.ts'
import { FOR_EVER, isVisible } from '../profiles/visibility-store.ts'

type Pair = { own: number; other: number }

/**
 * Waits for follows, flags and likes between the two that are being written, and holds off later ones, which lock both profiles
 * for share. A follow that has waited is refused by a trigger; on PostgreSQL a flag or a like that has waited
 * may still be written, because its statement does not see the block.
 */
export const lockBothProfiles = locking<Pair, { id: number; status: ProfileStatus }>('lockBothProfiles')`
  select id, status from profile where id in (:own, :other) order by id for no key update`

/**
 * After the lock, so that it sees what was committed before. `block` 1: the caller has blocked the other; 0: was blocked by
 * them; null: neither. No row: the caller's personal data was erased.
 */
export const hidingOf = reading<
  Pair & { now: number },
  { block: number | null; muted_until: number | null; num_mutes: number; num_blocks: number }
>('hidingOf')`
  select (select b.own from profile_block b where b.profile_id = :own and b.other_id = :other) as block,
    (select m.until from profile_mute m where m.profile_id = :own and m.other_id = :other) as muted_until,
    (select count(*) from profile_mute m where m.profile_id = :own and m.until > :now) as num_mutes,
    (select count(*) from profile_block b where b.profile_id = :own and b.own = 1) as num_blocks
  from profile p join customer o on o.id = p.customer_id where p.id = :own and o.erased_at is null`

// ---- Mutes

export const putMute = writing<Pair & { now: number; until: number }>('putMute')`
  insert into profile_mute (profile_id, other_id, created_at, until) values (:own, :other, :now, :until)
  on conflict (profile_id, other_id) do update set until = excluded.until`

/** Deletes nothing if the caller does not see the other. */
export const deleteMute = writing<Pair>('deleteMute')`
  delete from profile_mute where profile_id = :own and other_id = :other and ${isVisible(':own', ':other')}`

/** The home feed reads the mute from the follow. A later follow gets it from a trigger. */
export const muteFollow = writing<Pair & { until: number }>('muteFollow')`
  update follow set muted_until = :until where follower_id = :own and followee_id = :other`

// ---- Blocks

export const insertBlock = writing<Pair & { now: number }>('insertBlock')`
  insert into profile_block (profile_id, other_id, own, created_at)
  values (:own, :other, 1, :now), (:other, :own, 0, :now)`

export const deleteBlock = writing<Pair>('deleteBlock')`
  delete from profile_block
  where (profile_id = :own and other_id = :other and own = 1) or (profile_id = :other and other_id = :own and own = 0)`

// ---- Lists, newest first. Ids by index first, rows after, as in followersOf.

type ListQuery = { id: number; limit: number; offset: number }

export const mutesOf = reading<ListQuery & { now: number }, ProfileRow>('mutesOf')`
  select ${profileColumns(':id')}
  from (select id, other_id from
         (select m.id, m.other_id from profile_mute m cross join profile s
          where m.profile_id = :id and m.until > :now and s.id = m.other_id and s.status = 'A' and ${isVisible(':id', 'm.other_id')}
          order by m.id desc limit :limit offset :offset) block
        limit 100) f
  join profile p on p.id = f.other_id join profile_count c on c.profile_id = p.id
  order by f.id desc`

export const blocksOf = reading<ListQuery, ProfileRow>('blocksOf')`
  select ${profileColumns(':id')}
  from (select id, other_id from
         (select b.id, b.other_id from profile_block b cross join profile s
          where b.profile_id = :id and b.own = 1 and s.id = b.other_id and s.status = 'A'
          order by b.id desc limit :limit offset :offset) block
        limit 100) f
  join profile p on p.id = f.other_id join profile_count c on c.profile_id = p.id
  order by f.id desc`

// ---- Retention and erasure

const MAX_DELETED = 1000

/** Ended mutes have no effect: every statement compares their end with the time. */
export const deleteMutesBefore = writing<{ now: number }>('deleteMutesBefore')`
  delete from profile_mute where until <= :now and id in (
    select id from profile_mute where until < ${FOR_EVER} and until <= :now order by until limit ${MAX_DELETED}
    for update skip locked)`

export const deleteMutesOf = writing<{ id: number }>('deleteMutesOf')`delete from profile_mute where profile_id = :id`

export const unmuteFollowsOf = writing<{ id: number }>('unmuteFollowsOf')`
  update follow set muted_until = 0 where follower_id = :id and muted_until > 0`

/** Deletes the other side of each block. Runs before deleteBlocksOf, because it is found by the blocks themselves. */
export const deleteMirrorsOf = writing<{ id: number }>('deleteMirrorsOf')`
  delete from profile_block where other_id = :id
  and profile_id in (select b.other_id from profile_block b where b.profile_id = :id and b.own = 1)`

/** Blocks that others made stay: they are the others' data. */
export const deleteBlocksOf = writing<{ id: number }>('deleteBlocksOf')`
  delete from profile_block where profile_id = :id and own = 1`
