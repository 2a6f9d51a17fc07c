// A profile's row as answers show it.

import type { Config } from '../platform/config/config.ts'
import type { Profile } from './shapes.ts'
import type { ProfileRow, PublicProfileRow } from './store.ts'

export type View = { requester: boolean; communities: boolean }

export function toProfile(config: Config, row: ProfileRow, { requester, communities }: View): Profile {
  return toPublicProfile(config, row.id, row, { requester, tips: communities ? shownTips(row) : undefined })
}

type Tips = { numLive: number; numWinning: number }

export function toPublicProfile(
  config: Config,
  id: number,
  row: PublicProfileRow,
  { requester, tips }: { requester: boolean; tips: Tips | undefined },
): Profile {
  return {
    id,
    name: row.name ?? defaultName(id),
    biography: row.biography,
    picture: pictureAddress(config, row.picture),
    createdDateTimeZoned: row.created_at,
    numFollowings: row.num_followings,
    numFollowers: row.num_followers,
    isFlagged: requester ? Boolean(row.is_flagged) : undefined,
    isFollowed: requester ? Boolean(row.is_followed) : undefined,
    communities: tips === undefined ? undefined : { comments: { type: 'tip', ...tips } },
  }
}

/** The comments of an inactive profile are never shown; its owner reads 0 too. */
function shownTips({ status, num_live, num_winning }: ProfileRow): Tips {
  return status === 'A' ? { numLive: num_live, numWinning: num_winning } : { numLive: 0, numWinning: 0 }
}

/** A path of this service; absolute if PUBLIC_URL is set. */
export function pictureAddress(config: Config, key: string | null): string {
  return (config.public.url ?? '') + (key === null ? config.pictures.default : `/pictures/${key}`)
}

/** Unique because ids are, and no customer can take a name of this form. Never derived from the account's name. */
export function defaultName(id: number): string {
  return `player-${id}`
}
