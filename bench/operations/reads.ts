import { celebrity, profileAtPlace, readerOf, type Size } from '../data/sizes.ts'
import { type Call, dice, type Operation } from './operation.ts'

/** How many customers ask: enough that more than one ticket is in use, few enough that all are known after a second. */
const VIEWERS = 100

type Asked = { size: Size; tips: readonly number[]; roll: (below: number) => number }

function read(
  name: string,
  what: string,
  kind: 'point' | 'list',
  ask: (asked: Asked) => Omit<Call, 'method'>,
  more: Partial<Operation> = {},
): Operation {
  return {
    name,
    what,
    kind,
    due: kind === 'point' ? 0.8 : 0.9,
    level: true,
    writes: false,
    calls({ size, samples }) {
      const asked = { size, tips: samples.tips, roll: dice(7) }
      return () => ask(asked)
    },
    ...more,
  }
}

/** Odd ids are always active. */
const someProfile = ({ size, roll }: Asked) => 1 + 2 * roll(size.profiles / 2)
const someViewer = ({ size, roll }: Asked) => 1 + roll(Math.min(VIEWERS, size.makers))
/** One of the most popular hundredth, all with 20 followers and tips or more. */
const somebodyPopular = ({ size, roll }: Asked) => profileAtPlace(size, 2 * roll(Math.max(1, size.profiles / 200)))

function profile(accept: 'json' | 'xml', ticket: boolean) {
  return (asked: Asked): Call => {
    const id = someProfile(asked)
    const viewer = someViewer(asked)
    const call = { path: `/v1/profiles/${id}`, accept, floor: `/profile/${id}/${ticket ? viewer : 0}` }
    return ticket ? { ...call, customer: viewer } : call
  }
}

function followers(accept: 'json' | 'xml') {
  return (asked: Asked): Call => {
    const id = somebodyPopular(asked)
    const customer = someViewer(asked)
    return { path: `/v1/profiles/${id}/followers`, customer, accept, floor: `/followers/${id}/${customer}/20/0` }
  }
}

function tipsOf(accept: 'json' | 'xml') {
  return (asked: Asked): Call => {
    const id = somebodyPopular(asked)
    const customer = someViewer(asked)
    const path = `/v1/communities/comments/profiles/${id}?status=A`
    return { path, customer, accept, floor: `/tipsOf/${id}/${customer}` }
  }
}

export const profileWithTicket = read('profile-ticket', 'profile by id, with ticket', 'point', profile('json', true))

export const reads: Operation[] = [
  read('profile', 'profile by id, anonymous', 'point', profile('json', false)),
  read('profile-xml', 'profile by id, anonymous, XML', 'point', profile('xml', false)),
  profileWithTicket,
  read('profile-ticket-xml', 'profile by id, with ticket, XML', 'point', profile('xml', true)),
  read('followers', '20 followers', 'list', followers('json')),
  read('followers-xml', '20 followers, XML', 'list', followers('xml')),
  read(
    'followers-page-100',
    'page 100 of followers',
    'list',
    (asked) => {
      const id = celebrity(asked.size)
      const customer = someViewer(asked)
      const path = `/v1/profiles/${id}/followers?blockSize=20&blockNum=99`
      return { path, customer, floor: `/followers/${id}/${customer}/20/1980` }
    },
    { level: false, mayBeEmpty: true },
  ),
  read('most-followed', 'most followed of all time', 'list', (asked) => {
    const customer = someViewer(asked)
    return { path: '/v1/profiles/followers/mostFollowed?numDays=0', customer, floor: `/mostFollowed/${customer}` }
  }),
  read(
    'most-followed-30',
    'most followed of 30 days',
    'list',
    (asked) => {
      const customer = someViewer(asked)
      const path = '/v1/profiles/followers/mostFollowed?numDays=30'
      return { path, customer, floor: `/mostFollowedWindow/${customer}/30` }
    },
    { level: false },
  ),
  read('latest-follows', 'latest follows', 'list', (asked) => {
    const customer = someViewer(asked)
    return { path: '/v1/profiles/followers/latestFollowers', customer, floor: `/latestFollows/${customer}` }
  }),
  read('tip', 'tip by id', 'point', (asked) => {
    const id = asked.tips[asked.roll(asked.tips.length)]
    const customer = someViewer(asked)
    return { path: `/v1/communities/comments/${id}`, customer, floor: `/tip/${id}/${customer}` }
  }),
  read('tips-of-profile', 'tips of a profile', 'list', tipsOf('json')),
  read('tips-of-profile-xml', 'tips of a profile, XML', 'list', tipsOf('xml')),
  read('top-outcomes', 'top outcomes', 'list', () => ({
    path: '/v1/communities/comments/outcomes/top',
    floor: '/topOutcomes',
  })),
]

export const FOLLOWINGS = [10, 200, 1_000, 10_000, 20_000]
const ORDERS = ['R', 'L', 'E'] as const
export const BLOCKS = [1, 100]

export const feeds: Operation[] = FOLLOWINGS.flatMap((followings) =>
  ORDERS.flatMap((order, place) => BLOCKS.map((block) => feed(followings, { order, place, block }))),
)

function feed(followings: number, { order, place, block }: { order: string; place: number; block: number }): Operation {
  return {
    name: `feed-${followings}-${order}-${block}`,
    what: `home feed, ${followings.toLocaleString('en')} followings, ${order}, block ${block}`,
    kind: 'list',
    due: 0.9,
    level: block === 1,
    writes: false,
    mayBeEmpty: block > 1,
    calls({ size }) {
      const customer = readerOf(size, followings)
      if (customer === undefined) return undefined
      const path = `/v1/communities/comments/profiles/me/followings?status=A&sortOrder=${order}&blockNum=${block}`
      return () => ({ path, customer, floor: `/feed/${customer}/${place}/${block}` })
    },
  }
}
