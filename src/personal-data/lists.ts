// The lists of a customer's data that can be long.

import type { Database } from '../database/database.ts'
import { isoTime } from '../runtime/iso-time.ts'
import {
  type BetData,
  betsBatch,
  type CommentData,
  commentFlagsBatch,
  commentsBatch,
  type DataList,
  type DataRow,
  followersBatch,
  followingsBatch,
  hiddenFollowersBatch,
  likesBatch,
  profileFlagsBatch,
} from './store.ts'

type Owner = 'customer' | 'profile'
type Part = { list: DataList<{ key: number }>; toItem: (row: { key: number }) => object }

/** Checks that `toItem` takes the rows that the list reads, then drops their type. */
function part<Row extends { key: number }>(list: DataList<Row>, toItem: (row: Row) => object): Part {
  return { list, toItem } as unknown as Part
}

const toFollow = (row: DataRow) => ({ profileId: String(row.other_id), since: isoTime(row.at) })
const toLike = (row: DataRow) => ({ commentId: String(row.other_id), at: isoTime(row.at) })
const toFlag = (kind: string) => (row: DataRow) => ({ kind, id: String(row.other_id), at: isoTime(row.at) })

function toComment({ key, at, other_id, bet_id, text, state }: CommentData) {
  return { id: String(key), at: isoTime(at), outcomeId: String(other_id), betId: String(bet_id), text, state }
}

function toBet({ key, at, outcome_ids }: BetData) {
  return { id: String(key), placedAt: isoTime(at), outcomeIds: outcome_ids.split(',') }
}

const LISTS: readonly { name: string; owner: Owner; parts: Part[] }[] = [
  { name: 'bets', owner: 'customer', parts: [part(betsBatch, toBet)] },
  { name: 'followings', owner: 'profile', parts: [part(followingsBatch, toFollow)] },
  {
    name: 'followers',
    owner: 'profile',
    parts: [part(followersBatch, toFollow), part(hiddenFollowersBatch, toFollow)],
  },
  { name: 'comments', owner: 'profile', parts: [part(commentsBatch, toComment)] },
  { name: 'likes', owner: 'profile', parts: [part(likesBatch, toLike)] },
  {
    name: 'flags',
    owner: 'profile',
    parts: [part(profileFlagsBatch, toFlag('profile')), part(commentFlagsBatch, toFlag('comment'))],
  },
]

const BATCH = 1000

/** `profile` is null where the customer has none. */
type Owners = { customer: number; profile: number | null }

/**
 * One JSON object: the members of `head`, then the lists. Written while they are read: a customer with a million followers
 * takes time, not memory.
 */
export async function* jsonWithLists(database: Database, head: object, owners: Owners): AsyncGenerator<string> {
  yield JSON.stringify(head).slice(0, -1)
  for (const { name, owner, parts } of LISTS) {
    const id = owners[owner]
    let before = `,"${name}":[`
    for (const { list, toItem } of id === null ? [] : parts) {
      for await (const row of rowsOf(database, list, id as number)) {
        yield before + JSON.stringify(toItem(row))
        before = ','
      }
    }
    yield before === ',' ? ']' : `${before}]`
  }
  yield '}'
}

async function* rowsOf(database: Database, list: Part['list'], owner: number): AsyncGenerator<{ key: number }> {
  for (let after = 0; ; ) {
    const rows = await database.query(list, { owner, after, limit: BATCH })
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < BATCH) return
    after = last.key
  }
}
