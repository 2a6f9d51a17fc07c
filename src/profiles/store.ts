// The SQL of profiles. The *viewer* is the caller's profile (0: none). Whether the viewer follows or flagged a profile is
// read by primary key with each row, never in a separate statement.

import { type IdParameters, idList, locking, reading, writing } from '../platform/database/database.ts'
import { isRankable, isVisible, isVisibleInList } from './visibility-store.ts'

/** The columns that most answers show. */
export type PublicProfileRow = {
  name: string | null
  biography: string
  picture: string | null
  created_at: number
  num_followings: number
  num_followers: number
  is_flagged: number | boolean
  is_followed: number | boolean
}

/** Active or inactive. */
export type ProfileStatus = 'A' | 'I'

export type ProfileRow = PublicProfileRow & { id: number; status: ProfileStatus; num_live: number; num_winning: number }

/**
 * The columns of a PublicProfileRow from profile p and its counts c, for the viewer in the given parameter. Subqueries
 * instead of "exists": for a list PostgreSQL would read all that the viewer ever followed.
 */
function publicColumns(viewer: string): string {
  return `p.name, p.biography, p.picture, p.created_at, c.num_followings, c.num_followers,
    (select 1 from flag where kind = 'profile' and subject_id = p.id and profile_id = ${viewer}) is not null as is_flagged,
    (select 1 from follow where follower_id = ${viewer} and followee_id = p.id) is not null as is_followed`
}

/** The columns of a ProfileRow. */
export function profileColumns(viewer: string): string {
  return `p.id, p.status, c.num_live, c.num_winning, ${publicColumns(viewer)}`
}

/** The most frequent read: the four other columns would add 2 % on the embedded engine. */
export const activeProfile = reading<{ id: number; viewer: number }, PublicProfileRow>('activeProfile')`
  select ${publicColumns(':viewer')} from profile p join profile_count c on c.profile_id = p.id
  where p.id = :id and p.status = 'A' and ${isVisible(':viewer', 'p.id')}`

export const profileById = reading<{ id: number; viewer: number }, ProfileRow>('profileById')`
  select ${profileColumns(':viewer')} from profile p join profile_count c on c.profile_id = p.id
  where p.id = :id and ${isVisible(':viewer', 'p.id')}`

export const profileOfCustomer = reading<{ customerId: number }, { id: number }>('profileOfCustomer')`
  select id from profile where customer_id = :customerId`

/** No row: there is no such profile, or the viewer does not see it. */
export const profileStatus = reading<{ id: number; viewer: number }, { status: ProfileStatus }>('profileStatus')`
  select status from profile where id = :id and ${isVisible(':viewer', 'profile.id')}`

export const numFollowings = reading<{ id: number }, { num_followings: number }>('numFollowings')`
  select num_followings from profile_count where profile_id = :id`

/**
 * True unless the owner's personal data was erased. Erasure locks the customer's row: a write that comes later waits for it
 * and then finds no owner, and erasure waits for a write that came first. So a ticket that is still cached cannot write.
 */
export const OWNER_NOT_ERASED = `exists (select 1 from customer owner
  where owner.id = profile.customer_id and owner.erased_at is null for share of owner)`

export const insertProfile = writing<{ customerId: number; now: number }, { id: number }>('insertProfile')`
  insert into profile (customer_id, biography, status, created_at, name_words, biography_words)
  select id, '', 'A', cast(:now as bigint), '', '' from customer where id = :customerId and erased_at is null for share
  on conflict (customer_id) do nothing returning id`

/**
 * A null leaves the field as it is, and the same name again leaves its look, which an older name may lack. The words are for
 * search; those of a profile from before it follow (search/indexer.ts).
 */
export const updateProfile = writing<{
  id: number
  name: string | null
  nameKey: string | null
  nameLook: string | null
  biography: string | null
  nameWords: string | null
  biographyWords: string | null
}>('updateProfile')`
  update profile set name = coalesce(:name, name), name_key = coalesce(:nameKey, name_key),
    name_look = case when cast(:name as text) is null or name = cast(:name as text) then name_look else :nameLook end,
    biography = coalesce(:biography, biography),
    name_words = case when biography_words is null then null else coalesce(:nameWords, name_words) end,
    biography_words = case when biography_words is null then null else coalesce(:biographyWords, biography_words) end
  where id = :id and ${OWNER_NOT_ERASED}`

/** Returns the picture before the change. */
export const lockPicture = locking<{ id: number }, { picture: string | null }>('lockPicture')`
  select picture from profile where id = :id for no key update`

/** The same for a request of the owner. */
export const lockOwnPicture = locking<{ id: number }, { picture: string | null }>('lockOwnPicture')`
  select picture from profile where id = :id and ${OWNER_NOT_ERASED} for no key update`

export const setPicture = writing<{ id: number; picture: string | null }>('setPicture')`
  update profile set picture = :picture where id = :id`

export const resetName = writing<{ id: number }>('resetName')`
  update profile set name = null, name_key = null, name_look = null,
    name_words = case when biography_words is null then null else '' end
  where id = :id`

