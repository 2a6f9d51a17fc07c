// The SQL of likes, which are written in batches (platform/database/write-queue.ts). Triggers count them (migrations/schema.*.txt).
// A batch waits for nobody's lock of a comment or an author: a like that finds one is not written, and is tried again alone.

import { reading, writing } from '../platform/database/database.ts'
import { batchedRows } from '../platform/database/row-list-store.ts'
import { bigint, type RowOf, rowList } from '../platform/database/table-store.ts'
import { isVisible } from '../profiles/visibility-store.ts'

const likeList = rowList({ comment_id: bigint, profile_id: bigint })
const newLikeList = rowList({ comment_id: bigint, profile_id: bigint, created_at: bigint })
type LikeKey = RowOf<typeof likeList>
type NewLike = RowOf<typeof newLikeList>

const SHOWN = `from comment c join profile p on p.id = c.author_id
  where c.id = :comment_id and c.state = 'live' and p.status = 'A' and ${isVisible(':profile_id', 'c.author_id')}`

/** The same for a list. Locks the comments, then their authors, each in the order of ids. */
function shownOf(list: typeof likeList | typeof newLikeList): string {
  return `with given as materialized (${list.select}),
    liked as materialized (
      select id, author_id, state from comment where id ${list.in('comment_id')} order by id for share skip locked),
    author as materialized (
      select id, status from profile where id = any (array(select author_id from liked)) order by id for share skip locked),
    shown as (
      select given.*, liked.author_id
      from given join liked on liked.id = given.comment_id join author on author.id = liked.author_id
      where liked.state = 'live' and author.status = 'A' and ${isVisible('given.profile_id', 'liked.author_id')})`
}

const key = ['comment_id', 'profile_id'] as const

/** Locks as lockCommentForReaction does. In the order of keys: who inserts the same like waits for the end of the other transaction. */
export const insertLike = batchedRows({
  name: 'insertLike',
  one: (name, ifLocked) => writing<NewLike>(name)`
    insert into comment_like (comment_id, profile_id, created_at)
    select c.id, cast(:profile_id as bigint), cast(:created_at as bigint) ${SHOWN} and c.author_id <> :profile_id
    for share of c, p ${ifLocked}
    on conflict (comment_id, profile_id) do nothing`,
  many: writing<{ rows: string }, LikeKey>('insertLikes')`
    ${shownOf(newLikeList)}
    insert into comment_like (comment_id, profile_id, created_at)
    select comment_id, profile_id, created_at from shown where author_id <> profile_id order by profile_id, comment_id
    on conflict (comment_id, profile_id) do nothing returning comment_id, profile_id`,
  list: newLikeList,
  key,
})

/** Locks as lockCommentForReaction does. */
export const deleteLike = batchedRows({
  name: 'deleteLike',
  one: (name, ifLocked) => writing<LikeKey>(name)`
    delete from comment_like where comment_id = :comment_id and profile_id = :profile_id
    and exists (select 1 ${SHOWN} for share of c, p ${ifLocked})`,
  many: writing<{ rows: string }, LikeKey>('deleteLikes')`
    ${shownOf(likeList)}
    delete from comment_like where (profile_id, comment_id) in (
      select ended.profile_id, ended.comment_id from shown join comment_like ended
        on ended.profile_id = shown.profile_id and ended.comment_id = shown.comment_id
      order by ended.profile_id, ended.comment_id for update of ended)
    returning comment_id, profile_id`,
  list: likeList,
  key,
})

export const likeOnShownComment = reading<LikeKey, { author_id: number; is_liked: number | boolean }>(
  'likeOnShownComment',
)`
  select c.author_id,
    (select 1 from comment_like where comment_id = c.id and profile_id = :profile_id) is not null as is_liked ${SHOWN}`
