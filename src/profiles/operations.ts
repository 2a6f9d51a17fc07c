import type { DeclaredFaults } from '../faults.ts'
import { flagText } from '../flags/parameters.ts'
import { type Operation, operationWith } from '../http/operations/operation.ts'
import {
  blockParameters,
  normalisedText,
  type Parameter,
  pathId,
  queryChoice,
  queryYesNo,
} from '../http/requests/parameters.ts'
import { nameLook } from '../text-rules/name-look.ts'
import type { ProfilesContext } from './context.ts'
import {
  flagProfile,
  followProfile,
  latestFollowPairs,
  listFollows,
  listOwnFollows,
  unfollowProfile,
} from './follow.ts'
import { removeOwnPicture, setOwnPicture } from './picture.ts'
import { ensureProfile, getOwnProfile, getProfile, updateOwnProfile, viewerOf } from './profile.ts'
import { follows, myProfiles, profiles, rankedProfiles, unfollowedProfiles, updatedProfiles } from './shapes.ts'

const id = pathId('id of the profile')

export const communities = queryYesNo('Y adds the number of live and winning tips to each profile')

/** Overriding and embedding marks could make a name look like another. */
const BIDIRECTIONAL_MARKS = /[\u202a-\u202e\u2066-\u2069]/

function profileText(meaning: string, range: { least: number; most: number }): Parameter<string | null> {
  return {
    from: 'query or header',
    meaning,
    absent: null,
    blank: 'value',
    parse(raw) {
      const text = normalisedText(raw, range)
      if (text === undefined || BIDIRECTIONAL_MARKS.test(text)) return undefined
      return range.least > 0 && nameLook(text) === '' ? undefined : text
    },
    faultName: 'name|biography',
    schema: { type: 'string', minLength: range.least, maxLength: range.most },
  }
}

const ID_FAULTS: DeclaredFaults = { noProfile: 'id' }

const operation = operationWith<ProfilesContext>()

function followsOperation(list: 'followers' | 'followings', name: string, summary: string): Operation<ProfilesContext> {
  return operation({
    name,
    summary,
    route: `GET /v1/profiles/{id}/${list}`,
    mayBeStale: true,
    ticket: 'optional',
    parameters: { id, communities, ...blockParameters },
    answer: { status: 200, document: profiles, mayBeEmpty: true },
    faults: ID_FAULTS,
    handle: (context, { caller, parameters }) =>
      listFollows(context, list, { id: parameters.id, customerId: caller.customerId }, parameters),
  })
}

function ownFollowsOperation(list: 'followers' | 'followings', name: string, what: string): Operation<ProfilesContext> {
  return operation({
    name,
    summary: `${what}; the call that creates the profile answers with its data`,
    route: `GET /v1/profiles/me/${list}`,
    mayBeStale: true,
    ticket: 'required',
    parameters: { communities, ...blockParameters },
    answer: { status: 200, document: profiles, mayBeEmpty: true },
    handle: async (context, { caller, parameters }) =>
      listOwnFollows(context, list, await ensureProfile(context, caller.customerId), parameters),
  })
}

