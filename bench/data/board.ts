// Writes the board of ranked profiles as the service would have left it.

import { type Database, type NoParameters, reading } from '../../src/platform/database/database.ts'
import { idListOf } from '../../src/platform/database/row-list-store.ts'
import { rankedRows } from '../../src/record/board-rows.ts'
import { advanceBoard, boardRowList, sumsOfProfiles, writeBoardRows } from '../../src/record/board-store.ts'
import { dayOf } from '../../src/record/record-view.ts'

const BATCH = 500

/** The smallest sample of any ranking. */
const MIN_SETTLED = 20

const profilesWithSample = reading<NoParameters, { id: number }>(
  'profilesWithSample',
  `select profile_id as id from record_sum where in_play = 0
   group by profile_id having sum(num_won + num_lost) >= ${MIN_SETTLED} order by profile_id`,
)

/** Also tells the service that the board of the day is complete. */
export async function fillBoard(database: Database, now: number): Promise<void> {
  const today = dayOf(now)
  const profiles = (await database.query(profilesWithSample, {})).map(({ id }) => id)
  await database.transaction(async (transaction) => {
    for (let first = 0; first < profiles.length; first += BATCH) {
      const ids = idListOf(profiles.slice(first, first + BATCH))
      const rows = rankedRows(await transaction.query(sumsOfProfiles, { ids }), today)
      if (rows.length > 0) await transaction.run(writeBoardRows, { rows: boardRowList.of(rows) })
    }
    await transaction.run(advanceBoard, { position: 0, day: today, next_day: 0, next_profile: 0 })
  })
}
