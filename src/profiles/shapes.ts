import {
  attribute,
  child,
  document,
  element,
  optional,
  record,
  sequence,
  type Value,
} from '../http/representation/shape.ts'

const communities = child(
  record({
    comments: child(record({ type: attribute('text'), numLive: element('integer'), numWinning: element('integer') })),
  }),
)

export const base = {
  id: attribute('integer'),
  name: element('text'),
  biography: element('text'),
  picture: element('text'),
  createdDateTimeZoned: element('dateTime'),
  numFollowings: element('integer'),
  numFollowers: element('integer'),
} as const

/** What the requester did; present when a ticket was sent. */
export const requester = { isFlagged: optional(element('yesNo')), isFollowed: optional(element('yesNo')) } as const

export const profile = record({ ...base, ...requester, communities: optional(communities) })
const myProfile = record({ ...base, communities: optional(communities) })
const updatedProfile = record(base)
const unfollowedProfile = record({ id: attribute('integer'), status: element('status') })
const rankedProfile = record({
  rank: attribute('integer'),
  ...base,
  ...requester,
  communities: optional(communities),
})
const followEntry = record({
  relationship: attribute('text'),
  ...base,
  ...requester,
  status: optional(element('status')),
  communities: optional(communities),
})

export function profilesDocument<N extends Parameters<typeof sequence>[1]>(item: string, node: N) {
  return document('whoProfiles', sequence(item, node, 'entries'))
}

export const profiles = profilesDocument('profile', profile)
export const myProfiles = profilesDocument('profile', myProfile)
export const updatedProfiles = profilesDocument('profile', updatedProfile)
export const unfollowedProfiles = profilesDocument('profile', unfollowedProfile)
export const rankedProfiles = profilesDocument('profile', rankedProfile)
export const follows = profilesDocument('follow', sequence('profile', followEntry, 'entries'))

export type Profile = Value<typeof profile>
export type FollowEntry = Value<typeof followEntry>
export type RankedProfile = Value<typeof rankedProfile>
