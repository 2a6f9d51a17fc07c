import type { TestService } from '../../harness/service.ts'
import type { Cases, OperationCase } from './case.ts'

const BEYOND = '99999999999999999999999999'

/** The faults of a profile's id in the path. */
export function idFaults(path: (id: string) => string, ticket: boolean): OperationCase['faults'] {
  const caller = async (service: TestService) => (ticket ? { ticket: (await service.customer()).ticket } : {})
  return {
    missing: async (service) => ({ ...(await caller(service)), path: path(''), faultName: 'id' }),
    invalid: async (service) => ({ ...(await caller(service)), path: path('x1'), faultName: 'id' }),
    noProfile: async (service) => ({ ...(await caller(service)), path: path(BEYOND), faultName: 'id' }),
  }
}

async function followed(service: TestService) {
  const [fan, star] = [await service.member(), await service.member()]
  await service.call('POST', `/v1/profiles/me/followings/${star.profileId}`, { ticket: fan.ticket })
  return { fan, star }
}

const badCommunities = (path: string) => async (service: TestService) => ({
  path: `${path}?communities=y`,
  ticket: (await service.customer()).ticket,
  faultName: 'communities',
})

const badText = (faultName: string, text: string) => async (service: TestService) => ({
  path: `/v1/profiles/me?${faultName}=${encodeURIComponent(text)}`,
  ticket: (await service.customer()).ticket,
  faultName,
})

/** `id` or the query is not valid. */
function badFlag(id: string, query: string) {
  return async (service: TestService) => ({
    path: `/v1/profiles/${id}/flag?${query}`,
    ticket: (await service.customer()).ticket,
    faultName: query.split('=')[0] || 'id',
  })
}

async function upload(service: TestService) {
  const { default: sharp } = await import('sharp')
  const body = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#336699' } })
    .png()
    .toBuffer()
  return { path: '/v1/profiles/me/picture', ticket: (await service.customer()).ticket, body }
}

export const profileCases: Cases = {
  getProfile: {
    success: async (service) => {
      const [reader, read] = [await service.member(), await service.member()]
      return { path: `/v1/profiles/${read.profileId}?communities=Y`, ticket: reader.ticket }
    },
    faults: idFaults((id) => `/v1/profiles/${id}`, false),
  },
  flagProfile: {
    success: async (service) => {
      const [flagger, flagged] = [await service.customer(), await service.member()]
      return { path: `/v1/profiles/${flagged.profileId}/flag?reason=abuse&note=Insults`, ticket: flagger.ticket }
    },
    faults: {
      ...idFaults((id) => `/v1/profiles/${id}/flag`, true),
      invalid: [badFlag('x1', ''), badFlag('1', 'reason=boring'), badFlag('1', `note=${'x'.repeat(301)}`)],
      flagSelf: async (service) => {
        const own = await service.member()
        return { path: `/v1/profiles/${own.profileId}/flag`, ticket: own.ticket, faultName: 'id' }
      },
    },
  },
  getFollowers: {
    success: async (service) => ({ path: `/v1/profiles/${(await followed(service)).star.profileId}/followers` }),
    faults: idFaults((id) => `/v1/profiles/${id}/followers`, false),
  },
  getFollowings: {
    success: async (service) => ({ path: `/v1/profiles/${(await followed(service)).fan.profileId}/followings` }),
    faults: idFaults((id) => `/v1/profiles/${id}/followings`, false),
  },
  getMyProfile: {
    success: async (service) => ({ path: '/v1/profiles/me?communities=Y', ticket: (await service.customer()).ticket }),
    faults: { invalid: badCommunities('/v1/profiles/me') },
  },
  updateMyProfile: {
    success: async (service) => {
      const { id, ticket } = await service.customer()
      return { path: `/v1/profiles/me?name=Name+${id}&biography=Likes+%3Cb%3E+%26+co`, ticket }
    },
    faults: {
      invalid: async (service) => ({
        path: `/v1/profiles/me?name=${'x'.repeat(31)}`,
        ticket: (await service.customer()).ticket,
        faultName: 'name|biography',
      }),
      nameTaken: async (service) => {
        const [first, second] = [await service.customer(), await service.customer()]
        const path = `/v1/profiles/me?name=Taken+${first.id}`
        await service.call('PUT', path, { ticket: first.ticket })
        return { path: path.replace('Taken', 'tAKEN'), ticket: second.ticket, faultName: 'name' }
      },
      ancillary: [badText('name', '!!!'), badText('biography', '!!!')],
      inappropriate: [badText('name', 'what the fuck'), badText('biography', 'what the fuck')],
    },
  },
  getMyFollowers: {
    success: async (service) => ({ path: '/v1/profiles/me/followers', ticket: (await followed(service)).star.ticket }),
    faults: { invalid: badCommunities('/v1/profiles/me/followers') },
  },
  followProfile: {
    success: async (service) => {
      const [fan, star] = [await service.customer(), await service.member()]
      return { path: `/v1/profiles/me/followings/${star.profileId}`, ticket: fan.ticket }
    },
    faults: {
      ...idFaults((id) => `/v1/profiles/me/followings/${id}`, true),
      followSelf: async (service) => {
        const own = await service.member()
        return { path: `/v1/profiles/me/followings/${own.profileId}`, ticket: own.ticket, faultName: 'id' }
      },
    },
  },
  unfollowProfile: {
    success: async (service) => {
      const { fan, star } = await followed(service)
      return { path: `/v1/profiles/me/followings/${star.profileId}`, ticket: fan.ticket }
    },
    faults: idFaults((id) => `/v1/profiles/me/followings/${id}`, true),
  },
  getMyFollowings: {
    success: async (service) => ({ path: '/v1/profiles/me/followings', ticket: (await followed(service)).fan.ticket }),
    faults: { invalid: badCommunities('/v1/profiles/me/followings') },
  },
  getLatestFollowers: {
    success: async (service) => ({
      path: '/v1/profiles/followers/latestFollowers?communities=Y',
      ticket: (await followed(service)).fan.ticket,
    }),
    faults: { invalid: badCommunities('/v1/profiles/followers/latestFollowers') },
  },
  getMostFollowedProfiles: {
    success: async (service) => {
      await followed(service)
      return { path: '/v1/profiles/followers/mostFollowed?numDays=7&communities=Y' }
    },
    faults: {
      invalid: async () => ({ path: '/v1/profiles/followers/mostFollowed?numDays=2', faultName: 'numDays' }),
    },
  },
  setMyPicture: {
    success: upload,
    faults: {
      tooLarge: async (service) => ({
        ...(await upload(service)),
        body: Buffer.alloc(10 * 1024 * 1024 + 1),
        faultName: undefined,
      }),
      notAnImage: async (service) => ({ ...(await upload(service)), body: 'not a picture', faultName: undefined }),
    },
  },
  removeMyPicture: {
    success: async (service) => {
      const { ticket, path, body } = await upload(service)
      await service.call('PUT', path, { ticket, body })
      return { path, ticket }
    },
    faults: {},
  },
}
