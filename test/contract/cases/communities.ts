import type { TestService } from '../../harness/service.ts'
import { newBet, newMatch, newTip, operatorOk } from '../../harness/sportsbook.ts'
import type { Attempt, Cases, OperationCase } from './case.ts'

const BEYOND = '99999999999999999999999999'
const AT = '/v1/communities/comments'

async function tipped(service: TestService) {
  const [outcome] = await newMatch(service)
  const [author, reader] = [await service.member(), await service.member()]
  await service.call('POST', `/v1/profiles/me/followings/${author.profileId}`, { ticket: reader.ticket })
  const id = await newTip(service, author, outcome!.id)
  return { id, author, reader }
}

/** An open outcome, a customer with a bet on it, and the call that creates a tip on it. */
async function ready(service: TestService, change: { text?: string; communities?: boolean; more?: string } = {}) {
  const sportId = change.communities === false ? 99 : 1
  const [outcome] = await newMatch(service, { sportId, communities: change.communities ?? true })
  const author = await service.member()
  const betId = await newBet(service, author.id, [outcome!.id])
  const text = encodeURIComponent(change.text ?? 'Goes well fresh')
  const path = `${AT}/me/outcomes/${outcome!.id}?betId=${betId}&text=${text}${change.more ?? ''}`
  return { path, ticket: author.ticket, author, outcome: outcome! }
}

/** The faults of a comment's id; `after` is the rest of the path. */
function commentFaults(after: string): OperationCase['faults'] {
  const at = async (service: TestService, id: string) => ({
    path: `${AT}/${id}${after}`,
    ticket: (await service.customer()).ticket,
    faultName: 'id',
  })
  return {
    missing: (service) => at(service, ''),
    invalid: (service) => at(service, '1x'),
    noComment: (service) => at(service, BEYOND),
  }
}

function reaction(after: string): OperationCase {
  return {
    success: async (service) => {
      const { id, reader } = await tipped(service)
      return { path: `${AT}/${id}${after}`, ticket: reader.ticket }
    },
    faults: commentFaults(after),
  }
}

function badFlag(faultName: string, value: string) {
  return async (service: TestService) => {
    const { id, reader } = await tipped(service)
    return { path: `${AT}/${id}/flag?${faultName}=${value}`, ticket: reader.ticket, faultName }
  }
}

/** `of` is the caller: the author for the own list, a reader for the list of followings. */
function ownList(path: string, of: 'author' | 'reader'): OperationCase {
  const as = async (service: TestService): Promise<Attempt> => ({
    path: `${AT}/${path}`,
    ticket: (await tipped(service))[of].ticket,
  })
  return {
    success: async (service) => {
      const { path, ...rest } = await as(service)
      return { ...rest, path: `${path}?status=A` }
    },
    faults: {
      missing: async (service) => ({ ...(await as(service)), faultName: 'status' }),
      invalid: [
        { query: 'blockNum=0', faultName: 'blockSize|blockNum' },
        { query: 'details=y', faultName: 'details' },
      ].map(({ query, faultName }) => async (service: TestService) => {
        const { path, ...rest } = await as(service)
        return { ...rest, path: `${path}?status=A&${query}`, faultName }
      }),
      noProfile: async (service) => ({
        path: `${AT}/${path}?status=A`,
        ticket: (await service.customer()).ticket,
        faultName: undefined,
      }),
    },
  }
}

const EVENTS = '/v1/communities/events'

/** The faults of an event's id; `after` is the rest of the path. */
function eventFaults(after: string): OperationCase['faults'] {
  return {
    missing: async () => ({ path: `${EVENTS}/${after}`, faultName: 'id' }),
    noEvent: async () => ({ path: `${EVENTS}/${BEYOND}${after}`, faultName: 'id' }),
  }
}

