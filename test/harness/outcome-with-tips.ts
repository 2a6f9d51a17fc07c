import { expect } from 'vitest'
import { brokenInvariants } from './community-invariants.ts'
import { startTestService, type TestDatabase } from './service.ts'
import { newMatch, type TestOutcome } from './sportsbook.ts'
import { withoutTriggers } from './without-triggers.ts'

/** An outcome with this many tips of one profile, inserted straight into the tables, as the service would have left them. */
export async function outcomeWithTips(testDatabase: TestDatabase, tips: number): Promise<TestOutcome> {
  const service = await startTestService({ LOG_LEVEL: 'silent' }, testDatabase)
  try {
    const [outcome] = (await newMatch(service)) as [TestOutcome]
    const { profileId } = await service.member()
    const { database } = service.context
    const sql = `
      insert into comment (author_id, outcome_id, sport_id, bet_id, starting_price, text, created_at, sooner)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < ${tips})
      select ${profileId}, ${outcome.id}, ${outcome.sportId}, i, 0, 'tip', i,
        (select -start_time from event where id = ${outcome.eventId}) from n;
      insert into comment_count (comment_id, author_id, outcome_id, sport_id, listed)
      select id, author_id, outcome_id, sport_id, listed from comment;
      update profile_count set num_live = ${tips} where profile_id = ${profileId};
      insert into outcome_count (outcome_id, num_live) values (${outcome.id}, ${tips})`
    await withoutTriggers(database, () => database.script(sql))
    expect(await brokenInvariants(database)).toEqual({})
    return outcome
  } finally {
    await service.close()
  }
}
