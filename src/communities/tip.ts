// Creating tips. Those that wait at the same time are written together (platform/database/write-queue.ts): each is checked by
// itself, and what one of them is refused for does not touch the others.

import { isOpen } from '../catalogue/outcome.ts'
import { Fault } from '../faults.ts'
import type { BatchedWrite, Database } from '../platform/database/database.ts'
import { storedWords } from '../platform/runtime/search-words.ts'
import { sessionOver, withOwnProfile } from '../profiles/profile.ts'
import { fractionOf, type Leg, termsOfTip } from '../record/terms.ts'
import { refuseBadText } from '../text-rules/text.ts'
import { toComment } from './comment.ts'
import type { CommunitiesContext } from './context.ts'
import { toDetails } from './details.ts'
import { holdReason, holdTip } from './hold-tip.ts'
import type { Comment } from './shapes.ts'
import type { CommentRow, DetailColumns } from './store.ts'
import type { NewTipRow, TipKey, TipOutcomeRow } from './tip-store.ts'
import * as sql from './tip-store.ts'

type NewTip = {
  id: number
  betId: number
  text: string
  linkedId: number | null
  priceNum: number | null
  priceDen: number | null
  startingPrice: boolean
  /** Whether the answer has details. */
  details?: boolean
}

export async function createTip(context: CommunitiesContext, customerId: number, tip: NewTip): Promise<Comment> {
  if (tip.priceNum === null && tip.priceDen !== null) throw new Fault('invalid', 'priceNum')
  if (tip.priceDen === null && tip.priceNum !== null) throw new Fault('invalid', 'priceDen')
  const requestOf = (own: number): TipRequest => ({
    context,
    tip,
    key: { outcome_id: tip.id, bet_id: tip.betId, customer_id: customerId, author_id: own },
  })
  const row = await withOwnProfile(
    context,
    customerId,
    (database, own) => writeInBatch(database, requestOf(own)),
    (transaction, own) => writeAndWait(transaction, requestOf(own)),
  )
  if (row instanceof Fault) throw row
  return { ...toComment(row, true), ...(tip.details ? toDetails(context, row) : {}) }
}

type TipRequest = { context: CommunitiesContext; tip: NewTip; key: TipKey }
type TipRow = CommentRow & DetailColumns
/** null: a row that it needs is missing or locked, the batch has another tip of its author on the outcome, or it is held. It is written alone. */
type BatchResult = TipRow | Fault | null

async function writeInBatch(database: Database, request: TipRequest): Promise<TipRow | Fault> {
  const result = await database.inBatch(writeTips, request)
  return result ?? database.transaction((transaction) => writeAndWait(transaction, request))
}

async function writeAndWait(transaction: Database, request: TipRequest): Promise<TipRow | Fault> {
  const outcome = await transaction.one(sql.lockOutcomeAndAuthorAlone, request.key)
  if (outcome === undefined) throw new Fault('invalid', 'outcomeId')
  const tip = checkedTip(request, outcome)
  const reason = await reasonToHold(transaction, tip)
  const stored = await transaction.one(sql.insertTip, tip.row, reason === null ? 'last' : undefined)
  if (stored !== undefined && reason !== null) await holdTip(transaction, request.context.holds, stored.id, reason)
  return storedTip(tip, stored)
}

const writeTips: BatchedWrite<TipRequest, BatchResult> = (database, requests) =>
  database.transaction(async (transaction) => {
    const [only, ...others] = requests as [TipRequest, ...TipRequest[]]
    if (others.length === 0) return [await writeTip(transaction, only)]
    return transaction.engine === 'sqlite' ? oneByOne(transaction, requests) : together(transaction, requests)
  })

/** null: not all rows that it needs are there, or free. Throws what it is refused for before anything is written. */
async function writeTip(transaction: Database, request: TipRequest): Promise<BatchResult> {
  const outcome = await transaction.one(sql.lockOutcomeAndAuthor, request.key)
  if (outcome === undefined) return null
  const tip = checkedTip(request, outcome)
  if ((await reasonToHold(transaction, tip)) !== null) return null
  return storedTip(tip, await transaction.one(sql.insertTip, tip.row, 'last'))
}

/** Used with SQLite, which has neither round trips nor row locks. */
async function oneByOne(transaction: Database, requests: readonly TipRequest[]): Promise<BatchResult[]> {
  const results: BatchResult[] = []
  for (const request of requests) results.push(await writeTip(transaction, request).catch(onlyFault))
  return results
}

