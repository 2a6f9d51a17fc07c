import type { Database } from '../../src/database/database.ts'

const ROWS = 100_000
const PART = 20_000

/** Rows by the ten thousand or more in every table that grows, then the statistics that the planner needs. */
export async function fillTables(database: Database): Promise<void> {
  const fills = [
    `insert into customer (id, username, status, verified, currency, funds_statement_version, created_at)
     NUMBERS select 1000000 + i, 'filled-' || i, 'active', 1, 'GBP', 1, i from n`,
    `insert into session (ticket_hash, customer_id, created_at, used_at, expires_at, idle_ms)
     NUMBERS select 'hash-' || i, 1000000 + i, i, i, 2000000000000 + i, 7200000 from n`,
    `insert into profile (id, customer_id, name, name_key, biography, status, created_at)
     NUMBERS select 1000000 + i, 1000000 + i, 'Filled ' || i, 'FILLED ' || i, '', 'A', i from n`,
    `insert into profile_count (profile_id, num_followers) NUMBERS select 1000000 + i, i % 1000 from n`,
    `insert into follow (follower_id, followee_id, created_at, shown)
     NUMBERS select 1000000 + i, 1000000 + 1 + (i * 7919) % ${ROWS}, i, case when i % 50 = 0 then 0 else 1 end
     from n where i <> 1 + (i * 7919) % ${ROWS}`,
    `insert into flag (kind, subject_id, profile_id, created_at)
     NUMBERS select case when i % 2 = 0 then 'profile' else 'comment' end, 1000000 + i % 5000, 1000000 + i, i from n`,
    `insert into review (kind, subject_id, flags, flagged_at)
     NUMBERS select case when i % 2 = 0 then 'profile' else 'comment' end, 1000000 + i, 1 + i % 40, i from n`,
    `insert into decision (kind, subject_id, action, note, actor, at)
     NUMBERS select 'profile', 1000000 + i % 20000, 'keep', '', 'someone', i from n`,
    `insert into audit (at, actor, role, action, subject, detail) NUMBERS select i, 'a', 'admin', 'b', 'c', '{}' from n`,
    `insert into sport (id, name, communities) values (1000000, 'Filled', 1)`,
    `insert into event (id, sport_id, name, start_time, status)
     NUMBERS select 1000000 + i, 1000000, 'Event ' || i, 2000000000000 + i, 'active' from n`,
    `insert into market (id, event_id, name, status)
     NUMBERS select 1000000 + i, 1000000 + i, 'Market ' || i, 'active' from n`,
    `insert into outcome (id, market_id, name, status, starting_price)
     NUMBERS select 1000000 + i, 1000000 + i, 'Outcome ' || i, 'active', 0 from n`,
    `insert into bet (id, customer_id, placed_at) NUMBERS select 1000000 + i, 1000000 + i, i from n`,
    `insert into bet_outcome (bet_id, outcome_id) NUMBERS select 1000000 + i, 1000000 + i from n`,
    `insert into comment (id, author_id, outcome_id, sport_id, bet_id, starting_price, text, created_at, sooner,
       status, state, listed)
     NUMBERS select 1000000 + i, 1000000 + 1 + i % 20000, 1000000 + 1 + i % 50000, 1000000, 1000000 + i, 0,
       'Filled with some words', i, -2000000000000 - i, case i % 3 when 0 then 'W' when 1 then 'A' else 'L' end,
       case when i % 20 = 0 then 'removed' else 'live' end,
       case when i % 20 = 0 then null else case i % 3 when 0 then 'W' when 1 then 'A' end end from n where i <= 40000`,
    `insert into comment_count (comment_id, author_id, outcome_id, sport_id, listed, likes)
     select id, author_id, outcome_id, sport_id, listed, id % 100 from comment where id > 1000000`,
    `insert into comment_like (comment_id, profile_id, created_at)
     NUMBERS select 1000000 + 1 + i % 39000, 1000000 + i, i from n where i <= 40000`,
    `insert into outcome_count (outcome_id, num_live) NUMBERS select 1000000 + i, i % 30 from n`,
    `insert into payment_method (id, customer_id, type, token, min_deposit, max_deposit, card_number, expiry_date,
       country, scheme, funding, created_at)
     NUMBERS select 1000000 + i, 1000000 + i, 'CARD', 't', 500, 100000, '411111******1111', '12/49', 'GB', 'VISA',
       'debit', i from n`,
    `insert into deposit (number, id, customer_id, api_key, idempotency_key, payment_method_id, gateway, amount, currency,
       day, state, fault, lease_until, created_at, decided_at)
     NUMBERS select 1000000 + i, 'deposit-' || i, 1000001 + i % 20000, 'k', 'key-' || i, 1000000 + i, 'sandbox', i,
       'GBP', i / 1000, case when i < 1000 then 'AUTHORISING' when i % 20 = 0 then 'DECLINED' else 'CAPTURED' end, 'x', i, i,
       case when i < 1000 then null else i end from n`,
    `insert into deposit_event (deposit_id, at, event, detail)
     NUMBERS select 'deposit-' || i, i, 'begun', '' from n`,
    `insert into job (deposit_id, kind, run_at, created_at)
     NUMBERS select 'deposit-' || i, 'capture', 9000000000000 + i, i from n`,
    `insert into account (id, kind, customer_id, currency, balance)
     NUMBERS select 1000000 + i, 'customer', 1000000 + i, 'GBP', 0 from n`,
    `insert into account (id, kind, currency) values (3000000, 'psp_uncaptured', 'GBP')`,
    `insert into transfer (deposit_id, kind, debit_account_id, credit_account_id, amount, currency, at)
     NUMBERS select 'deposit-' || i, 'credit', 3000000, 1000000 + i, i, 'GBP', i from n`,
    `insert into gateway_notification (gateway, notification_key, event, success, deposit_id, received_at)
     NUMBERS select 'adyen', 'n' || i, 'AUTHORISATION', 1, 'deposit-' || i, i from n`,
  ]
  for (const fill of fills) {
    // In parts, so that each stays within the time that a statement may take, however busy the machine is.
    for (let first = 1; first <= (fill.includes('NUMBERS') ? ROWS : 1); first += PART) {
      const last = first + PART - 1
      const numbers = `with recursive n (i) as (select ${first} union all select i + 1 from n where i < ${last})`
      await database.script(fill.replace('NUMBERS', numbers))
    }
    // At once: the checks of foreign keys are planned too, and would go on taking the table for an empty one.
    await database.script(`analyze ${/^insert into (\w+)/.exec(fill)?.[1]}`)
  }
}
