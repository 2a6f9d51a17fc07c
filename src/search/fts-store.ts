// The statements of SQLite's index of tips, which takes new ones in batches. A trigger adds those between the old position and
// the new one (comment_search_advanced in migrations/schema.sqlite.txt).

import { type NoParameters, reading, writing } from '../platform/database/database.ts'

export const tipsToIndex = reading<NoParameters, { left: number }>('tipsToIndex')`
  select coalesce((select id from comment order by id desc limit 1), 0) - position as left from comment_search_position`

export const HAS_TIPS_TO_INDEX =
  '(select position from comment_search_position) < (select coalesce(max(id), 0) from comment)'

/** The constant is the number of tips of a batch. */
export const indexNextTips = writing<NoParameters>('indexNextTips')`
  update comment_search_position set position = (
    select max(id) from (
      select id from comment where id > (select position from comment_search_position) order by id limit 200) as batch)`
