import { Readable } from 'node:stream'
import type { Context } from '../context.ts'
import { findCustomer } from '../customers/customer.ts'
import type { CustomerRow } from '../customers/store.ts'
import type { Database } from '../database/database.ts'
import {
  betsHeld,
  commentFlagsHeld,
  commentsHeld,
  decisionsOnCommentsOf,
  erasePersonalData,
  followersHeld,
  followingsHeld,
  type HeldBet,
  type HeldComment,
  type HeldList,
  type HeldRow,
  hiddenFollowersHeld,
  likesHeld,
  profileFlagsHeld,
} from '../personal-data/store.ts'
import { NO_PROFILE } from '../profiles/profile.ts'
import { profileById, profileOfCustomer } from '../profiles/store.ts'
import { readDecisions, toDecision } from '../review/decisions.ts'
import { profileContent } from '../review/subjects.ts'
import { sessionsOfCustomer } from '../sessions/store.ts'
import { toMethod } from '../wallets/method.ts'
import { depositsOfCustomerBefore } from '../wallets/reports-store.ts'
import { methodsOfCustomer } from '../wallets/store.ts'
import { walletOf } from '../wallets/wallet.ts'
import { noCustomer, toCustomer } from './customers.ts'
import { type OperatorOperation, operatorOperation } from './frame/operation.ts'
import { toDeposit } from './wallets.ts'

export const personalDataOperations: OperatorOperation[] = [
  operatorOperation({
    name: 'exportPersonalData',
    summary: 'All that is held of a customer',
    method: 'GET',
    path: '/customers/{id}/personal-data',
    role: 'admin',
    personalData: true,
    async handle(context, { path }) {
      const id = Number(path.id)
      const profileId = (await context.database.one(profileOfCustomer, { customerId: id }))?.id ?? null
      const head = await readHead(context, id, profileId)
      return { status: 200, body: Readable.from(written(context.database, head, { customer: id, profile: profileId })) }
    },
  }),
  operatorOperation({
    name: 'erasePersonalData',
    summary:
      'Erase a customer’s log-in, cards, profile text and picture, the text of its comments and moderators’ notes on them, end its sessions and close it; ids, follows, bets and money stay',
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
  const sessions = await database.query(sessionsOfCustomer, { customerId })
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
    wallet: await heldWallet(context, customer),
    profile: profileId === null ? null : await readProfile(context, profileId),
    decisions: profileId === null ? [] : await readDecisions(database, 'profile', profileId),
    decisionsOnComments:
      profileId === null
        ? []
        : (await database.query(decisionsOnCommentsOf, { profileId })).map((row) => ({
            commentId: String(row.subject_id),
            ...toDecision(row),
          })),
  }
}

async function heldWallet(context: Context, customer: CustomerRow): Promise<object> {
  const { database } = context
  const { balance } = await walletOf(context, customer)
  const methods = await database.query(methodsOfCustomer, { customerId: customer.id })
  const deposits: object[] = []
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = await database.query(depositsOfCustomerBefore, { customerId: customer.id, before, limit: BATCH })
    deposits.push(...rows.map(toDeposit))
    const last = rows.at(-1)
    if (last === undefined || rows.length < BATCH) return { balance, paymentMethods: methods.map(toMethod), deposits }
    before = last.number
  }
}

async function readProfile({ config, database }: Context, id: number): Promise<object | null> {
  const row = await database.one(profileById, { id, viewer: NO_PROFILE })
  if (row === undefined) return null
  return { id: String(row.id), ...profileContent(config, row), createdAt: isoTime(row.created_at) }
}

type Owner = 'customer' | 'profile'
type Part = { list: HeldList<{ key: number }>; item: (row: { key: number }) => object }
type Section = { name: string; owner: Owner; parts: Part[] }

/** Checks that an item is made of what its list reads, and forgets the details. */
function part<Row extends { key: number }>(list: HeldList<Row>, item: (row: Row) => object): Part {
  return { list, item } as unknown as Part
}

const follow = (row: HeldRow) => ({ profileId: String(row.other_id), since: isoTime(row.at) })
const like = (row: HeldRow) => ({ commentId: String(row.other_id), at: isoTime(row.at) })
const flag = (kind: string) => (row: HeldRow) => ({ kind, id: String(row.other_id), at: isoTime(row.at) })

function comment({ key, at, other_id, bet_id, text, state }: HeldComment) {
  return { id: String(key), at: isoTime(at), outcomeId: String(other_id), betId: String(bet_id), text, state }
}

function bet({ key, at, outcome_ids }: HeldBet) {
  return { id: String(key), placedAt: isoTime(at), outcomeIds: outcome_ids.split(',') }
}

/** The lists that can be long. */
const SECTIONS: readonly Section[] = [
  { name: 'bets', owner: 'customer', parts: [part(betsHeld, bet)] },
  { name: 'followings', owner: 'profile', parts: [part(followingsHeld, follow)] },
  { name: 'followers', owner: 'profile', parts: [part(followersHeld, follow), part(hiddenFollowersHeld, follow)] },
  { name: 'comments', owner: 'profile', parts: [part(commentsHeld, comment)] },
  { name: 'likes', owner: 'profile', parts: [part(likesHeld, like)] },
  {
    name: 'flags',
    owner: 'profile',
    parts: [part(profileFlagsHeld, flag('profile')), part(commentFlagsHeld, flag('comment'))],
  },
]

const BATCH = 1000

type Owners = Record<Owner, number | null>

/** One JSON object, written as it is read: somebody with a million followers takes time, not memory. */
async function* written(database: Database, head: object, owners: Owners): AsyncGenerator<string> {
  yield JSON.stringify(head).slice(0, -1)
  for (const { name, owner, parts } of SECTIONS) {
    const id = owners[owner]
    let before = `,"${name}":[`
    for (const { list, item } of id === null ? [] : parts) {
      for await (const row of rowsOf(database, list, id as number)) {
        yield before + JSON.stringify(item(row))
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

function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
