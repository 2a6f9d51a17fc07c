import { MAX_HIDDEN } from '../../../src/mutes/mute.ts'
import type { TestService } from '../../harness/service.ts'
import type { Cases, OperationCase } from './case.ts'
import { idFaults } from './profiles.ts'

type Kind = 'mutes' | 'blocks'

const PATH = '/v1/profiles/me'

/** The caller has muted or blocked the other. */
async function hidden(service: TestService, kind: Kind) {
  const [caller, other] = [await service.member(), await service.member()]
  const path = `${PATH}/${kind}/${other.profileId}`
  await service.call('PUT', path, { ticket: caller.ticket })
  return { path, ticket: caller.ticket }
}

const NUMBERS = `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${MAX_HIDDEN})`

/** As many as there may be, of profiles that do not exist. */
async function full(service: TestService, kind: Kind) {
  const [caller, other] = [await service.member(), await service.member()]
  const { database } = service.context
  if (kind === 'mutes') {
    await database.script(`insert into profile_mute (profile_id, other_id, created_at, until)
      ${NUMBERS} select ${caller.profileId}, 900000000 + i, 1, 9007199254740991 from n`)
  } else {
    await database.script(`insert into profile_block (profile_id, other_id, own, created_at)
      ${NUMBERS} select ${caller.profileId}, 900000000 + i, 1, 1 from n`)
  }
  return { path: `${PATH}/${kind}/${other.profileId}`, ticket: caller.ticket, faultName: 'id' }
}

function put(kind: Kind): OperationCase {
  const badHours = (hours: string) => async (service: TestService) => {
    const [caller, other] = [await service.member(), await service.member()]
    return { path: `${PATH}/mutes/${other.profileId}?hours=${hours}`, ticket: caller.ticket, faultName: 'hours' }
  }
  const { invalid, ...idsOnly } = idFaults((id) => `${PATH}/${kind}/${id}`, true)
  return {
    success: async (service) => {
      const [caller, other] = [await service.customer(), await service.member()]
      return { path: `${PATH}/${kind}/${other.profileId}`, ticket: caller.ticket }
    },
    faults: {
      ...idsOnly,
      invalid: [invalid ?? [], kind === 'mutes' ? ['0', '8761', '1.5', '-1', 'x', ''].map(badHours) : []].flat(2),
      hideSelf: async (service) => {
        const own = await service.member()
        return { path: `${PATH}/${kind}/${own.profileId}`, ticket: own.ticket, faultName: 'id' }
      },
      tooManyHidden: (service) => full(service, kind),
    },
  }
}

function remove(kind: Kind): OperationCase {
  return { success: (service) => hidden(service, kind), faults: idFaults((id) => `${PATH}/${kind}/${id}`, true) }
}

function list(kind: Kind): OperationCase {
  const refused = (query: string, faultName: string) => async (service: TestService) => ({
    path: `${PATH}/${kind}?${query}`,
    ticket: (await service.customer()).ticket,
    faultName,
  })
  return {
    success: async (service) => ({ ...(await hidden(service, kind)), path: `${PATH}/${kind}?communities=Y` }),
    faults: { invalid: [refused('communities=y', 'communities'), refused('blockSize=101', 'blockSize|blockNum')] },
  }
}

export const muteCases: Cases = {
  getMyMutes: list('mutes'),
  muteProfile: put('mutes'),
  unmuteProfile: remove('mutes'),
  getMyBlocks: list('blocks'),
  blockProfile: put('blocks'),
  unblockProfile: remove('blocks'),
}
