// What the floor does for each kind of request: the service's own statements, with the values from the path, and nothing
// else. Where which statements run is a decision (lists, windows, deposits), the service's own function makes it, so that both
// always run the same SQL.

import { randomUUID } from 'node:crypto'
import type { SortOrder } from '../../src/communities/comment-lists.ts'
import { listByProfile, listOfFollowings } from '../../src/communities/feed.ts'
import { feedCursors } from '../../src/communities/feed-cursors.ts'
import {
  addLikes,
  addToOutcomeCount,
  addToProfileTips,
  countLiveComment,
  deleteLike,
  holdComment,
  insertComment,
  insertCommentCount,
  insertLike,
  lockAuthor,
  mostTippedOutcomes,
  outcomeForTip,
  shownCommentById,
} from '../../src/communities/store.ts'
import type { Context } from '../../src/context.ts'
import type { Database } from '../../src/database/database.ts'
import { followWindows } from '../../src/profiles/ranking-window.ts'
import {
  addToFollowCounts,
  deleteFollow,
  followersOf,
  insertFollow,
  latestFollows,
  lockPair,
  mostFollowedOfAllTime,
  profileById,
  profileStatus,
  profilesByIds,
  shownProfile,
  updateProfile,
} from '../../src/profiles/store.ts'
import { boundedCache } from '../../src/runtime/cache.ts'
import { parseCv2 } from '../../src/wallets/cv2.ts'
import { decide, finishCapture } from '../../src/wallets/decide.ts'
import { dayOf } from '../../src/wallets/deposit.ts'
import type { Gateway } from '../../src/wallets/gateways/gateway.ts'
import {
  depositedOn,
  depositInFlight,
  insertDeposit,
  insertDepositEvent,
  lockDepositor,
  methodOfCustomer,
} from '../../src/wallets/store.ts'

export type Answers = { [kind: string]: (...values: number[]) => Promise<unknown> }

export function floorAnswers(database: Database, gateway: Gateway): Answers {
  const windows = followWindows(database, Date.now)
  // All that the service's lists use of their surroundings; customer and profile ids are the same in our data.
  const profileIds = { ...boundedCache<number, number>(1, 1, Date.now), get: (customer: number) => customer }
  const context = { database, profileIds, feedPlaces: feedCursors(Date.now) } as unknown as Context
  const list = (order: number, blockNum: number) => {
    const sortOrder = (['R', 'L', 'E'] as const)[order] as SortOrder
    return { status: 'A' as const, sortOrder, sportId: null, blockSize: 20, blockNum }
  }
  return {
    profile: (id, viewer) => database.query(shownProfile, [id, viewer]),
    followers: async (id, viewer, limit, offset) => {
      const rows = await database.query(followersOf, [id, viewer, limit, offset])
      return rows.length > 0 ? rows : database.query(profileStatus, [id])
    },
    mostFollowed: (viewer) => database.query(mostFollowedOfAllTime, [viewer]),
    mostFollowedWindow: async (viewer, days) => {
      const ids = await windows.idsOf(days)
      return database.query(profilesByIds, [viewer, ...Array.from({ length: 20 }, (_, place) => ids[place] ?? 0)])
    },
    latestFollows: (viewer) => database.query(latestFollows, [viewer]),
    tip: (id, viewer) => database.query(shownCommentById, [id, viewer]),
    tipsOf: (id, viewer) => listByProfile(context, id, viewer, list(0, 1)),
    feed: (own, order, block) => listOfFollowings(context, own, list(order, block)),
    topOutcomes: () => database.query(mostTippedOutcomes, []),
    follow: (own, id) =>
      database.transaction(async (tx) => {
        await tx.query(lockPair, [own, id])
        if ((await tx.run(insertFollow, [own, id, Date.now(), 1])) === 1) await tx.run(addToFollowCounts, [own, id, 1])
      }),
    unfollow: (own, id) =>
      database.transaction(async (tx) => {
        await tx.query(lockPair, [own, id])
        const removed = await tx.one(deleteFollow, [own, id])
        if (removed?.shown === 1) await tx.run(addToFollowCounts, [own, id, -1])
      }),
    updateProfile: async (own, text) => {
      await database.run(updateProfile, [own, null, null, `Each way only, number ${text}`])
      return database.query(profileById, [own, 0])
    },
    createTip: (own, outcome, bet) => database.transaction((tx) => createTip(tx, own, outcome, bet)),
    like: (own, id) =>
      database.transaction(async (tx) => {
        const comment = await tx.one(holdComment, [id])
        if (comment?.author_id === own || (await tx.run(insertLike, [id, own, Date.now()])) === 0) return
        await tx.run(addLikes, [id, 1])
        await tx.run(addToOutcomeCount, [comment?.outcome_id as number, 0, 1])
      }),
    unlike: (own, id) =>
      database.transaction(async (tx) => {
        const comment = await tx.one(holdComment, [id])
        if ((await tx.run(deleteLike, [id, own])) === 0) return
        await tx.run(addLikes, [id, -1])
        await tx.run(addToOutcomeCount, [comment?.outcome_id as number, 0, -1])
      }),
    deposit: (customer) => deposit(database, gateway, customer),
  }
}

async function createTip(tx: Database, own: number, outcomeId: number, betId: number): Promise<unknown> {
  const outcome = await tx.one(outcomeForTip, [outcomeId, betId, own])
  if (outcome === undefined) throw new Error('no such outcome')
  await tx.one(lockAuthor, [own])
  const text = 'Travels well and stays further'
  const sport = outcome.sport_id
  const values = [own, outcomeId, sport, betId, null, null, null, 0, text, Date.now(), -outcome.start_time] as const
  const made = await tx.one(insertComment, [...values])
  if (made === undefined) throw new Error('a tip on this bet is there already')
  await tx.run(insertCommentCount, [made.id, own, outcomeId, sport])
  await tx.run(addToProfileTips, [own, 1, 0])
  await tx.run(countLiveComment, [outcomeId])
  return tx.query(shownCommentById, [made.id, own])
}

/** T1, the gateway and T2; the capture follows after the answer, as in the service. */
async function deposit(database: Database, gateway: Gateway, customer: number): Promise<unknown> {
  const id = randomUUID()
  const now = Date.now()
  const token = await database.transaction(async (tx) => {
    await tx.one(lockDepositor, [customer])
    const method = await tx.one(methodOfCustomer, [customer, customer])
    await tx.one(depositInFlight, [customer])
    await tx.one(depositedOn, [customer, dayOf(now)])
    const money = [100n, 'GBP', dayOf(now), now + 60_000, now] as const
    await tx.run(insertDeposit, [id, customer, 'floor', null, customer, 'sandbox', ...money])
    await tx.run(insertDepositEvent, [id, now, 'begun', ''])
    return method?.token ?? ''
  })
  const cv2 = parseCv2('123') as NonNullable<ReturnType<typeof parseCv2>>
  const request = { reference: id, customerId: customer, token, amount: 100n, currency: 'GBP' }
  const said = await gateway.authorise(request, cv2)
  // Its job is due in an hour: the floor captures by itself, the service's sweeper leaves it alone.
  const decided = await database.transaction((tx) => decide(tx, id, said, now + 3_600_000))
  setImmediate(async () => {
    await gateway.capture({ reference: id, gatewayReference: decided.gateway_reference, amount: 100n, currency: 'GBP' })
    await database.transaction((tx) => finishCapture(tx, id, '', now))
  })
  return { paymentId: id, at: decided.decided_at }
}