export const communityCases: Cases = {
  getEvents: {
    success: async (service) => {
      await newMatch(service)
      return { path: `${EVENTS}?status=upcoming` }
    },
    faults: {
      invalid: ['status=over', 'sportId=x'].map((query) => async () => ({
        path: `${EVENTS}?${query}`,
        faultName: query.split('=')[0],
      })),
    },
  },
  getEvent: {
    success: async (service) => {
      const [outcome] = await newMatch(service)
      return { path: `${EVENTS}/${outcome!.eventId}` }
    },
    faults: {
      ...eventFaults(''),
      invalid: async () => ({ path: `${EVENTS}/1x`, faultName: 'id' }),
    },
  },
  getCommentsByEventId: {
    success: async (service) => {
      const [outcome] = await newMatch(service)
      await newTip(service, await service.member(), outcome!.id)
      return { path: `${EVENTS}/${outcome!.eventId}/comments?details=Y` }
    },
    faults: {
      ...eventFaults('/comments'),
      invalid: [
        async () => ({ path: `${EVENTS}/1x/comments`, faultName: 'id' }),
        async () => ({ path: `${EVENTS}/1/comments?details=y`, faultName: 'details' }),
        async () => ({ path: `${EVENTS}/1/comments?blockNum=0`, faultName: 'blockSize|blockNum' }),
      ],
    },
  },
  getCommentsById: {
    ...reaction(''),
    faults: {
      ...commentFaults(''),
      invalid: [
        async () => ({ path: `${AT}/1x`, faultName: 'id' }),
        async () => ({ path: `${AT}/1?details=y`, faultName: 'details' }),
      ],
    },
  },
  deactivateComment: {
    success: async (service) => {
      const { id, author } = await tipped(service)
      return { path: `${AT}/${id}`, ticket: author.ticket }
    },
    faults: {
      missing: async (service) => ({ path: `${AT}/`, ticket: (await service.customer()).ticket, faultName: 'id' }),
      invalid: async (service) => {
        const { id, reader } = await tipped(service)
        return { path: `${AT}/${id}`, ticket: reader.ticket, faultName: 'id' }
      },
    },
  },
  flagComment: {
    success: async (service) => {
      const { id, reader } = await tipped(service)
      return { path: `${AT}/${id}/flag?reason=false-claim&note=Odds%20were%20shorter`, ticket: reader.ticket }
    },
    faults: {
      ...commentFaults('/flag'),
      invalid: [
        async (service) => ({ path: `${AT}/1x/flag`, ticket: (await service.customer()).ticket, faultName: 'id' }),
        badFlag('reason', 'boring'),
        badFlag('note', 'x'.repeat(301)),
      ],
    },
  },
  unflagComment: reaction('/flag'),
  likeComment: reaction('/like'),
  unlikeComment: reaction('/like'),
  createCommentOnOutcomeId: {
    success: (service) => ready(service, { more: '&linkedId=5&priceNum=7&priceDen=4&startingPrice=Y' }),
    faults: {
      missing: async (service) => {
        const { path, ticket } = await ready(service)
        return { path: path.replace(/&text=.*/, ''), ticket, faultName: 'text' }
      },
      invalid: [
        async (service) => {
          const { path } = await ready(service)
          return { path, ticket: (await service.customer()).ticket, faultName: 'betId' }
        },
        async (service) => ({ ...(await ready(service, { more: '&details=y' })), faultName: 'details' }),
      ],
      ancillary: async (service) => ({ ...(await ready(service, { text: '?!' })), faultName: 'text' }),
      inappropriate: async (service) => ({
        ...(await ready(service, { text: 'what the fuck' })),
        faultName: 'text',
      }),
      outcomeInactive: async (service) => {
        const created = await ready(service)
        await operatorOk(service, 'PATCH', `/markets/${created.outcome.marketId}`, { status: 'suspended' })
        return { ...created, faultName: 'id' }
      },
      sportNotEnabled: async (service) => {
        const created = await ready(service, { communities: false })
        return { ...created, faultName: `${created.outcome.id}` }
      },
      profileInactive: async (service) => {
        const created = await ready(service)
        await operatorOk(service, 'POST', `/moderation/profiles/${created.author.profileId}`, { action: 'deactivate' })
        return { ...created, faultName: '' }
      },
      tipExists: async (service) => {
        const { path, ticket } = await ready(service)
        await service.call('POST', path, { ticket })
        return { path, ticket, faultName: 'betId' }
      },
    },
  },
  getAllCommentbyProfileId: {
    success: async (service) => {
      const { author, reader } = await tipped(service)
      return { path: `${AT}/profiles/${author.profileId}?status=A&sortOrder=L`, ticket: reader.ticket }
    },
    faults: {
      missing: async () => ({ path: `${AT}/profiles/?status=A`, faultName: 'profileId' }),
      invalid: [
        async () => ({ path: `${AT}/profiles/x?status=A`, faultName: 'profileId' }),
        async () => ({ path: `${AT}/profiles/1?status=A&details=y`, faultName: 'details' }),
      ],
      noProfile: async () => ({ path: `${AT}/profiles/${BEYOND}?status=A`, faultName: 'profileId' }),
    },
  },
  getAllMyComments: ownList('profiles/me', 'author'),
  getTopOutcomes: {
    success: async (service) => {
      await tipped(service)
      return { path: `${AT}/outcomes/top` }
    },
    faults: {},
  },
  getAllMyFollowingsComments: ownList('profiles/me/followings', 'reader'),
}
