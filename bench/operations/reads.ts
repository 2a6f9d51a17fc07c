import { celebrity, profileByPopularity, readerOf, regulars, type Size } from '../data/sizes.ts'
import { type Call, type Operation, seededRandom } from './operation.ts'

/** Customers who send requests: enough that several tickets are in use, few enough that all are cached after a second. */
const VIEWERS = 100

type RequestInput = { size: Size; tips: readonly number[]; random: (below: number) => number }
type Titled = Pick<Operation, 'name' | 'title'> & Partial<Operation> & { kind: 'point' | 'list' }

function read(titled: Titled, callFor: (input: RequestInput) => Omit<Call, 'method'>): Operation {
  return {
    target: titled.kind === 'point' ? 0.8 : 0.9,
    sizeIndependent: true,
    writes: false,
    calls({ size, samples }) {
      const input = { size, tips: samples.tips, random: seededRandom(7) }
      return () => callFor(input)
    },
    ...titled,
  }
}

/** Odd ids are always active. */
const someProfile = ({ size, random }: RequestInput) => 1 + 2 * random(size.profiles / 2)
const someViewer = ({ size, random }: RequestInput) => 1 + random(Math.min(VIEWERS, size.writers))
/** One of the most popular hundredth, each with at least 20 followers and tips. */
const somePopularProfile = ({ size, random }: RequestInput) =>
  profileByPopularity(size, 2 * random(Math.max(1, size.profiles / 200)))

function profile(accept: 'json' | 'xml', ticket: boolean) {
  return (input: RequestInput): Call => {
    const id = someProfile(input)
    const viewer = someViewer(input)
    const call = { path: `/v1/profiles/${id}`, accept, baselinePath: `/profile/${id}/${ticket ? viewer : 0}` }
    return ticket ? { ...call, customer: viewer } : call
  }
}

function followers(accept: 'json' | 'xml') {
  return (input: RequestInput): Call => {
    const id = somePopularProfile(input)
    const customer = someViewer(input)
    return { path: `/v1/profiles/${id}/followers`, customer, accept, baselinePath: `/followers/${id}/${customer}/20/0` }
  }
}

function tipsOf(accept: 'json' | 'xml') {
  return (input: RequestInput): Call => {
    const id = somePopularProfile(input)
    const customer = someViewer(input)
    const path = `/v1/communities/comments/profiles/${id}?status=A`
    return { path, customer, accept, baselinePath: `/tipsOf/${id}/${customer}` }
  }
}

export const profileWithTicket = read(
  { name: 'profile-ticket', title: 'profile by id, with ticket', kind: 'point' },
  profile('json', true),
)

export const anonymousProfile = read(
  { name: 'profile', title: 'profile by id, anonymous', kind: 'point' },
  profile('json', false),
)

/** They have the same profiles as a profile read: nine settled tips and as many open ones, on average. */
export const record = read({ name: 'record', title: 'record of a profile', kind: 'point' }, (input) =>
  recordOf(someProfile(input)),
)

function recordOf(id: number): Call {
  return { path: `/v1/profiles/${id}/record`, baselinePath: `/record/${id}` }
}

const records: Operation[] = [
  record,
  // Their tips on few outcomes count once, so that they have fewer in a smaller set.
  read({ name: 'record-regular', title: 'record of a regular', kind: 'point', sizeIndependent: false }, (input) =>
    recordOf(profileByPopularity(input.size, 2 * input.random(regulars(input.size)))),
  ),
  read({ name: 'record-tips', title: 'tips of a record', kind: 'list' }, (input) => {
    const id = somePopularProfile(input)
    return { path: `/v1/profiles/${id}/record/tips`, baselinePath: `/recordTips/${id}` }
  }),
  // The window in which every size has 20 ranked profiles; tiny has one.
  read({ name: 'record-ranking', title: 'ranking of records', kind: 'list', mayBeEmpty: true }, (input) => {
    const customer = someViewer(input)
    const path = '/v1/profiles/ranking/records?numDays=365'
    return { path, customer, baselinePath: `/recordRanking/${customer}/365` }
  }),
  read({ name: 'log-proofs', title: 'proof of a tip in the log', kind: 'point' }, ({ tips, random }) => {
    const id = tips[random(tips.length)]
    return { path: `/v1/communities/log/proofs/${id}`, baselinePath: `/logProofs/${id}` }
  }),
]

