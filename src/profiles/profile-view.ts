// A profile's row as answers show it.

import type { Config } from '../config/config.ts'
import type { Profile } from './shapes.ts'
import type { FaceRow, ProfileRow } from './store.ts'

export type View = { requester: boolean; communities: boolean }

export function toProfile(config: Config, row: ProfileRow, { requester, communities }: View): Profile {
  return toFace(config, row.id, row, { requester, tips: communities ? shownTips(row) : undefined })
}

type Tips = { numLive: number; numWinning: number }

export function toFace(
  config: Config,
  id: number,
  row: FaceRow,
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

/** The comments of an inactive profile are not shown, to nobody, so that its owner reads 0. */
function shownTips({ status, num_live, num_winning }: ProfileRow): Tips {
  return status === 'A' ? { numLive: num_live, numWinning: num_winning } : { numLive: 0, numWinning: 0 }
}

/** A path of this service, absolute where the operator said under which address clients reach it. */
export function pictureAddress(config: Config, key: string | null): string {
  return (config.public.url ?? '') + (key === null ? config.pictures.default : `/pictures/${key}`)
}

/** Unique because ids are, and nobody else may take a name of this form. Never made from the account's name. */
export function defaultName(id: number): string {
  return `player-${id}`
}
