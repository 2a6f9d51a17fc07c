import { Readable } from 'node:stream'
import type { Context } from '../context.ts'
import { findCustomer } from '../customers/customer.ts'
import {
  commentFlagsHeld,
  erasePersonalData,
  followersHeld,
  followingsHeld,
  type HeldList,
  type HeldRow,
  hiddenFollowersHeld,
  profileFlagsHeld,
  sessionTimesOf,
} from '../customers/personal-data.ts'
import type { Database } from '../database/database.ts'
import { decisionsOn } from '../moderation/store.ts'
import { NOBODY } from '../profiles/profile.ts'
import { profileById, profileOfCustomer } from '../profiles/store.ts'
import { noCustomer, toCustomer } from './customers.ts'
import { toContent, toDecision } from './moderation.ts'
import { type OperatorOperation, operatorOperation } from './operation.ts'

export const personalDataOperations: OperatorOperation[] = [
  operatorOperation({
    name: 'exportPersonalData',
    summary: 'All that is held of a customer',
    method: 'GET',
    path: '/customers/{id}/personal-data',
    role: 'admin',
    async handle(context, { path }) {
      const id = Number(path.id)
      const profileId = (await context.database.one(profileOfCustomer, [id]))?.id ?? null
      const head = await readHead(context, id, profileId)
      return { status: 200, body: Readable.from(written(context.database, head, profileId)) }
    },
  }),
  operatorOperation({
    name: 'erasePersonalData',
    summary: 'Erase a customer’s log-in, profile text and picture, and end its sessions; ids and follows stay',
    method: 'DELETE',
    path: '/customers/{id}/personal-data',
    role: 'admin',
    async handle(context, { path }) {
      if (!(await erasePersonalData(context, Number(path.id)))) throw noCustomer(path.id)
      return { status: 204 }
    },
  }),
]

async function readHead(context: Context, customerId: number, profileId: number | null): Promise<object> {
  const { database } = context
  const customer = await findCustomer(database, customerId)
  if (customer === undefined) throw noCustomer(customerId)
  const sessions = await database.query(sessionTimesOf, [customerId])
  return {
    customer: toCustomer(customer),
    sessions: {
      count: sessions.length,
      items: sessions.map((row) => ({
        createdAt: isoTime(row.created_at),
        lastUsedAt: isoTime(row.used_at),
        expiresAt: isoTime(row.expires_at),
      })),
    },
    profile: profileId === null ? null : await readProfile(context, profileId),
    decisions: profileId === null ? [] : (await database.query(decisionsOn, ['profile', profileId])).map(toDecision),
  }
}

async function readProfile({ config, database }: Context, id: number): Promise<object | null> {
  const row = await database.one(profileById, [id, NOBODY])
  if (row === undefined) return null
  return { id: String(row.id), ...toContent(config, row), createdAt: isoTime(row.created_at) }
}

type Section = { name: string; parts: { list: HeldList; item: (row: HeldRow) => object }[] }

const follow = (row: HeldRow) => ({ profileId: String(row.other_id), since: isoTime(row.at) })
const flag = (kind: string) => (row: HeldRow) => ({ kind, id: String(row.other_id), at: isoTime(row.at) })

/** The lists that can be long. */
const SECTIONS: readonly Section[] = [
  { name: 'followings', parts: [{ list: followingsHeld, item: follow }] },
  {
    name: 'followers',
    parts: [
      { list: followersHeld, item: follow },
      { list: hiddenFollowersHeld, item: follow },
    ],
  },
  {
    name: 'flags',
    parts: [
      { list: profileFlagsHeld, item: flag('profile') },
      { list: commentFlagsHeld, item: flag('comment') },
    ],
  },
]

const BATCH = 1000

/** One JSON object, written as it is read: somebody with a million followers takes time, not memory. */
async function* written(database: Database, head: object, profileId: number | null): AsyncGenerator<string> {
  yield JSON.stringify(head).slice(0, -1)
  for (const { name, parts } of SECTIONS) {
    let before = `,"${name}":[`
    for (const { list, item } of profileId === null ? [] : parts) {
      for await (const row of rowsOf(database, list, profileId as number)) {
        yield before + JSON.stringify(item(row))
        before = ','
      }
    }
    yield before === ',' ? ']' : `${before}]`
  }
  yield '}'
}

async function* rowsOf(database: Database, list: HeldList, profileId: number): AsyncGenerator<HeldRow> {
  for (let after = 0; ; ) {
    const rows = await database.query(list, [profileId, after, BATCH])
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < BATCH) return
    after = last.key
  }
}

function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