const searches: Operation[] = [
  // All tips of the data set have these words.
  read({ name: 'search-frequent', title: 'search for words of all tips', kind: 'list' }, (input) => {
    const customer = someViewer(input)
    return { path: '/v1/search/comments?q=stays+further', customer, baselinePath: `/searchFrequent/${customer}` }
  }),
  read({ name: 'search-rare', title: 'search for a word of one tip and one of all', kind: 'list' }, (input) => {
    const id = input.tips[input.random(input.tips.length)]
    const customer = someViewer(input)
    const path = `/v1/search/comments?q=price+${id}`
    return { path, customer, baselinePath: `/searchRare/${id}/${customer}` }
  }),
  read({ name: 'search-profiles', title: 'search for a profile by name', kind: 'list' }, (input) => {
    const id = someProfile(input)
    const customer = someViewer(input)
    const path = `/v1/search/profiles?q=tipster+${id}`
    return { path, customer, baselinePath: `/searchProfiles/${id}/${customer}` }
  }),
]

export const reads: Operation[] = [
  anonymousProfile,
  read({ name: 'profile-xml', title: 'profile by id, anonymous, XML', kind: 'point' }, profile('xml', false)),
  profileWithTicket,
  read({ name: 'profile-ticket-xml', title: 'profile by id, with ticket, XML', kind: 'point' }, profile('xml', true)),
  read({ name: 'followers', title: '20 followers', kind: 'list' }, followers('json')),
  read({ name: 'followers-xml', title: '20 followers, XML', kind: 'list' }, followers('xml')),
  read(
    {
      name: 'followers-page-100',
      title: 'page 100 of followers',
      kind: 'list',
      sizeIndependent: false,
      mayBeEmpty: true,
    },
    (input) => {
      const id = celebrity(input.size)
      const customer = someViewer(input)
      const path = `/v1/profiles/${id}/followers?blockSize=20&blockNum=99`
      return { path, customer, baselinePath: `/followers/${id}/${customer}/20/1980` }
    },
  ),
  read({ name: 'most-followed', title: 'most followed of all time', kind: 'list' }, (input) => {
    const customer = someViewer(input)
    return {
      path: '/v1/profiles/followers/mostFollowed?numDays=0',
      customer,
      baselinePath: `/mostFollowed/${customer}`,
    }
  }),
  read(
    { name: 'most-followed-30', title: 'most followed of 30 days', kind: 'list', sizeIndependent: false },
    (input) => {
      const customer = someViewer(input)
      const path = '/v1/profiles/followers/mostFollowed?numDays=30'
      return { path, customer, baselinePath: `/mostFollowedWindow/${customer}/30` }
    },
  ),
  read({ name: 'latest-follows', title: 'latest follows', kind: 'list' }, (input) => {
    const customer = someViewer(input)
    return { path: '/v1/profiles/followers/latestFollowers', customer, baselinePath: `/latestFollows/${customer}` }
  }),
  read({ name: 'tip', title: 'tip by id', kind: 'point' }, (input) => {
    const id = input.tips[input.random(input.tips.length)]
    const customer = someViewer(input)
    return { path: `/v1/communities/comments/${id}`, customer, baselinePath: `/tip/${id}/${customer}` }
  }),
  read({ name: 'tips-of-profile', title: 'tips of a profile', kind: 'list' }, tipsOf('json')),
  read({ name: 'tips-of-profile-xml', title: 'tips of a profile, XML', kind: 'list' }, tipsOf('xml')),
  read({ name: 'top-outcomes', title: 'top outcomes', kind: 'list' }, () => ({
    path: '/v1/communities/comments/outcomes/top',
    baselinePath: '/topOutcomes',
  })),
  ...records,
  ...searches,
]

const FOLLOWINGS = [10, 200, 1_000, 10_000, 20_000]
const ORDERS = ['R', 'L', 'E'] as const
const BLOCKS = [1, 100]

export const feeds: Operation[] = FOLLOWINGS.flatMap((followings) =>
  ORDERS.flatMap((order, orderIndex) => BLOCKS.map((block) => feed(followings, { order, orderIndex, block }))),
)

type FeedQuery = { order: string; orderIndex: number; block: number }

function feed(followings: number, { order, orderIndex, block }: FeedQuery): Operation {
  return {
    name: `feed-${followings}-${order}-${block}`,
    title: `home feed, ${followings.toLocaleString('en')} followings, ${order}, block ${block}`,
    kind: 'list',
    target: 0.9,
    sizeIndependent: block === 1,
    writes: false,
    mayBeEmpty: block > 1,
    calls({ size }) {
      const customer = readerOf(size, followings)
      if (customer === undefined) return undefined
      const path = `/v1/communities/comments/profiles/me/followings?status=A&sortOrder=${order}&blockNum=${block}`
      return () => ({ path, customer, baselinePath: `/feed/${customer}/${orderIndex}/${block}` })
    },
  }
}
