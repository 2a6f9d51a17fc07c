// The SQL of the board of ranked profiles. Each statement takes a whole batch.

import { isBehindEvents } from '../event-log/store.ts'
import { locking, type NoParameters, reading, writing } from '../platform/database/database.ts'
import { inList } from '../platform/database/row-list-store.ts'
import { bigint, integer, rowList, table } from '../platform/database/table-store.ts'
import { type RecordSums, SUM_COLUMNS, SUM_TYPES, type TipSums } from './summary.ts'

export type BoardProgress = { position: number; day: number; next_day: number; next_profile: number }

export const boardProgress = reading<NoParameters, BoardProgress & { newest: number }>('boardProgress')`
  select position, day, next_day, next_profile, (select coalesce(max(position), 0) from event_log) as newest
  from record_board_progress where id = 1`

export const BOARD_IS_BEHIND = isBehindEvents('(select position from record_board_progress where id = 1)')

/** No row: another process is at work. */
export const lockBoard = locking<NoParameters, BoardProgress>('lockBoard')`
  select position, day, next_day, next_profile from record_board_progress where id = 1 for update skip locked`

export const advanceBoard = writing<BoardProgress>('advanceBoard')`
  update record_board_progress
  set position = :position, day = :day, next_day = :next_day, next_profile = :next_profile where id = 1`

/**
 * The profiles whose rows may change when a day begins: tips leave windows, so that nobody who was not ranked becomes
 * ranked.
 */
export const profilesOnBoard = reading<{ after: number; limit: number }, { profile_id: number }>('profilesOnBoard')`
  select distinct profile_id from record_board where profile_id > :after order by profile_id limit :limit`

// ---- Rows

export type SumRow = TipSums & { profile_id: number; day: number; sport_id: number; band: number }

export const sumsOfProfiles = reading<{ ids: string }, SumRow>('sumsOfProfiles')`
  select profile_id, day, sport_id, band, ${SUM_COLUMNS.join(', ')} from record_sum
  where profile_id ${inList('ids')} and in_play = 0 order by profile_id, day`

const KEY_COLUMNS = { profile_id: bigint, days: integer, sport_id: bigint, band: integer } as const
export type BoardKey = Record<keyof typeof KEY_COLUMNS, number>
export type BoardRow = BoardKey & RecordSums & { low: number; num_settled: number }

const BOARD_FIGURES = ['low', 'num_settled', ...SUM_COLUMNS, 'num_days', 'first_day', 'last_day'] as const

export const boardRowsOf = reading<{ ids: string }, BoardRow>('boardRowsOf')`
  select profile_id, days, sport_id, band, ${BOARD_FIGURES.join(', ')} from record_board
  where profile_id ${inList('ids')}`

export const boardKeyList = rowList(KEY_COLUMNS)

export const deleteBoardRows = writing<{ rows: string }>('deleteBoardRows')`
  delete from record_board where (profile_id, days, sport_id, band) in (${boardKeyList.select})`

export const boardRowList = table('record_board', {
  ...KEY_COLUMNS,
  low: bigint,
  num_settled: integer,
  ...SUM_TYPES,
  num_days: integer,
  first_day: integer,
  last_day: integer,
})

/** With "where true" SQLite does not parse "on" as a join's. */
export const writeBoardRows = writing<{ rows: string }>('writeBoardRows')`
  ${boardRowList.insertRows} where true
  on conflict (profile_id, days, sport_id, band) do update set
    ${BOARD_FIGURES.map((figure) => `${figure} = excluded.${figure}`).join(', ')}`