export const resetBiography = writing<{ id: number }>('resetBiography')`
  update profile set biography = '', biography_words = case when biography_words is null then null else '' end
  where id = :id`

// ---- Follows

/**
 * Holds off a change of status of either profile until the flag is written (see setProfileStatus). The other is missing if
 * there is a block between them.
 */
export const lockPair = locking<{ own: number; other: number }, { id: number; status: ProfileStatus }>('lockPair')`
  select id, status from profile where id in (:own, :other) and ${isVisible(':own', 'profile.id')} order by id for share`

/**
 * Ids by index first, rows after: the offset skips index entries, not profiles. The constant 100 is the
 * largest block: PostgreSQL assumes that an unknown limit is a tenth of the table, and would read all profiles to join
 * them.
 */
function followsOf(name: string, shown: string, owner: string) {
  return reading<{ id: number; viewer: number; limit: number; offset: number }, ProfileRow>(name)`
  select ${profileColumns(':viewer')}
  from (select id, ${shown} from
         (select id, ${shown} from follow where ${owner} = :id and shown = 1
            and ${isVisible(':viewer', ':id')} and ${isVisibleInList(':viewer', `follow.${shown}`)}
          order by id desc limit :limit offset :offset) block
        limit 100) f
  join profile p on p.id = f.${shown} join profile_count c on c.profile_id = p.id
  order by f.id desc`
}
export const followersOf = followsOf('followersOf', 'follower_id', 'followee_id')
export const followingsOf = followsOf('followingsOf', 'followee_id', 'follower_id')

type LatestFollowRow = ProfileRow & { follow_id: number; is_followee: number }

/**
 * The 20 latest, with two rows each: the follower, then the followee. "cross join" sets SQLite's join order: it would
 * otherwise read all profiles, because it does not know that there are only 20 follows.
 */
export const latestFollows = reading<{ viewer: number }, LatestFollowRow>('latestFollows')`
  with latest as (select id, follower_id, followee_id from follow
    where shown = 1 and ${isVisibleInList(':viewer', 'follow.follower_id', 'follow.followee_id')}
    order by id desc limit 20)
  select f.id as follow_id, 0 as is_followee, ${profileColumns(':viewer')}
  from latest f cross join profile p join profile_count c on c.profile_id = p.id where p.id = f.follower_id
  union all
  select f.id as follow_id, 1 as is_followee, ${profileColumns(':viewer')}
  from latest f cross join profile p join profile_count c on c.profile_id = p.id where p.id = f.followee_id
  order by follow_id desc, is_followee`

// ---- Most followed

export const mostFollowedOfAllTime = reading<{ viewer: number; now: number }, ProfileRow>('mostFollowedOfAllTime')`
  select ${profileColumns(':viewer')}
  from (select profile_id from profile_count
        where num_followers > 0 and ${isVisibleInList(':viewer', 'profile_count.profile_id')}
          and ${isRankable('profile_count.profile_id', ':now')}
        order by num_followers desc, profile_id limit 20) top
  join profile p on p.id = top.profile_id join profile_count c on c.profile_id = p.id
  order by c.num_followers desc, p.id`

export const MAX_RANKED = 20
/** More than are shown: a viewer sees the next ones in place of those whom a block hides. */
export const MAX_CANDIDATES = 5 * MAX_RANKED

/**
 * Reads the follows of the window by a covering index, and counts them; ranking-window.ts bounds how often. The plus keeps
 * SQLite from using an index in the order of followees, for which it reads all follows and their rows: 4.4 s against
 * 0.12 s for 2 million.
 */
export const mostFollowedSince = reading<{ since: number }, { id: number; follows: number }>('mostFollowedSince')`
  select id, sum(count(*)) over () as follows
  from (select +followee_id as id from follow where created_at >= :since and shown = 1) recent
  group by id order by count(*) desc, id limit ${MAX_CANDIDATES}`

/** The active, visible and not excluded profiles among at most MAX_RANKED ids. */
export const profilesByIds = reading<{ viewer: number; now: number } & IdParameters, ProfileRow>('profilesByIds')`
  select ${profileColumns(':viewer')} from profile p join profile_count c on c.profile_id = p.id
  where p.id in (${idList(MAX_RANKED)}) and p.status = 'A' and ${isVisible(':viewer', 'p.id')}
    and ${isRankable('p.id', ':now')}`

// ---- Putting back what a moderator reset, unless the owner has set another since

/** Throws UniqueViolation when another profile has the name. */
export const putBackName = writing<{ id: number; name: string; nameKey: string; nameLook: string; nameWords: string }>(
  'putBackName',
)`
  update profile set name = :name, name_key = :nameKey, name_look = :nameLook,
    name_words = case when biography_words is null then null else cast(:nameWords as text) end
  where id = :id and name is null`

export const putBackBiography = writing<{ id: number; biography: string; biographyWords: string }>('putBackBiography')`
  update profile set biography = :biography,
    biography_words = case when biography_words is null then null else cast(:biographyWords as text) end
  where id = :id and biography = ''`

export const putBackPicture = writing<{ id: number; picture: string }>('putBackPicture')`
  update profile set picture = :picture where id = :id and picture is null`