async function together(transaction: Database, requests: readonly TipRequest[]): Promise<BatchResult[]> {
  const results = new Map<TipRequest, BatchResult>()
  const first = firstOfEachPair(requests)
  const rows = sql.tipKeysOf(first.map(({ key }) => key))
  const outcomes = byPair(await transaction.query(sql.lockOutcomesAndAuthors, { rows }))
  const tips: CheckedTip[] = []
  for (const request of first) {
    const outcome = outcomes.get(pairOf(request.key))
    if (outcome === undefined) continue
    try {
      const tip = checkedTip(request, outcome)
      if ((await reasonToHold(transaction, tip)) === null) tips.push(tip)
    } catch (error) {
      results.set(request, onlyFault(error))
    }
  }
  if (tips.length > 0) {
    const newRows = sql.newTipsOf(tips.map(({ row }) => row))
    const stored = byPair(await transaction.query(sql.insertTips, { rows: newRows }, 'last'))
    for (const tip of tips) results.set(tip.request, storedTip(tip, stored.get(pairOf(tip.row))))
  }
  return requests.map((request) => results.get(request) ?? null)
}

type Pair = { author_id: number; outcome_id: number }
const pairOf = ({ author_id, outcome_id }: Pair): string => `${author_id} ${outcome_id}`
const byPair = <Row extends Pair>(rows: readonly Row[]) => new Map(rows.map((row) => [pairOf(row), row]))

/** The first request of each author on each outcome: whether the next one counts, or is refused, depends on it. */
function firstOfEachPair(requests: readonly TipRequest[]): TipRequest[] {
  return [...new Map(requests.toReversed().map((request) => [pairOf(request.key), request])).values()]
}

function onlyFault(error: unknown): Fault {
  if (error instanceof Fault) return error
  throw error
}

type CheckedTip = { request: TipRequest; outcome: TipOutcomeRow; row: NewTipRow }

/** The faults are checked in the order of ruling R8. */
function checkedTip(request: TipRequest, outcome: TipOutcomeRow): CheckedTip {
  const { context, tip, key } = request
  // A negative id stands for digits beyond any bet id, which cannot be stored even with BET_CHECK=trust.
  if (tip.betId < 0 || (context.config.betCheck !== 'trust' && outcome.placed_at === null)) {
    throw new Fault('invalid', 'betId')
  }
  refuseBadText(context.textRules, 'text', tip.text, [outcome.event_name, outcome.outcome_name])
  if (!isOpen(outcome)) throw new Fault('outcomeInactive', 'id')
  if (outcome.communities === 0) throw new Fault('sportNotEnabled', `${tip.id}`)
  if (outcome.author_erased === 1) throw sessionOver()
  if (outcome.author_status !== 'A') throw new Fault('profileInactive', '')
  const now = context.now()
  const row = {
    author_id: key.author_id,
    outcome_id: tip.id,
    sport_id: outcome.sport_id,
    bet_id: tip.betId,
    linked_id: tip.linkedId,
    price_num: tip.priceNum,
    price_den: tip.priceDen,
    starting_price: tip.startingPrice ? 1 : 0,
    text: tip.text,
    words: storedWords(tip.text),
    created_at: now,
    start_order: -outcome.start_time,
    ...termsOfTip(legOf(outcome), fractionOf(outcome.price_num, outcome.price_den), now),
  }
  return { request, outcome, row }
}

function reasonToHold(transaction: Database, { request, outcome, row }: CheckedTip): Promise<string | null> {
  return holdReason(transaction, request.context.holds, row.author_id, {
    text: row.text,
    isPremoderated: outcome.author_premoderated === 1,
    authorSince: outcome.author_since,
    now: row.created_at,
  })
}

/** null: the tip cannot count. Only an author's first tip on an outcome counts. */
function legOf(row: TipOutcomeRow): Leg | null {
  if (row.placed_at === null || row.has_tip) return null
  return {
    placedAt: row.placed_at,
    price: fractionOf(row.leg_num, row.leg_den),
    startingPrice: row.leg_sp === 1,
    eachWay: fractionOf(row.leg_each_way_num, row.leg_each_way_den),
  }
}

/** `stored` is missing if the author has a tip on this outcome and bet. */
function storedTip({ outcome, row }: CheckedTip, stored: { id: number } | undefined): TipRow | Fault {
  if (stored === undefined) return new Fault('tipExists', 'betId')
  return {
    ...outcome,
    ...row,
    id: stored.id,
    featured: 0,
    // The outcome has its own price; it has no starting price while it is open.
    price_num: outcome.price_num,
    price_den: outcome.price_den,
    starting_price: outcome.starting_price,
    given_num: row.price_num,
    given_den: row.price_den,
    given_starting_price: row.starting_price,
    sp_num: null,
    sp_den: null,
    likes: 0,
    is_liked: false,
    is_flagged: false,
  }
}
