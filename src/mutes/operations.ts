import type { CommunitiesContext } from '../communities/context.ts'
import type { DeclaredFaults } from '../faults.ts'
import { type Operation, operationWith } from '../http/operations/operation.ts'
import { blockParameters, type Parameter, parseDigits, pathId } from '../http/requests/parameters.ts'
import { communities } from '../profiles/operations.ts'
import { profiles, unfollowedProfiles } from '../profiles/shapes.ts'
import { blockProfile, listHidden, muteProfile, unblockProfile, unmuteProfile } from './mute.ts'

const id = pathId('id of the profile')

const MAX_HOURS = 8_760

const hours: Parameter<number | null> = {
  from: 'query',
  meaning: 'after how many hours the mute ends; without it, when it is taken back',
  absent: null,
  blank: 'value',
  parse(raw) {
    const value = parseDigits(raw)
    return value !== undefined && value >= 1 && value <= MAX_HOURS ? value : undefined
  },
  schema: { type: 'integer', minimum: 1, maximum: MAX_HOURS },
}

const shared = { extension: true, ticket: 'required' } as const

const ID_FAULTS: DeclaredFaults = { noProfile: 'id' }
const PUT_FAULTS: DeclaredFaults = { ...ID_FAULTS, hideSelf: 'id', tooManyHidden: 'id' }

const operation = operationWith<CommunitiesContext>()

export const muteOperations: Operation<CommunitiesContext>[] = [
  operation({
    ...shared,
    name: 'muteProfile',
    summary:
      'Mute a profile: its tips leave the caller’s home feed, and what it does is no longer notified; the profile does not notice',
    route: 'PUT /v1/profiles/me/mutes/{id}',
    parameters: { id, hours },
    faults: PUT_FAULTS,
    handle: (context, { caller, parameters }) => muteProfile(context, caller.customerId, parameters),
  }),
  operation({
    ...shared,
    name: 'getMyMutes',
    summary: 'The profiles that the caller has muted, newest first',
    route: 'GET /v1/profiles/me/mutes',
    mayBeStale: true,
    parameters: { communities, ...blockParameters },
    answer: { status: 200, document: profiles, mayBeEmpty: true },
    handle: (context, { caller, parameters }) => listHidden(context, 'mutes', caller.customerId, parameters),
  }),
  operation({
    ...shared,
    name: 'unmuteProfile',
    summary: 'Take back a mute',
    route: 'DELETE /v1/profiles/me/mutes/{id}',
    parameters: { id },
    answer: { status: 200, document: unfollowedProfiles },
    faults: ID_FAULTS,
    handle: async (context, { caller, parameters }) => [await unmuteProfile(context, caller.customerId, parameters.id)],
  }),
  operation({
    ...shared,
    name: 'blockProfile',
    summary:
      'Block a profile: neither sees, follows, likes or flags the other; ends follows between them, which taking it back does not restore',
    route: 'PUT /v1/profiles/me/blocks/{id}',
    parameters: { id },
    faults: PUT_FAULTS,
    handle: (context, { caller, parameters }) => blockProfile(context, caller.customerId, parameters.id),
  }),
  operation({
    ...shared,
    name: 'getMyBlocks',
    summary: 'The profiles that the caller has blocked, newest first',
    route: 'GET /v1/profiles/me/blocks',
    mayBeStale: true,
    parameters: { communities, ...blockParameters },
    answer: { status: 200, document: profiles, mayBeEmpty: true },
    handle: (context, { caller, parameters }) => listHidden(context, 'blocks', caller.customerId, parameters),
  }),
  operation({
    ...shared,
    name: 'unblockProfile',
    summary: 'Take back a block',
    route: 'DELETE /v1/profiles/me/blocks/{id}',
    parameters: { id },
    answer: { status: 200, document: unfollowedProfiles },
    faults: ID_FAULTS,
    handle: async (context, { caller, parameters }) => [
      await unblockProfile(context, caller.customerId, parameters.id),
    ],
  }),
]
