// The baseline's handler for each kind of request: runs the service's own statements with the values from the path, and
// nothing else. Where the service decides which statements to run (lists, windows, proofs, deposits), its own function is called,
// so that both always run the same SQL.

import { randomUUID } from 'node:crypto'
import type { SortOrder } from '../../src/communities/comment-lists.ts'
import type { CommunitiesContext } from '../../src/communities/context.ts'
import { listByProfile, listOfFollowings } from '../../src/communities/feed.ts'
import { feedCursors } from '../../src/communities/feed-cursors.ts'
import { deleteLike, insertLike } from '../../src/communities/like-store.ts'
import { mostTippedOutcomes, shownCommentById } from '../../src/communities/store.ts'
import { insertTip, lockOutcomeAndAuthor } from '../../src/communities/tip-store.ts'
import { type Database, idParameters } from '../../src/platform/database/database.ts'
import { boundedCache } from '../../src/platform/runtime/cache.ts'
import { storedWords } from '../../src/platform/runtime/search-words.ts'
import { deleteFollow, insertFollow } from '../../src/profiles/follow-store.ts'
import { followWindows } from '../../src/profiles/ranking-window.ts'
import {
  activeProfile,
  followersOf,
  latestFollows,
  MAX_RANKED,
  mostFollowedOfAllTime,
  profileById,
  profileStatus,
  profilesByIds,
  updateProfile,
} from '../../src/profiles/store.ts'
import { recordOf, recordRanking, recordTipsOf } from '../../src/record/store.ts'
import {
  reachInComments,
  reachInProfiles,
  searchComments,
  searchProfiles,
  wordParameters,
} from '../../src/search/store.ts'
import { proveTip } from '../../src/tip-log/log.ts'
import type { WalletsContext } from '../../src/wallets/context.ts'
import { finishCaptures } from '../../src/wallets/deposits/captures.ts'
import { depositFacts } from '../../src/wallets/deposits/facts-store.ts'
import { insertDeposit } from '../../src/wallets/deposits/store.ts'
import { recordDecision } from '../../src/wallets/deposits/transitions.ts'
import { parseCv2 } from '../../src/wallets/gateways/cv2.ts'
import type { Gateway } from '../../src/wallets/gateways/gateway.ts'
import { lockDepositor } from '../../src/wallets/limits/deposit-facts-store.ts'
import { requestHash } from '../../src/wallets/payment-reference.ts'
import { dayOf } from '../../src/wallets/periods.ts'

export type Handlers = { [name: string]: (...values: number[]) => Promise<unknown> }

export function baselineHandlers(database: Database, gateway: Gateway): Handlers {
  return { ...readHandlers(database), ...writeHandlers(database, gateway) }
}

function readHandlers(database: Database): Handlers {
  const windows = followWindows(database, Date.now)
  // The part of the context that the service's lists use; customer and profile ids are the same in our data.
  const profileIds = { ...boundedCache<number, number>(1, 1, Date.now), get: (customer: number) => customer }
  const context = {
    database,
    profileIds,
    now: Date.now,
    feedCursors: feedCursors(Date.now),
  } as unknown as CommunitiesContext
  const list = (order: number, blockNum: number) => {
    const sortOrder = (['R', 'L', 'E'] as const)[order] as SortOrder
    return { status: 'A' as const, sortOrder, sportId: null, blockSize: 20, blockNum }
  }
  return {
    profile: (id, viewer) => database.query(activeProfile, { id, viewer }),
    followers: async (id, viewer, limit, offset) => {
      const rows = await database.query(followersOf, { id, viewer, limit, offset })
      return rows.length > 0 ? rows : database.query(profileStatus, { id, viewer })
    },
    mostFollowed: (viewer) => database.query(mostFollowedOfAllTime, { viewer, now: Date.now() }),
    mostFollowedWindow: async (viewer, days) => {
      const ids = await windows.idsOf(days)
      return database.query(profilesByIds, {
        viewer,
        now: Date.now(),
        ...idParameters(MAX_RANKED, ids.slice(0, MAX_RANKED)),
      })
    },
    latestFollows: (viewer) => database.query(latestFollows, { viewer }),
    tip: (id, viewer) => database.query(shownCommentById, { id, viewer }),
    tipsOf: (id, viewer) => listByProfile(context, id, viewer, list(0, 1)),
    feed: (own, order, block) => listOfFollowings(context, own, list(order, block)),
    topOutcomes: () => database.query(mostTippedOutcomes, {}),
    record: (id) => database.query(recordOf, { id, viewer: 0, inPlay: 0, after: -1, sportId: 0, band: 0 }),
    recordTips: async (id) => {
      const rows = await database.query(recordTipsOf, { id, viewer: 0, inPlay: 0, grade: '', limit: 20, offset: 0 })
      return rows.length > 0 ? rows : database.query(profileStatus, { id, viewer: 0 })
    },
    recordRanking: (viewer, days) =>
      database.query(recordRanking, { viewer, days, sportId: 0, band: 0, now: Date.now() }),
    logProofs: (id) => proveTip(context, id),
    searchFrequent: (viewer) =>
      database.query(searchComments, {
        ...searchBlock(database, viewer, ['stays', 'further']),
        ...reachInComments(20),
      }),
    searchRare: (id, viewer) =>
      database.query(searchComments, {
        ...searchBlock(database, viewer, ['price', `${id}`]),
        ...reachInComments(20),
      }),
    searchProfiles: (id, viewer) =>
      database.query(searchProfiles, {
        ...searchBlock(database, viewer, ['tipster', `${id}`]),
        ...reachInProfiles(20),
      }),
  }
}

