// The *record* of a profile is what its tips would have won or lost, with one point on each. All that count are in it: a
// tip that is withdrawn stays.

import { Fault } from '../faults.ts'
import { andThen, type MaybePromise } from '../platform/runtime/maybe-promise.ts'
import type { ProfilesContext } from '../profiles/context.ts'
import { viewerOf } from '../profiles/profile.ts'
import { toProfile } from '../profiles/profile-view.ts'
import { profileStatus } from '../profiles/store.ts'
import type { Grade } from './figures.ts'
import {
  dateOf,
  dayOf,
  fractionText,
  type GradedDay,
  gradedDays,
  streaksOf,
  toFigures,
  toSettlement,
  twoDecimals,
} from './record-view.ts'
import type { ProfileWithRecord, RankedRecord, RecordTip } from './shapes.ts'
import type { BoardSelection, RecordRow, RecordTipRow, Selection } from './store.ts'
import * as sql from './store.ts'
import { isRanked, type RecordSums } from './summary.ts'

/** `numDays` 0: all; `sportId` and `band` 0: all. */
export type RecordFilter = { numDays: number; sportId: number; band: number; inPlay: boolean }

export function selectionOf({ numDays, sportId, band, inPlay }: RecordFilter, now: number): Selection {
  return { inPlay: inPlay ? 1 : 0, after: numDays === 0 ? -1 : dayOf(now) - numDays, sportId, band }
}

type Who = { id: number; customerId: number | null }

export function getRecord(context: ProfilesContext, { id, customerId }: Who, filter: RecordFilter) {
  return andThen(viewerOf(context, customerId), (viewer) => readRecord(context, { id, viewer }, filter))
}

function readRecord(
  context: ProfilesContext,
  { id, viewer }: { id: number; viewer: number },
  filter: RecordFilter,
): MaybePromise<ProfileWithRecord[]> {
  const found = context.database.one(sql.recordOf, { id, viewer, ...selectionOf(filter, context.now()) })
  return andThen(found, (row) => {
    if (row?.status !== 'A') throw new Fault('noProfile', 'id')
    return [{ id, record: toRecord(row, filter) }]
  })
}

export function toRecord(row: RecordRow, { inPlay, numDays }: RecordFilter) {
  const tips = gradedDays(row.grades)
  const sums = sumsOf(row, tips)
  return {
    ...toFigures(sums),
    numOpen: row.num_live,
    ...streaksOf(tips),
    isRanked: !inPlay && isRanked(sums, numDays),
  }
}

function sumsOf(row: RecordRow, tips: readonly GradedDay[]): RecordSums {
  const numOf = { W: 0, L: 0, V: 0 }
  let num_days = 0
  let counted = 0
  for (const { grade, day } of tips) {
    numOf[grade]++
    // Days on which all tips were void do not count.
    if (grade === 'V' || day === counted) continue
    counted = day
    num_days++
  }
  return {
    num_won: numOf.W,
    num_lost: numOf.L,
    num_void: numOf.V,
    num_withdrawn: row.num_withdrawn ?? 0,
    staked: row.staked ?? 0,
    profit: row.profit ?? 0,
    odds: row.odds ?? 0,
    return_squares: row.return_squares ?? 0,
    num_closing: row.num_closing ?? 0,
    closing: row.closing ?? 0,
    num_beaten: row.num_beaten ?? 0,
    num_days,
    first_day: tips[0]?.day ?? 0,
    last_day: tips.at(-1)?.day ?? 0,
  }
}

// ---- Tips

/** `status` '': all. */
type Block = { blockSize: number; blockNum: number; inPlay: boolean; status: Grade | '' }

/** null: the profile exists and the block is empty. */
export async function listRecordTips(
  context: ProfilesContext,
  { id, customerId }: Who,
  block: Block,
): Promise<RecordTip[] | null> {
  const viewer = await viewerOf(context, customerId)
  const rows = await context.database.query(sql.recordTipsOf, {
    id,
    viewer,
    inPlay: block.inPlay ? 1 : 0,
    grade: block.status,
    limit: block.blockSize,
    offset: block.blockNum * block.blockSize,
  })
  if (rows.length > 0) return rows.map(toRecordTip)
  const profile = await context.database.one(profileStatus, { id, viewer })
  if (profile?.status !== 'A') throw new Fault('noProfile', 'id')
  return null
}

function toRecordTip(row: RecordTipRow): RecordTip {
  const atStartingPrice = row.record_sp === 1
  const [num, den] = atStartingPrice ? [row.sp_num, row.sp_den] : [row.record_num, row.record_den]
  return {
    id: row.comment_id,
    betId: row.bet_id,
    ...toSettlement(row),
    isWithdrawn: row.withdrawn === 1,
    createdDateTimeZoned: row.created_at,
    settled: dateOf(row.day),
    odds: num === null || den === null ? undefined : twoDecimals(num + den, den),
    price: fractionText(row.record_num, row.record_den),
    startingPrice: atStartingPrice ? fractionText(row.sp_num, row.sp_den) : undefined,
    eachWay: fractionText(row.each_way_num, row.each_way_den),
    closing: row.closing === null ? undefined : twoDecimals(row.closing, 10_000),
    result: row.result,
    text: row.state === 'live' ? row.text : undefined,
    event: {
      id: row.event_id,
      sportId: row.sport_id,
      name: row.event_name,
      market: {
        id: row.market_id,
        name: row.market_name,
        outcome: { id: row.outcome_id, name: row.outcome_name },
      },
    },
    cashOut: cashOuts(row.cash_outs),
  }
}

type CashOut = { at: number; num: number; den: number }

function cashOuts(stored: string | null): RecordTip['cashOut'] {
  const entries: CashOut[] = stored === null ? [] : JSON.parse(stored)
  return entries.length === 0
    ? undefined
    : entries.map(({ at, num, den }) => ({ dateTimeZoned: at, fraction: `${num}/${den}` }))
}

// ---- The ranking

/** null: nobody is ranked. */
export async function rankRecords(
  context: ProfilesContext,
  customerId: number | null,
  board: BoardSelection,
): Promise<RankedRecord[] | null> {
  const viewer = await viewerOf(context, customerId)
  const rows = await context.database.query(sql.recordRanking, { ...board, viewer, now: context.now() })
  if (rows.length === 0) return null
  const view = { requester: customerId !== null, communities: false }
  return rows.map((row, index) => ({
    ...toProfile(context.config, row, view),
    rank: index + 1,
    record: toFigures(row),
  }))
}
