// The lists of a customer's data that can be long.

import { toEvent } from '../../event-log/event.ts'
import { type EventRow, newestPosition, oldestPosition } from '../../event-log/store.ts'
import { allRows } from '../../platform/database/all-rows.ts'
import type { Database } from '../../platform/database/database.ts'
import { idListOf } from '../../platform/database/row-list-store.ts'
import { isoTime } from '../../platform/runtime/iso-time.ts'
import { slices } from '../../platform/runtime/slices.ts'
import { NO_PROFILE } from '../../profiles/profile.ts'
import { FOR_EVER } from '../../profiles/visibility-store.ts'
import { accountsOfCustomers } from '../../wallets/account/movement-store.ts'
import type { ValueOf } from '../server/fields.ts'
import { shown } from '../server/shown.ts'
import { appeal, comment, movement, notification } from './list-schemas.ts'
import * as sql from './store.ts'

/** `profile` is null where the customer has none. */
type Owners = { customer: number; profile: number | null }
type Items = (database: Database, owners: Owners) => AsyncGenerator<object>

function part<Row extends { key: number }>(
  owner: keyof Owners,
  list: sql.DataList<Row>,
  toItem: (row: Row) => object,
): Items {
  return async function* (database, owners) {
    const id = owners[owner]
    if (id === null) return
    const read = (after: number, limit: number) => database.query(list, { owner: id, after, limit })
    for await (const row of allRows(0, ({ key }: Row) => key, read)) yield toItem(row)
  }
}

const ofProfile = <Row extends { key: number }>(list: sql.DataList<Row>, toItem: (row: Row) => object) =>
  part('profile', list, toItem)

const commentOf = shown(comment)
const movementOf = shown(movement)
const notificationOf = shown(notification)
const appealOf = shown(appeal)

const toFollow = (row: sql.DataRow) => ({ profileId: String(row.other_id), since: isoTime(row.at) })
const toMute = ({ until, ...row }: sql.MuteData) => ({
  ...toFollow(row),
  until: until === FOR_EVER ? null : isoTime(until),
})
const toLike = (row: sql.DataRow) => ({ commentId: String(row.other_id), at: isoTime(row.at) })
const toFlag =
  (kind: string) =>
  ({ other_id, at, reason, note }: sql.FlagData) => ({ kind, id: String(other_id), at: isoTime(at), reason, note })

const toComment = (row: sql.CommentData) => commentOf(row, { id: `${row.key}`, outcomeId: `${row.other_id}` })

function toBet({ key, at, legs, cash_outs }: sql.BetData) {
  const columns = legs.split(',').map((leg) => leg.split(' '))
  const withTerms = columns.filter(([, ...terms]) => terms.some((value) => value !== '' && value !== '0'))
  return {
    id: String(key),
    placedAt: isoTime(at),
    outcomeIds: columns.map(([outcomeId]) => outcomeId),
    legs: withTerms.length === 0 ? undefined : withTerms.map(toLeg),
    cashOut: cash_outs === null ? undefined : (JSON.parse(cash_outs) as CashOut[]).map(toCashOut),
  }
}

const toSafeguard = ({ kind, at, data }: sql.SafeguardData) => ({ type: kind, at: isoTime(at), data: JSON.parse(data) })

function toLeg([outcomeId, num, den, isStartingPrice, ...eachWay]: string[]) {
  const [eachWayNum, eachWayDen, places] = eachWay
  return {
    outcomeId,
    price: num ? { num: Number(num), den: Number(den) } : undefined,
    startingPrice: isStartingPrice === '1' || undefined,
    eachWay: eachWayNum ? { num: Number(eachWayNum), den: Number(eachWayDen), places: Number(places) } : undefined,
  }
}

type CashOut = { at: number; num: number; den: number }
const toCashOut = ({ at, num, den }: CashOut) => ({ at: isoTime(at), fraction: { num, den } })

const toNotification = (row: sql.NotificationData) =>
  notificationOf(row, { id: `${row.key}`, type: row.type as ValueOf<typeof notification>['type'] })

const toAppeal = (row: sql.AppealData) => appealOf(row, { id: `${row.key}`, at: isoTime(row.made_at) })

const toFormerContent = ({ key, action, former, at }: sql.FormerData) => ({
  ...{ decisionId: String(key), action, value: former, at: isoTime(at) },
})

