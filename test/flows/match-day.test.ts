// A match day with 50 customers, from the feed to the settlements: tips, likes, follows, flags, moderation, suspensions,
// results and corrections in any order, and every answer, list and count compared with a simple model, also while tips
// are still being updated. A failing sequence is shrunk to the shortest that fails; to run it again, set
// MATCH_DAY_SEED, MATCH_DAY_PATH and MATCH_DAY_REPLAY to the seed, path and replayPath that it prints.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Database, type NoParameters, reading } from '../../src/platform/database/database.ts'
import { brokenInvariants } from '../harness/community-invariants.ts'
import { writes } from '../harness/match-day-commands.ts'
import { expectEverything, reads } from '../harness/match-day-reads.ts'
import { addIdleProfiles, newWorld, resetWorld } from '../harness/match-day-world.ts'
import { useService } from '../harness/service.ts'

const service = useService({ LOG_LEVEL: 'silent' })
const stillToFollow = reading<NoParameters, { count: number }>(
  'stillToFollow',
  'select count(*) as count from comment_work',
)

const { MATCH_DAY_SEED, MATCH_DAY_PATH, MATCH_DAY_REPLAY } = process.env
const STORIES = Number(process.env.MATCH_DAY_STORIES ?? 4)
const again = {
  ...(MATCH_DAY_SEED === undefined ? {} : { seed: Number(MATCH_DAY_SEED) }),
  ...(MATCH_DAY_PATH === undefined ? {} : { path: MATCH_DAY_PATH }),
}
const replay = MATCH_DAY_REPLAY === undefined ? {} : { replayPath: MATCH_DAY_REPLAY }
// Without bias towards short sequences: shrinking finds those.
const stories = fc.noBias(fc.commands([...writes, ...reads], { maxCommands: 150, size: 'max', ...replay }))

/** After this time no further sequence begins, and shrinking reports what it has. */
const MAX_MS = 90_000

test('every answer agrees with the model', { timeout: 3 * MAX_MS }, async () => {
  const { database, tipStatus } = service.context
  // Only this test updates tips, so that it can read before they are updated.
  await tipStatus.close()
  const world = await newWorld(service)
  await addIdleProfiles(database, world.members)
  const follow = async () => {
    while (((await database.one(stillToFollow, {}))?.count ?? 0) > 0) await tipStatus.begin()
  }
  const inside = {
    quietly: async (work: (transaction: Database) => Promise<unknown>) => void (await database.transaction(work)),
    follow,
  }
  const property = fc.asyncProperty(stories, async (story) => {
    const model = await resetWorld(database, world.members)
    await fc.asyncModelRun(() => ({ model, real: { ...world, inside } }), story)
    await expectEverything(model, world)
    if (model.waiting) {
      await follow()
      model.waiting = false
      await expectEverything(model, world)
    }
    expect(await brokenInvariants(database)).toEqual({})
  })
  await fc.assert(property, { numRuns: STORIES, interruptAfterTimeLimit: MAX_MS, ...again })
})
