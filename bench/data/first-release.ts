// An installation of the first release (migration 0072) with rows of every kind, in the proportions of a busy one: for
// `npm run bench:upgrade`, and for the tests of upgrades. SQL that both engines take.

import type { Database } from '../../src/platform/database/database.ts'

export const FIRST_RELEASE = 72
const TIPS_OF_PROFILE = 10
const FEWEST = 20

/** A tenth as many profiles, customers, outcomes and deposits as tips; as many follows, likes and bets. */
export async function fillFirstRelease(database: Database, tips: number): Promise<void> {
  const few = Math.max(FEWEST, Math.round(tips / TIPS_OF_PROFILE))
  for (const sql of fills(few, few * TIPS_OF_PROFILE)) await database.script(sql)
  if (database.engine === 'sqlite') return
  for (const [table, key] of IDENTITIES) {
    const next = `(select max(${key}) from ${table})`
    await database.script(`select setval(pg_get_serial_sequence('${table}', '${key}'), ${next})`)
  }
  await database.script('analyze')
}

const IDENTITIES = [
  ...[
    'operator_token',
    'audit',
    'profile',
    'follow',
    'decision',
    'comment',
    'deposit_event',
    'account',
    'transfer',
  ].map((table) => [table, 'id']),
  ['deposit', 'number'],
]

/** The i-th of `many` rows belongs to the (i mod few)-th profile, customer and outcome, which are numbered from 1. */
function fills(few: number, many: number): string[] {
  const numbers = (count: number) =>
    `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})`
  const around = (number: string) => `(1 + (${number}) % ${few})`
  const turn = `((i - 1) / ${few})`
  /** One of each five outcomes won and one lost. */
  const status = `case ${around(`i + 7 * ${turn}`)} % 5 when 0 then 'W' when 1 then 'L' else 'A' end`
  return [
    `insert into application (api_key, name, secret_hash, created_at) values ('first', 'First', 'none', 1)`,
    `insert into operator_token (id, name, role, token_hash, created_at, owner) values (1, 'Olga', 'admin', 'none', 1, 'Olga')`,
    `insert into audit (id, at, actor, role, action, subject, detail, address) ${numbers(few)}
     select i, i, 'Olga', 'admin', 'putCustomer', 'customer ' || i, '{}', '' from n`,
    `insert into customer (id, username, status, verified, currency, funds_statement_version, created_at)
     ${numbers(few)} select i, 'customer' || i, 'active', 1, 'GBP', 1, i from n`,
    `insert into profile (id, customer_id, name, name_key, biography, status, created_at)
     ${numbers(few)} select i, i, 'Profile ' || i, 'PROFILE ' || i, 'The biography of ' || i, 'A', i from n`,
    `insert into follow (id, follower_id, followee_id, created_at, shown)
     ${numbers(many)} select i, ${around('i - 1')}, ${around(`i + ${turn}`)}, i, 1 from n`,
    `insert into sport (id, name, communities) values (1, 'Racing', 1)`,
    `insert into event (id, sport_id, name, start_time, status) ${numbers(few)} select i, 1, 'Race ' || i, 1000 + i, 'active' from n`,
    `insert into market (id, event_id, name, status, settled_at)
     ${numbers(few)} select i, i, 'Winner', 'active', case when i % 5 < 2 then 5000 + i end from n`,
    `insert into outcome (id, market_id, name, status, starting_price, price_num, price_den, result)
     ${numbers(few)} select i, i, 'Horse ' || i, 'active', 0, 5, 2, case i % 5 when 0 then 'win' when 1 then 'lose' end from n`,
    `insert into bet (id, customer_id, placed_at) ${numbers(many)} select i, ${around('i - 1')}, i from n`,
    `insert into bet_outcome (bet_id, outcome_id) ${numbers(many)} select i, ${around(`i + 7 * ${turn}`)} from n`,
    `insert into comment (id, author_id, outcome_id, sport_id, bet_id, price_num, price_den, starting_price, text, created_at, sooner, status, listed)
     ${numbers(many)} select i, ${around('i - 1')}, ${around(`i + 7 * ${turn}`)}, 1, i, 5, 2, 0, 'I tip number ' || i || ', because it likes the ground',
       i, -1000 - ${around(`i + 7 * ${turn}`)}, ${status}, nullif(${status}, 'L') from n`,
    `insert into comment_like (profile_id, comment_id, created_at) ${numbers(many)} select ${around('i + 3')}, i, i from n`,
    `insert into comment_count (comment_id, author_id, outcome_id, sport_id, listed, likes)
     select id, author_id, outcome_id, sport_id, listed, 1 from comment`,
    `insert into outcome_count (outcome_id, num_live, likes, settled)
     select outcome_id, sum(case when status = 'A' then 1 else 0 end), sum(case when status = 'A' then 1 else 0 end),
       max(case when status = 'A' then 0 else 1 end) from comment group by outcome_id`,
    `insert into profile_count (profile_id, num_followers, num_followings, num_live, num_winning)
     select author_id, ${TIPS_OF_PROFILE}, ${TIPS_OF_PROFILE}, sum(case when status = 'A' then 1 else 0 end),
       sum(case when status = 'W' then 1 else 0 end) from comment group by author_id`,
    `insert into flag (kind, subject_id, profile_id, created_at, decided) ${numbers(few)} select 'comment', i, ${around('i')}, i, i % 2 from n`,
    `insert into review (kind, subject_id, flags, flagged_at) select kind, subject_id, 1, created_at from flag where decided = 0`,
    `insert into decision (id, kind, subject_id, action, note, actor, at) ${numbers(few)} select i, 'comment', i, 'keep', '', 'Olga', i + 1 from n where i % 2 = 1`,
    `insert into payment_method (id, customer_id, type, token, min_deposit, max_deposit, card_number, expiry_date, country, scheme, funding, created_at)
     ${numbers(few)} select i, i, 'CARD', 'sandbox:approve', 500, 100000, '411111******1111', '12/49', 'GB', 'VISA', 'debit', i from n`,
    `insert into deposit (number, id, customer_id, api_key, payment_method_id, gateway, amount, currency, day, lease_until, created_at, state, decided_at)
     ${numbers(few)} select i, 'deposit-' || i, i, 'first', i, 'sandbox', 1000 + i, 'GBP', 1, i, i, 'CAPTURED', i from n`,
    `insert into deposit_event (id, deposit_id, at, event, detail) ${numbers(few)} select i, 'deposit-' || i, i, 'authorised', '' from n`,
    `insert into account (id, kind, customer_id, currency, balance) values (1, 'psp_uncaptured', null, 'GBP', null), (2, 'psp_captured', null, 'GBP', null)`,
    `insert into account (id, kind, customer_id, currency, balance) ${numbers(few)} select 2 + i, 'customer', i, 'GBP', 1000 + i from n`,
    `insert into transfer (id, deposit_id, kind, debit_account_id, credit_account_id, amount, currency, at)
     ${numbers(few)} select 2 * i - 1, 'deposit-' || i, 'credit', 1, 2 + i, 1000 + i, 'GBP', i from n`,
    `insert into transfer (id, deposit_id, kind, debit_account_id, credit_account_id, amount, currency, at)
     ${numbers(few)} select 2 * i, 'deposit-' || i, 'capture', 2, 1, 1000 + i, 'GBP', i from n`,
  ]
}