export const profileOperations: Operation<ProfilesContext>[] = [
  operation({
    name: 'getProfile',
    summary: 'A profile by id',
    route: 'GET /v1/profiles/{id}',
    mayBeStale: true,
    ticket: 'optional',
    parameters: { id, communities },
    answer: { status: 200, document: profiles },
    faults: ID_FAULTS,
    handle: (context, { caller, parameters }) =>
      getProfile(context, parameters.id, caller.customerId, parameters.communities),
  }),
  operation({
    name: 'flagProfile',
    summary: 'Flag a profile for moderators',
    route: 'PUT /v1/profiles/{id}/flag',
    ticket: 'required',
    parameters: { id, ...flagText },
    faults: { ...ID_FAULTS, flagSelf: 'id' },
    handle: (context, { caller, parameters }) => flagProfile(context, caller.customerId, parameters.id, parameters),
  }),
  followsOperation('followers', 'getFollowers', 'The followers of a profile, newest follow first'),
  followsOperation('followings', 'getFollowings', 'The profiles that a profile follows, newest follow first'),
  operation({
    name: 'getMyProfile',
    summary: 'The caller’s own profile, created if absent',
    route: 'GET /v1/profiles/me',
    mayBeStale: true,
    ticket: 'required',
    parameters: { communities },
    answer: { status: 200, document: myProfiles },
    async handle(context, { caller, parameters }) {
      const own = await ensureProfile(context, caller.customerId)
      return [await getOwnProfile(context, own.id, parameters.communities)]
    },
  }),
  operation({
    name: 'updateMyProfile',
    summary: 'Change the caller’s name or biography',
    route: 'PUT /v1/profiles/me',
    ticket: 'required',
    parameters: {
      name: profileText('public name, 1 to 30 characters', { least: 1, most: 30 }),
      biography: {
        ...profileText('public biography, up to 140 characters, with up to 10 line feeds', { least: 0, most: 140 }),
        lines: true,
      },
    },
    answer: { status: 200, document: updatedProfiles },
    faults: { nameTaken: 'name', ancillary: ['name', 'biography'], inappropriate: ['name', 'biography'] },
    handle: async (context, { caller, parameters }) => [await updateOwnProfile(context, caller.customerId, parameters)],
  }),
  ownFollowsOperation('followers', 'getMyFollowers', 'The caller’s followers'),
  operation({
    name: 'followProfile',
    summary: 'Follow a profile',
    route: 'POST /v1/profiles/me/followings/{id}',
    alsoAt: ['/v1/profiles/me/followers/{id}'],
    repeatable: true,
    ticket: 'required',
    parameters: { id },
    faults: { ...ID_FAULTS, followSelf: 'id' },
    handle: (context, { caller, parameters }) => followProfile(context, caller.customerId, parameters.id),
  }),
  operation({
    name: 'unfollowProfile',
    summary: 'Stop following a profile',
    route: 'DELETE /v1/profiles/me/followings/{id}',
    alsoAt: ['/v1/profiles/me/followers/{id}'],
    ticket: 'required',
    parameters: { id },
    answer: { status: 200, document: unfollowedProfiles },
    faults: ID_FAULTS,
    handle: async (context, { caller, parameters }) => [
      await unfollowProfile(context, caller.customerId, parameters.id),
    ],
  }),
  ownFollowsOperation('followings', 'getMyFollowings', 'The profiles that the caller follows'),
  operation({
    name: 'getLatestFollowers',
    summary: 'The 20 latest follows across all profiles',
    route: 'GET /v1/profiles/followers/latestFollowers',
    mayBeStale: true,
    ticket: 'required',
    keyInQuery: true,
    parameters: { communities },
    answer: { status: 200, document: follows, mayBeEmpty: true },
    handle: (context, { caller, parameters }) => latestFollowPairs(context, caller.customerId, parameters.communities),
  }),
  operation({
    name: 'getMostFollowedProfiles',
    summary: 'The 20 most followed profiles, of all time or of the last days',
    route: 'GET /v1/profiles/followers/mostFollowed',
    mayBeStale: true,
    ticket: 'optional',
    keyInQuery: true,
    parameters: { communities, numDays: queryChoice('days to look back; 0 is all time', ['30', '7', '1', '0'], '0') },
    answer: { status: 200, document: rankedProfiles, mayBeEmpty: true },
    async handle(context, { caller, parameters }) {
      const viewer = await viewerOf(context, caller.customerId)
      const view = { requester: caller.customerId !== null, communities: parameters.communities }
      return context.mostFollowed.read(context.database, Number(parameters.numDays), viewer, view)
    },
  }),
  operation({
    name: 'setMyPicture',
    summary: 'Upload the caller’s picture: the body is a jpg, gif or png of up to 10 MB',
    route: 'PUT /v1/profiles/me/picture',
    ticket: 'required',
    body: 'picture',
    answer: { status: 200, document: updatedProfiles },
    faults: { tooLarge: null, notAnImage: null },
    handle: async (context, { caller, body }) => [await setOwnPicture(context, caller.customerId, body)],
  }),
  operation({
    name: 'removeMyPicture',
    summary: 'Return to the default picture',
    route: 'DELETE /v1/profiles/me/picture',
    ticket: 'required',
    answer: { status: 200, document: updatedProfiles },
    handle: async (context, { caller }) => [await removeOwnPicture(context, caller.customerId)],
  }),
]
