// Each request writes: another pair, another bet. What can be undone is undone at once, so that the next round finds the
// same; a connection keeps to makers of its own, so that its follow is its own to take back.

import { bet, type Size, unfollowed } from '../data/sizes.ts'
import { type Call, CONNECTIONS, dice, type Operation } from './operation.ts'

function write(name: string, what: string, calls: Operation['calls'], more: Partial<Operation> = {}): Operation {
  return { name, what, kind: 'write', due: 0.8, level: true, writes: true, calls, ...more }
}

/** Makers in turn, each of one connection only. */
function makersOf(size: Size): (connection: number) => number {
  const turns: number[] = []
  const each = Math.floor(size.makers / CONNECTIONS)
  return (connection) => {
    const turn = (turns[connection] ?? -1) + 1
    turns[connection] = turn
    return 1 + (connection % CONNECTIONS) + CONNECTIONS * (turn % each)
  }
}

/** One thing, then its opposite. */
function inPairs(first: (connection: number) => [Call, Call]): (connection: number) => Call {
  const waiting: (Call | undefined)[] = []
  return (connection) => {
    const opposite = waiting[connection]
    if (opposite !== undefined) {
      waiting[connection] = undefined
      return opposite
    }
    const [call, undo] = first(connection)
    waiting[connection] = undo
    return call
  }
}

function follow(customer: number, id: number): [Call, Call] {
  const path = `/v1/profiles/me/followings/${id}`
  return [
    { method: 'POST', path, customer, floor: `/follow/${customer}/${id}` },
    { method: 'DELETE', path, customer, floor: `/unfollow/${customer}/${id}` },
  ]
}

export const writes: Operation[] = [
  write(
    'follow',
    'follow and unfollow, random pairs',
    ({ size }) => {
      const makers = makersOf(size)
      const roll = dice(11)
      return inPairs((connection) => {
        // Odd, so that it is active; behind the makers, so that nobody follows themselves.
        const id = size.makers + 1 + 2 * roll(Math.floor((size.profiles - size.makers) / 2))
        return follow(makers(connection), id)
      })
    },
    { row: 2 },
  ),
  write(
    'follow-hot',
    'follow and unfollow, one hot profile',
    ({ size }) => {
      const makers = makersOf(size)
      return inPairs((connection) => follow(makers(connection), unfollowed(size)))
    },
    { row: 2 },
  ),
  write('update-profile', 'update of a profile', ({ size }) => {
    const makers = makersOf(size)
    const roll = dice(13)
    return (connection) => {
      const customer = makers(connection)
      const text = roll(1_000_000)
      const path = `/v1/profiles/me?biography=Each%20way%20only%2C%20number%20${text}`
      return { method: 'PUT', path, customer, floor: `/updateProfile/${customer}/${text}` }
    }
  }),
  write('create-tip', 'create a tip', ({ size }) => {
    let next = 0
    return () => {
      next++
      if (next > size.bets) throw new Error(`all ${size.bets} bets are tipped on: ask for fewer seconds or rounds`)
      const { id, customer, outcome } = bet(size, next)
      const path = `/v1/communities/comments/me/outcomes/${outcome}?betId=${id}&text=Travels%20well%20and%20stays%20further`
      return { method: 'POST', path, customer, floor: `/createTip/${customer}/${outcome}/${id}` }
    }
  }),
  write(
    'like',
    'like and unlike',
    ({ size, samples }) => {
      const makers = makersOf(size)
      const roll = dice(17)
      return inPairs((connection) => {
        const customer = makers(connection)
        const id = samples.tips[roll(samples.tips.length)]
        const path = `/v1/communities/comments/${id}/like`
        return [
          { method: 'POST', path, customer, floor: `/like/${customer}/${id}` },
          { method: 'DELETE', path, customer, floor: `/unlike/${customer}/${id}` },
        ]
      })
    },
    { row: 2 },
  ),
  write(
    'deposit',
    'deposit',
    ({ size }) => {
      const makers = makersOf(size)
      return (connection) => {
        const customer = makers(connection)
        const path = `/v1/wallets/me?transactionType=deposit&amount=1.00&id=${customer}&cv2=123`
        return { method: 'POST', path, customer, floor: `/deposit/${customer}` }
      }
    },
    { holds: 'paymentId' },
  ),
]
