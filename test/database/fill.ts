import type { Database } from '../../src/database/database.ts'

const ROWS = 100_000

/** Rows by the ten thousand or more in every table that grows, then the statistics that the planner needs. */
export async function fillTables(database: Database): Promise<void> {
  const numbers = `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${ROWS})`
  const fills = [
    `insert into customer (id, username, status, verified, currency, funds_statement_version, created_at)
     ${numbers} select 1000000 + i, 'filled-' || i, 'active', 1, 'GBP', 1, i from n`,
    `insert into session (ticket_hash, customer_id, created_at, used_at, expires_at, idle_ms)
     ${numbers} select 'hash-' || i, 1000000 + i, i, i, 2000000000000 + i, 7200000 from n`,
    `insert into profile (id, customer_id, name, name_key, biography, status, created_at)
     ${numbers} select 1000000 + i, 1000000 + i, 'Filled ' || i, 'FILLED ' || i, '', 'A', i from n`,
    `insert into profile_count (profile_id, num_followers) ${numbers} select 1000000 + i, i % 1000 from n`,
    `insert into follow (follower_id, followee_id, created_at, shown)
     ${numbers} select 1000000 + i, 1000000 + 1 + (i * 7919) % ${ROWS}, i, case when i % 50 = 0 then 0 else 1 end
     from n where i <> 1 + (i * 7919) % ${ROWS}`,
    `insert into flag (kind, subject_id, profile_id, created_at)
     ${numbers} select case when i % 2 = 0 then 'profile' else 'comment' end, 1000000 + i % 5000, 1000000 + i, i from n`,
    `insert into review (kind, subject_id, flags, flagged_at)
     ${numbers} select case when i % 2 = 0 then 'profile' else 'comment' end, 1000000 + i, 1 + i % 40, i from n`,
    `insert into decision (kind, subject_id, action, note, actor, at)
     ${numbers} select 'profile', 1000000 + i % 20000, 'keep', '', 'someone', i from n`,
    `insert into audit (at, actor, role, action, subject, detail) ${numbers} select i, 'a', 'admin', 'b', 'c', '{}' from n`,
    `insert into sport (id, name, communities) values (1000000, 'Filled', 1)`,
    `insert into event (id, sport_id, name, start_time, status)
     ${numbers} select 1000000 + i, 1000000, 'Event ' || i, 2000000000000 + i, 'active' from n`,
    `insert into market (id, event_id, name, status)
     ${numbers} select 1000000 + i, 1000000 + i, 'Market ' || i, 'active' from n`,
    `insert into outcome (id, market_id, name, status, starting_price)
     ${numbers} select 1000000 + i, 1000000 + i, 'Outcome ' || i, 'active', 0 from n`,
    `insert into bet (id, customer_id, placed_at) ${numbers} select 1000000 + i, 1000000 + i, i from n`,
    `insert into bet_outcome (bet_id, outcome_id) ${numbers} select 1000000 + i, 1000000 + i from n`,
    `insert into comment (id, author_id, outcome_id, sport_id, bet_id, starting_price, text, created_at, event_start,
       status, state)
     ${numbers} select 1000000 + i, 1000000 + 1 + i % 20000, 1000000 + 1 + i % 50000, 1000000, 1000000 + i, 0,
       'Filled with some words', i, 2000000000000 + i, case i % 3 when 0 then 'W' when 1 then 'A' else 'L' end,
       case when i % 20 = 0 then 'removed' else 'live' end from n where i <= 40000`,
    `insert into comment_count (comment_id, author_id, outcome_id, sport_id, listed, likes)
     select id, author_id, outcome_id, sport_id, listed, id % 100 from comment where id > 1000000`,
    `insert into comment_like (comment_id, profile_id, created_at)
     ${numbers} select 1000000 + 1 + i % 39000, 1000000 + i, i from n where i <= 40000`,
    `insert into outcome_count (outcome_id, num_live) ${numbers} select 1000000 + i, i % 30 from n`,
  ]
  for (const fill of fills) await database.script(fill)
  await database.script('analyze')
}
