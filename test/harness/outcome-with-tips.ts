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
      insert into comment (author_id, outcome_id, sport_id, bet_id, starting_price, text, created_at, start_order)
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

/** The id of the i-th tipster, from 1 on. */
export function priceOfTipster(i: number): { num: number; den: number } {
  return { num: 11, den: 10 + (i % 7) }
}

/** Rows of one statement, which PostgreSQL inserts within its timeout. */
const PART = 20_000

/** An outcome with a tip of each of so many profiles. Every tenth tip was withdrawn. */
export async function outcomeWithTipsters(testDatabase: TestDatabase, tips: number): Promise<TestOutcome> {
  const service = await startTestService({ LOG_LEVEL: 'silent' }, testDatabase)
  try {
    const [outcome] = (await newMatch(service)) as [TestOutcome]
    const { database } = service.context
    const profile = '1000000 + i'
    const tipsters = (numbers: string) => [
      `insert into customer (id, username, status, verified, currency, funds_statement_version, created_at)
       ${numbers} select ${profile}, 'tipster-' || i, 'active', 1, 'GBP', 1, i from n`,
      `insert into profile (id, customer_id, name, name_key, biography, status, created_at)
       ${numbers} select ${profile}, ${profile}, 'Tipster ' || i, 'TIPSTER ' || i, '', 'A', i from n`,
      `insert into profile_count (profile_id, num_live)
       ${numbers} select ${profile}, case when i % 10 = 0 then 0 else 1 end from n`,
      `insert into comment (author_id, outcome_id, sport_id, bet_id, starting_price, text, created_at, start_order, state,
         listed, record_num, record_den)
       ${numbers} select ${profile}, ${outcome.id}, ${outcome.sportId}, i, 0, 'tip', i,
         (select -start_time from event where id = ${outcome.eventId}),
         case when i % 10 = 0 then 'deactivated' else 'live' end, case when i % 10 = 0 then null else 'A' end,
         11, 10 + i % 7 from n`,
    ]
    const counts = [
      `insert into comment_count (comment_id, author_id, outcome_id, sport_id, listed)
       select id, author_id, outcome_id, sport_id, listed from comment`,
      `insert into outcome_count (outcome_id, num_live)
       select ${outcome.id}, count(*) from comment where listed = 'A'`,
    ]
    await withoutTriggers(database, async () => {
      for (let from = 1; from <= tips; from += PART) {
        const last = Math.min(from + PART - 1, tips)
        const numbers = `with recursive n (i) as (select ${from} union all select i + 1 from n where i < ${last})`
        for (const script of tipsters(numbers)) await database.script(script)
      }
      for (const script of counts) await database.script(script)
    })
    expect(await brokenInvariants(database)).toEqual({})
    return outcome
  } finally {
    await service.close()
  }
}
