// Parse Server: REST on classes of objects. A request has the application's id and key, and no session.

import { httpRequest } from '../load.ts'
import { NODE_OPTIONS, pathOf, start } from '../processes.ts'
import { runAll } from './database.ts'
import { FILL_PARSE, MOVE_OUR_TABLES, REMOVE_OUR_TABLES } from './fill-sql.ts'
import type { Peer } from './peer.ts'

const HEADERS = {
  'x-parse-application-id': 'bench',
  'x-parse-rest-api-key': 'bench-rest-key',
  accept: 'application/json',
}

const pointer = (className: string, objectId: string | undefined) => ({ __type: 'Pointer', className, objectId })

function find(className: string, where: object, options: Record<string, string>): Buffer {
  const query = new URLSearchParams({ where: JSON.stringify(where), limit: '20', order: '-createdAt', ...options })
  return httpRequest(`/parse/classes/${className}?${query}`, HEADERS)
}

function send(method: string, path: string, body: object): Buffer {
  return httpRequest(
    `/parse/classes/${path}`,
    { ...HEADERS, 'content-type': 'application/json' },
    method,
    JSON.stringify(body),
  )
}

function addLikes(tip: string | undefined, amount: number): Buffer {
  return send('PUT', `Tip/${tip}`, { numLikes: { __op: 'Increment', amount } })
}

/** By the handler of the baseline. */
const REQUESTS: Record<string, (...values: string[]) => Buffer> = {
  profile: (id) => httpRequest(`/parse/classes/Profile/${id}`, HEADERS),
  followers: (id) =>
    find('Follow', { followee: pointer('Profile', id), shown: true }, { include: 'follower', keys: 'follower' }),
  tipsOf: (id) => find('Tip', { author: pointer('Profile', id), listed: 'A' }, { include: 'outcome' }),
  feed: (reader) => {
    const followings = { className: 'Follow', where: { follower: pointer('Profile', reader), shown: true } }
    return find(
      'Tip',
      { listed: 'A', author: { $select: { query: followings, key: 'followee' } } },
      { include: 'outcome' },
    )
  },
  like: (_, tip) => addLikes(tip, 1),
  unlike: (_, tip) => addLikes(tip, -1),
  createTip: (author, outcome, bet) =>
    send('POST', 'Tip', {
      author: pointer('Profile', author),
      outcome: pointer('Outcome', outcome),
      betId: Number(bet),
      text: 'Travels well and stays further',
      listed: 'A',
      numLikes: 0,
    }),
  follow: (follower, followee) =>
    send('POST', 'Follow', {
      objectId: `${follower}-${followee}`,
      follower: pointer('Profile', follower),
      followee: pointer('Profile', followee),
      shown: true,
    }),
  unfollow: (follower, followee) => httpRequest(`/parse/classes/Follow/${follower}-${followee}`, HEADERS, 'DELETE'),
}

type Item = { objectId: string; follower?: { objectId: string } }

export const parse: Peer = {
  name: 'parse',
  title: 'Parse Server',
  package: 'parse-server',
  request: (handler, values) => REQUESTS[handler]?.(...values) ?? null,
  isExpected: (status) => status === 200 || status === 201,
  ids(answer) {
    const { results = [answer as Item] } = answer as { results?: Item[] }
    return results.map(({ objectId, follower }) => follower?.objectId ?? objectId)
  },
  async start(url, log) {
    await runAll(url, MOVE_OUR_TABLES)
    log('Parse Server: starting')
    const server = await start([...NODE_OPTIONS, pathOf('peers/parse-server.js'), url], { NODE_ENV: 'production' })
    log('Parse Server: copying the rows')
    await runAll(url, [...FILL_PARSE, ...REMOVE_OUR_TABLES])
    return server
  },
}