function searchBlock(database: Database, viewer: number, words: readonly string[]) {
  return { ...wordParameters(database, words), viewer, limit: 20, offset: 0 }
}

function writeHandlers(database: Database, gateway: Gateway): Handlers {
  return {
    follow: (own, id) =>
      database.inBatch(insertFollow.batched, { follower_id: own, followee_id: id, created_at: Date.now() }),
    unfollow: (own, id) => database.inBatch(deleteFollow.batched, { follower_id: own, followee_id: id }),
    updateProfile: async (own, text) => {
      await database.run(updateProfile, {
        id: own,
        name: null,
        nameKey: null,
        nameLook: null,
        biography: `Each way only, number ${text}`,
        nameWords: null,
        biographyWords: storedWords(`Each way only, number ${text}`),
      })
      return database.query(profileById, { id: own, viewer: 0 })
    },
    createTip: (own, outcome, bet) => database.transaction((tx) => createTip(tx, own, outcome, bet)),
    like: (own, id) =>
      database.inBatch(insertLike.batched, { comment_id: id, profile_id: own, created_at: Date.now() }),
    unlike: (own, id) => database.inBatch(deleteLike.batched, { comment_id: id, profile_id: own }),
    deposit: (customer) => deposit(database, gateway, customer),
  }
}

async function createTip(tx: Database, own: number, outcomeId: number, betId: number): Promise<unknown> {
  const key = { outcome_id: outcomeId, bet_id: betId, customer_id: own, author_id: own }
  const outcome = await tx.one(lockOutcomeAndAuthor, key)
  if (outcome === undefined) throw new Error('no such outcome')
  const text = 'Travels well and stays further'
  const created = await tx.one(insertTip, {
    author_id: own,
    outcome_id: outcomeId,
    sport_id: outcome.sport_id,
    bet_id: betId,
    linked_id: null,
    price_num: null,
    price_den: null,
    starting_price: 0,
    text,
    words: storedWords(text),
    created_at: Date.now(),
    start_order: -outcome.start_time,
    record_num: outcome.price_num,
    record_den: outcome.price_den,
    record_sp: 0,
    each_way_num: null,
    each_way_den: null,
  })
  if (created === undefined) throw new Error('this bet already has a tip')
  return { ...outcome, text, ...created }
}

/** The part of the settings that T2 uses. */
const RULES = { fundsStatementVersion: 1, dailyDepositLimit: 10n ** 12n, creditCardBanCountries: new Set() }

/** T1, the gateway and T2; the capture comes after the answer, as in the service. */
async function deposit(database: Database, gateway: Gateway, customer: number): Promise<unknown> {
  const id = randomUUID()
  const now = Date.now()
  const token = await database.transaction(async (tx) => {
    await tx.one(lockDepositor, { customerId: customer })
    const facts = await tx.one(depositFacts, {
      customerId: customer,
      methodId: customer,
      day: dayOf(now),
      currency: 'GBP',
      apiKey: 'baseline',
      idempotencyKey: null,
    })
    await tx.run(insertDeposit, {
      id,
      customer_id: customer,
      api_key: 'baseline',
      idempotency_key: null,
      payment_method_id: customer,
      gateway: 'sandbox',
      amount: 100n,
      currency: 'GBP',
      day: dayOf(now),
      request_hash: requestHash('makeTransaction', 100n, customer),
      lease_until: now + 60_000,
      created_at: now,
    })
    return facts?.token ?? ''
  })
  const cv2 = parseCv2('123') as NonNullable<ReturnType<typeof parseCv2>>
  const request = { reference: id, customerId: customer, token, amount: 100n, currency: 'GBP' }
  const result = await gateway.authorise(request, cv2)
  // Its job is due in an hour, so that the service's sweeper leaves the capture to the baseline.
  const context = { config: { wallets: RULES }, now: () => now + 3_600_000 } as unknown as WalletsContext
  const decided = await database.transaction((tx) => recordDecision(tx, context, request, result))
  setImmediate(async () => {
    await gateway.capture({ reference: id, gatewayReference: decided.gateway_reference, amount: 100n, currency: 'GBP' })
    await database.transaction((tx) => finishCaptures(tx, [id], '', now))
  })
  return { paymentId: id, at: decided.decided_at }
}
