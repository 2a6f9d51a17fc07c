// Each request writes something new: another pair, another bet. What can be undone is undone by the next request, so
// that every round finds the same data; each connection has writers of its own, so that nobody else undoes its follow.

import { bet, profileWithoutFollowers, type Size } from '../data/sizes.ts'
import { type Call, CONNECTIONS, type Operation, seededRandom } from './operation.ts'

function write(name: string, title: string, calls: Operation['calls'], more: Partial<Operation> = {}): Operation {
  return { name, title, kind: 'write', target: 0.8, sizeIndependent: true, writes: true, calls, ...more }
}

/** Each writer belongs to one connection. */
export function writersInTurn(size: Size, connections = CONNECTIONS): (connection: number) => number {
  const counts: number[] = []
  const perConnection = Math.floor(size.writers / connections)
  return (connection) => {
    const count = (counts[connection] ?? -1) + 1
    counts[connection] = count
    return 1 + (connection % connections) + connections * (count % perConnection)
  }
}

/** A call, then the call that undoes it. */
export function inPairs(nextPair: (connection: number) => [Call, Call]): (connection: number) => Call {
  const waiting: (Call | undefined)[] = []
  return (connection) => {
    const opposite = waiting[connection]
    if (opposite !== undefined) {
      waiting[connection] = undefined
      return opposite
    }
    const [call, undo] = nextPair(connection)
    waiting[connection] = undo
    return call
  }
}

export function follow(customer: number, id: number): [Call, Call] {
  const path = `/v1/profiles/me/followings/${id}`
  return [
    { method: 'POST', path, customer, baselinePath: `/follow/${customer}/${id}` },
    { method: 'DELETE', path, customer, baselinePath: `/unfollow/${customer}/${id}` },
  ]
}

export function like(customer: number, id: number): [Call, Call] {
  const path = `/v1/communities/comments/${id}/like`
  return [
    { method: 'POST', path, customer, baselinePath: `/like/${customer}/${id}` },
    { method: 'DELETE', path, customer, baselinePath: `/unlike/${customer}/${id}` },
  ]
}

export const writes: Operation[] = [
  write(
    'follow',
    'follow and unfollow, random pairs',
    ({ size }, connections) => {
      const nextWriter = writersInTurn(size, connections)
      const random = seededRandom(11)
      return inPairs((connection) => {
        // Odd ids are active; ids above those of the writers, so that nobody follows themselves.
        const id = size.writers + 1 + 2 * random(Math.floor((size.profiles - size.writers) / 2))
        return follow(nextWriter(connection), id)
      })
    },
    { sequenceLength: 2 },
  ),
  write(
    'follow-hot',
    'follow and unfollow, one hot profile',
    ({ size }, connections) => {
      const nextWriter = writersInTurn(size, connections)
      return inPairs((connection) => follow(nextWriter(connection), profileWithoutFollowers(size)))
    },
    { sequenceLength: 2 },
  ),
  write('update-profile', 'update of a profile', ({ size }, connections) => {
    const nextWriter = writersInTurn(size, connections)
    const random = seededRandom(13)
    return (connection) => {
      const customer = nextWriter(connection)
      const text = random(1_000_000)
      const path = `/v1/profiles/me?biography=Each%20way%20only%2C%20number%20${text}`
      return { method: 'PUT', path, customer, baselinePath: `/updateProfile/${customer}/${text}` }
    }
  }),
  write('create-tip', 'create a tip', ({ size }) => {
    let next = 0
    return () => {
      next++
      if (next > size.bets) throw new Error(`all ${size.bets} bets have a tip: use fewer seconds or rounds`)
      const { id, customer, outcome } = bet(size, next)
      const path = `/v1/communities/comments/me/outcomes/${outcome}?betId=${id}&text=Travels%20well%20and%20stays%20further`
      return { method: 'POST', path, customer, baselinePath: `/createTip/${customer}/${outcome}/${id}` }
    }
  }),
  write(
    'like',
    'like and unlike',
    ({ size, samples }, connections) => {
      const nextWriter = writersInTurn(size, connections)
      const random = seededRandom(17)
      return inPairs((connection) => {
        const customer = nextWriter(connection)
        const id = samples.tips[random(samples.tips.length)]
        return like(customer, id as number)
      })
    },
    { sequenceLength: 2 },
  ),
  write(
    'deposit',
    'deposit',
    ({ size }, connections) => {
      const nextWriter = writersInTurn(size, connections)
      return (connection) => {
        const customer = nextWriter(connection)
        const path = `/v1/wallets/me?transactionType=deposit&amount=1.00&id=${customer}&cv2=123`
        return { method: 'POST', path, customer, baselinePath: `/deposit/${customer}` }
      }
    },
    { mustInclude: 'paymentId' },
  ),
]

/** The sandbox's, so that it is measured in the sandbox. */
export const needsGateway = ({ name }: Operation) => name === 'deposit'

/** Not part of `npm run bench`: with 8 connections it says little. */
export const likeHot = write(
  'like-hot',
  'like and unlike, one hot tip',
  ({ size, samples }, connections) => {
    const nextWriter = writersInTurn(size, connections)
    return inPairs((connection) => like(nextWriter(connection), samples.tips[0] as number))
  },
  { sequenceLength: 2 },
)