/** By the lines of the customer's accounts: an index of movements by customer would cost each of thousands a second. */
async function* movementsOf(database: Database, { customer }: Owners): AsyncGenerator<object> {
  const accounts = await database.query(accountsOfCustomers, { ids: idListOf([customer]) })
  for (const { id, kind } of accounts) {
    if (kind !== 'customer') continue
    const read = (after: number, limit: number) => database.query(sql.movementsBatch, { owner: id, after, limit })
    for await (const row of allRows(0, ({ key }: sql.MovementData) => key, read)) yield movementOf(row)
  }
}

/** Leaves out who flagged the customer: that is the flagger's data. */
function toExportedEvent(row: EventRow) {
  const { type, timestamp, subject, data } = toEvent(row)
  return { type, timestamp, subject, data: type === 'flag.created' ? {} : data }
}

/** How many positions one read looks at. */
const WINDOW = 10_000

/** Looks through the whole log, and lets others work in between. */
async function* eventsOf(database: Database, { customer, profile }: Owners): AsyncGenerator<object> {
  const newest = (await database.one(newestPosition, {}))?.position ?? 0
  const oldest = (await database.one(oldestPosition, {}))?.position ?? 0
  const pause = slices()
  for (let after = oldest - 1; after < newest; after += WINDOW) {
    const window = { customer, profile: profile ?? NO_PROFILE, after, upTo: after + WINDOW }
    for (const row of await database.query(sql.eventsOfCustomerBetween, window)) yield toExportedEvent(row)
    await pause()
  }
}

const LISTS: readonly { name: string; parts: Items[] }[] = [
  { name: 'safeguards', parts: [part('customer', sql.safeguardsBatch, toSafeguard)] },
  { name: 'movements', parts: [movementsOf] },
  { name: 'bets', parts: [part('customer', sql.betsBatch, toBet)] },
  { name: 'followings', parts: [ofProfile(sql.followingsBatch, toFollow)] },
  {
    name: 'followers',
    parts: [ofProfile(sql.followersBatch, toFollow), ofProfile(sql.hiddenFollowersBatch, toFollow)],
  },
  { name: 'mutes', parts: [ofProfile(sql.mutesBatch, toMute)] },
  { name: 'blocks', parts: [ofProfile(sql.blocksBatch, toFollow)] },
  { name: 'comments', parts: [ofProfile(sql.commentsBatch, toComment)] },
  { name: 'likes', parts: [ofProfile(sql.likesBatch, toLike)] },
  {
    name: 'flags',
    parts: [ofProfile(sql.profileFlagsBatch, toFlag('profile')), ofProfile(sql.commentFlagsBatch, toFlag('comment'))],
  },
  { name: 'appeals', parts: [ofProfile(sql.appealsBatch, toAppeal)] },
  { name: 'formerContent', parts: [ofProfile(sql.formerContentBatch, toFormerContent)] },
  { name: 'notifications', parts: [ofProfile(sql.notificationsBatch, toNotification)] },
  { name: 'events', parts: [eventsOf] },
]

/** Members within members of the head are written one by one, and so are the items of their lists. */
const NESTED = 2

/** JSON in pieces, because a customer may have made very many deposits. */
function* piecesOf(value: object, nested: number): Generator<string> {
  const isList = Array.isArray(value)
  let before = ''
  yield isList ? '[' : '{'
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue
    yield before + (isList ? '' : `${JSON.stringify(name)}:`)
    if (typeof member === 'object' && member !== null && nested > 0) yield* piecesOf(member, nested - 1)
    else yield JSON.stringify(member)
    before = ','
  }
  yield isList ? ']' : '}'
}

/**
 * One JSON object: the members of `head`, then the lists. Written while they are read: a customer with a million followers
 * takes time, not memory.
 */
export async function* jsonWithLists(database: Database, head: object, owners: Owners): AsyncGenerator<string> {
  const pause = slices()
  let text = ''
  for (const piece of piecesOf(head, NESTED)) {
    text += piece
    await pause()
  }
  yield text.slice(0, -1)
  for (const { name, parts } of LISTS) {
    let before = `,"${name}":[`
    for (const items of parts) {
      for await (const item of items(database, owners)) {
        yield before + JSON.stringify(item)
        before = ','
      }
    }
    yield before === ',' ? ']' : `${before}]`
  }
  yield '}'
}
