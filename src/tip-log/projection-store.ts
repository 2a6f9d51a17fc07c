// The SQL of the projection, of keys and of erasure. Statements of the projection take the rows of a whole batch.

import { isBehindEvents } from '../event-log/store.ts'
import { locking, type NoParameters, reading, writing } from '../platform/database/database.ts'
import { inList } from '../platform/database/row-list-store.ts'
import { bigint, type RowOf, rowList, table, text } from '../platform/database/table-store.ts'
import { RESULT_COLUMNS } from '../record/grade-store.ts'
import type { SettlementRow, TipRow } from './leaf.ts'
import { entries, TILES, TIP_COLUMNS, type TileRow, tileList } from './store.ts'

export const tipLogProgress = reading<NoParameters, { position: number; newest: number }>('tipLogProgress')`
  select position, (select coalesce(max(position), 0) from event_log) as newest from tip_log where id = 1`

export const TIP_LOG_IS_BEHIND = isBehindEvents('(select position from tip_log where id = 1)')

/** `origin` and `root` are null before the first start. */
export type LogState = { position: number; origin: string | null; size: number; root: string | null }

const STATE = 'select position, origin, size, root from tip_log where id = 1'

/** No row: another process is at work. */
export const lockTipLog = locking<NoParameters, LogState>('lockTipLog')`${STATE} for update skip locked`

/** Waits for the batch in progress, and holds off the next one. */
export const awaitTipLog = locking<NoParameters, LogState>('awaitTipLog')`${STATE} for update`

export const advanceTipLog = writing<{ position: number }>('advanceTipLog')`
  update tip_log set position = :position where id = 1`

// ---- Contents of leaves

export const newTips = reading<{ commentIds: string }, TipRow & { text: string }>('newTips')`
  select c.id as comment_id, ${TIP_COLUMNS}, c.text from comment c where c.id ${inList('commentIds')}`

/** `is_outdated`: the outcome has a newer result, by which the tip is not graded yet (communities/tip-status.ts). */
export type SettledTip = SettlementRow & { is_outdated: number }

export const settledTips = reading<{ commentIds: string }, SettledTip>('settledTips')`
  select c.id as comment_id, ${RESULT_COLUMNS}, coalesce(o.settled_at, m.settled_at) as settled_at, g.grade,
    g.stake, g.profit, g.in_play, case when w.count_position < c.id then 1 else 0 end as is_outdated
  from comment c join outcome o on o.id = c.outcome_id join market m on m.id = o.market_id
  left join tip_grade g on g.profile_id = c.author_id and g.comment_id = c.id
  left join comment_work w on w.outcome_id = o.id
  where c.id ${inList('commentIds')}`

/** Which of the tips are in the log. */
export const loggedTips = reading<{ commentIds: string }, { comment_id: number }>('loggedTips')`
  select comment_id from tip_log_entry where comment_id ${inList('commentIds')} and kind = 'tip'`

export const tipsOfProfiles = reading<{ profileIds: string }, { profile_id: number; tips: number }>('tipsOfProfiles')`
  select profile_id, tips from tip_log_profile where profile_id ${inList('profileIds')}`

/** Has its own name, so that metrics distinguish it from the reads of requests. */
export const tilesToGrow = reading<{ rows: string }, TileRow>('tilesToGrow', TILES)

// ---- Writing

export const entryList = entries.omit('text_hash')
export type NewEntry = RowOf<typeof entryList>

export const insertEntries = writing<{ rows: string }>('insertEntries', entryList.insertRows)

export const profileTipsList = table('tip_log_profile', { profile_id: bigint, tips: bigint })

/** With "where true" SQLite does not parse "on" as a join's. */
export const setTipsOfProfiles = writing<{ rows: string }>('setTipsOfProfiles')`
  ${profileTipsList.insertRows} where true
  on conflict (profile_id) do update set tips = excluded.tips`

export const setTiles = writing<{ rows: string }>('setTiles')`
  ${tileList.insertRows} where true on conflict (level, number) do update set hashes = excluded.hashes`

export const setCheckpoint = writing<{
  origin: string
  size: number
  root: string
  time: number
  keyId: string
  signature: string
}>('setCheckpoint')`
  update tip_log set origin = :origin, size = :size, root = :root, time = :time, key_id = :keyId,
    signature = :signature
  where id = 1`

// ---- Keys

export const signingKey = reading<NoParameters, { id: string; private_key: string }>('signingKey')`
  select id, private_key from tip_log_key where retired_at is null`

export const insertKey = writing<{ id: string; publicKey: string; privateKey: string; now: number }>('insertKey')`
  insert into tip_log_key (id, public_key, private_key, created_at) values (:id, :publicKey, :privateKey, :now)`

export const retireKeys = writing<{ now: number }>('retireKeys')`
  update tip_log_key set private_key = null, retired_at = :now where retired_at is null`

// ---- Erasure

export const loggedTextsOf = reading<
  { profileId: number; after: number; limit: number },
  { comment_id: number; position: number; salt: string; text: string }
>('loggedTextsOf')`
  select c.id as comment_id, e.position, e.salt, c.text
  from comment c join tip_log_entry e on e.comment_id = c.id and e.kind = 'tip' and e.salt is not null
  where c.author_id = :profileId and c.id > :after order by c.id limit :limit`

export const textHashList = rowList({ position: bigint, text_hash: text })

export const eraseSalts = writing<{ rows: string }>('eraseSalts')`
  update tip_log_entry set salt = null, text_hash = given.text_hash from (${textHashList.select}) as given
  where tip_log_entry.position = given.position`
