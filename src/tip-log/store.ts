// The SQL of what callers read of the log.

import { type NoParameters, reading } from '../platform/database/database.ts'
import { inList } from '../platform/database/row-list-store.ts'
import { bigint, type Column, integer, orNull, type RowOf, table, text } from '../platform/database/table-store.ts'
import type { ProfileStatus } from '../profiles/store.ts'
import type { Grade } from '../record/figures.ts'
import type { TipStatus } from '../record/result-status.ts'
import type { TipState } from '../record/tip-state.ts'
import type { EntryKind, TipRow } from './leaf.ts'

export type CheckpointRow = {
  origin: string
  size: number
  root: string
  time: number
  key_id: string
  signature: string
}

export const newestCheckpoint = reading<NoParameters, CheckpointRow>('newestCheckpoint')`
  select origin, size, root, time, key_id, signature from tip_log where id = 1 and origin is not null`

export type KeyRow = { id: string; public_key: string; created_at: number; retired_at: number | null }

/** Bounded: operators rotate keys one by one. */
export const publicKeys = reading<NoParameters, KeyRow>('publicKeys')`
  select id, public_key, created_at, retired_at from tip_log_key order by created_at, id`

// ---- Tiles

export const tileList = table('tip_log_tile', { level: integer, number: bigint, hashes: text })
export type TileRow = RowOf<typeof tileList>
export const tileKeyList = tileList.pick('level, number')

export const TILES = `select ${tileList.columns()} from tip_log_tile where (level, number) in (${tileKeyList.select})`

export const tilesByKey = reading<{ rows: string }, TileRow>('tilesByKey', TILES)

// ---- Entries

export const TIP_COLUMNS = `c.author_id, c.outcome_id, c.sport_id, c.bet_id, c.linked_id, c.price_num, c.price_den,
  c.starting_price, c.record_num, c.record_den, c.record_sp, c.each_way_num, c.each_way_den, c.created_at`

export const entries = table('tip_log_entry', {
  position: bigint,
  kind: text as Column<EntryKind>,
  comment_id: bigint,
  number: orNull(bigint),
  salt: orNull(text),
  text_hash: orNull(text),
  data: orNull(text),
})

/** The columns of the comment are null where somebody has deleted it. */
export type LeafRow = TipRow & RowOf<typeof entries> & { text: string | null }

/** The columns of the grade are null where the tip has none. */
export type EntryRow = LeafRow & {
  status: TipStatus | null
  state: TipState | null
  grade: Grade | null
  stake: number | null
  profit: number | null
  in_play: number | null
}

const LEAF_COLUMNS = `${entries.columns('e')}, ${TIP_COLUMNS}, c.text`
const ENTRY_COLUMNS = `${LEAF_COLUMNS}, c.status, c.state, g.grade, g.stake, g.profit, g.in_play`
const LEAF_JOIN = `left join comment c on c.id = e.comment_id and e.kind = 'tip'`
const ENTRY_JOINS = `${LEAF_JOIN}
  left join tip_grade g on g.profile_id = c.author_id and g.comment_id = c.id`

export const MAX_ENTRIES = 1000

/** The constant limit is for PostgreSQL, which takes an unknown one for a tenth of the table. */
const BLOCK = `(select * from
          (select * from tip_log_entry where position >= :start order by position limit :count) block
         limit ${MAX_ENTRIES}) e`

export const entriesFrom = reading<{ start: number; count: number }, EntryRow>('entriesFrom')`
  select ${ENTRY_COLUMNS} from ${BLOCK} ${ENTRY_JOINS} order by e.position`

export const leavesFrom = reading<{ start: number; count: number }, LeafRow>('leavesFrom')`
  select ${LEAF_COLUMNS} from ${BLOCK} ${LEAF_JOIN} order by e.position`

/** `pending`: settlements are on their way to the status of their tips. */
export const pageState = reading<NoParameters, { position: number; pending: number }>('pageState')`
  select (select coalesce(max(position), 0) from event_log) as position,
    (select count(*) from (select 1 from comment_work limit 1) as work) as pending`

export const entriesOfTip = reading<{ commentId: number }, EntryRow & { author_status: ProfileStatus | null }>(
  'entriesOfTip',
)`
  select ${ENTRY_COLUMNS}, p.status as author_status
  from tip_log_entry e ${ENTRY_JOINS} left join profile p on p.id = c.author_id
  where e.comment_id = :commentId order by e.position`

/** Which of the tips a settlement may still change: their outcome is worked on (communities/tip-status.ts). */
export const tipsInSettlement = reading<{ commentIds: string }, { comment_id: number }>('tipsInSettlement')`
  select c.id as comment_id from comment c join comment_work w on w.outcome_id = c.outcome_id
  where c.id ${inList('commentIds')}`
