// A hundredth of a medium service, in proportion: 1,000 profiles that follow 20 others each, 20,000 tips, and so on.
// medium.ts makes the planner take it for the whole.

import type { Database } from '../../src/platform/database/database.ts'
import { withoutTriggers } from '../harness/without-triggers.ts'

/** 100,000 at medium. */
const FEW = 1_000
/** 2 million at medium. */
const MANY = 20_000

const FIRST = 1_000_001
/** The numbers from 1 to `count`. */
const numbers = (count: number) => `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})`

/** Ids are `FIRST` and those after it; `profile(k)` is the k-th profile's, around and around. */
const profile = (number: string) => `(${FIRST} + (${number}) % ${FEW})`
/** For the i-th of `MANY` rows: its owner, and its number among the owner's rows. */
const ofProfile = profile('i')
const turn = `(i / ${FEW})`

const fills = [
  `insert into customer (id, username, status, verified, currency, funds_statement_version, created_at)
   ${numbers(FEW)} select ${profile('i')}, 'filled-' || i, case when i % 50 = 0 then 'suspended' else 'active' end,
     case when i % 20 = 0 then 0 else 1 end, 'GBP', 1, i from n`,
  // One in ten has set limits.
  `insert into customer_limit (customer_id, period, amount, changed_at)
   ${numbers(FEW / 10)} select ${profile('i')}, case i % 3 when 0 then 'day' when 1 then 'week' else 'month' end, 1000, i from n`,
  `insert into safeguard_change (customer_id, kind, at, data)
   ${numbers(FEW / 10)} select ${profile('i')}, 'limit.changed', i, '{}' from n`,
  `insert into session (ticket_hash, customer_id, created_at, used_at, expires_at, idle_ms)
   ${numbers(FEW)} select 'hash-' || i, ${profile('i')}, i, i, 2000000000000 + i, 7200000 from n`,
  `insert into failed_log_in (subject, clear_at, blocked_until) ${numbers(FEW)} select 'name ' || i, 9000000000000 + i, i from n`,
  // One in a hundred is not indexed for search yet, as after an upgrade.
  `insert into profile (id, customer_id, name, name_key, name_look, biography, status, created_at, name_words, biography_words)
   ${numbers(FEW)} select ${profile('i')}, ${profile('i')}, 'Filled ' || i, 'FILLED ' || i, case when i % 100 > 0 then 'filled ' || i end, '', 'A', i,
     case when i % 100 > 0 then ' filled ' || i end, case when i % 100 > 0 then '' end from n`,
  `insert into profile_count (profile_id, num_followers) ${numbers(FEW)} select ${profile('i')}, i from n`,
  `insert into follow (follower_id, followee_id, created_at, shown)
   ${numbers(MANY)} select ${ofProfile}, ${profile(`i + 1 + 37 * ${turn}`)}, i, case when i % 50 = 0 then 0 else 1 end
   from n`,
  // One in five restricts, and one in fifty could be put back.
  `insert into decision (id, kind, subject_id, profile_id, action, note, actor, at, ground, clause, former)
   ${numbers(FEW)} select ${FIRST} + i, 'profile', ${FIRST} + i / 5, ${FIRST} + i / 5,
     case when i % 5 = 0 then 'reset-name' else 'keep' end, '', 'someone', i, case when i % 5 = 0 then 'terms' end,
     case when i % 5 = 0 then 'general' end, case when i % 50 = 0 then 'A name' end from n`,
  // One in ten is open.
  `insert into appeal (decision_id, profile_id, party, text, made_at, state, decided_at)
   ${numbers(FEW)} select ${FIRST} + i, ${FIRST} + i / 5, 'author', 'Please read it again', i,
     case when i % 10 = 0 then 'open' else 'upheld' end, case when i % 10 > 0 then i + 1 end from n`,
  // One in ten is open.
  `insert into flag (kind, subject_id, profile_id, created_at, decided, decision_id, weight)
   ${numbers(FEW)} select case when i % 2 = 0 then 'profile' else 'comment' end, ${FIRST} + i / 10, ${profile('i')}, i,
     case when i % 10 = 0 then 0 else 1 end, case when i % 10 > 0 then ${FIRST} + 1 + i / 10 end, 500000 from n`,
  `insert into review (kind, subject_id, flags, flagged_at, weight, trusted)
   ${numbers(FEW)} select case when i % 2 = 0 then 'profile' else 'comment' end, ${FIRST} + i, 1 + i % 40, i,
     case when i % 20 = 0 then 0 else 500000 + i end, case when i % 21 = 0 then 1 else 0 end from n`,
  `insert into subject_label (kind, subject_id, label, actor, at)
   ${numbers(FEW)} select case when i % 2 = 0 then 'profile' else 'comment' end, ${FIRST} + i, case i % 3 when 0 then 'watch' else 'tout' end, 'ann', i from n`,
  `insert into assignment (kind, subject_id, assignee, note, actor, at)
   ${numbers(FEW)} select case when i % 2 = 0 then 'profile' else 'comment' end, ${FIRST} + i, 'person:' || (i % 50), '', 'ann', i from n`,
  `insert into reporter (profile_id, flags, upheld, rejected, muted, trusted)
   ${numbers(FEW)} select ${profile('i')}, i % 100, i % 30, i % 40, case when i % 50 = 0 then 1 else 0 end,
     case when i % 51 = 0 and i % 50 > 0 then 1 else 0 end from n`,
  `insert into profile_mute (profile_id, other_id, created_at, until)
   ${numbers(MANY)} select ${ofProfile}, ${profile(`i + 1 + 41 * ${turn}`)}, i,
     case when i % 2 = 0 then 9007199254740991 else 2000000000000 + i end from n`,
  `insert into profile_block (profile_id, other_id, own, created_at)
   ${numbers(MANY)} select ${ofProfile}, ${profile(`i + 1 + 43 * ${turn}`)}, i % 2, i from n`,
  `insert into event_log (position, kind, subject_type, subject_id, profile_id, customer_id, at, data)
   ${numbers(MANY)} select ${FIRST} + i, 'like.created', 'comment', ${FIRST} + i, case when i % 20 > 0 then ${ofProfile} end,
     case when i % 20 = 0 then ${ofProfile} end, i, '{"byProfileId":"1"}' from n`,
  `insert into webhook_endpoint (id, url, enabled, secret, read_position, created_at)
   ${numbers(5)} select ${FIRST} + i, 'https://example.com', 1, '', 0, i from n`,
  // One in twenty waits, and half of those for an earlier one of its subject.
  `insert into webhook_delivery (endpoint_id, position, kind, subject_type, subject_id, event_at, created_at, state,
     due_at, finished_at)
   ${numbers(MANY)} select ${FIRST} + 1 + i % 5, ${FIRST} + i, 'like.created', 'comment', ${FIRST} + i / 40, i, i,
     case when i % 20 = 0 then 'waiting' else 'delivered' end, case when i % 40 = 0 then 9000000000000 + i end,
     case when i % 20 > 0 then i end from n`,
  `insert into webhook_attempt (delivery_id, number, at, status, duration_ms, head, body)
   select id, 1, created_at, 200, 1, '', '' from webhook_delivery`,
  `insert into recent_request (application, at, data) ${numbers(FEW)} select 'application-' || i % 50, i, '{}' from n`,
  `insert into notification (key, profile_id, type, comment_id, position, at, num_actors, is_read, action)
   ${numbers(MANY)} select ${FIRST} + i, ${ofProfile},
     case i % 4 when 0 then 'decision' when 1 then 'settled' when 2 then 'liked' else 'followed' end,
     case when i % 4 < 3 then ${FIRST} + i end, ${FIRST} + i, i, case when i % 4 < 2 then 0 else 2 end,
     case when i % 4 = 3 and i > ${FEW} or i % 5 > 0 then 1 else 0 end, case when i % 4 = 0 then 'remove' end from n`,
  `insert into notification_actor (profile_id, recipient_id, comment_id, notification_key, position, shown)
   ${numbers(MANY)} select ${profile(`i + 1 + 37 * ${turn}`)}, ${ofProfile}, case when i % 2 = 0 then ${FIRST} + i else 0 end,
     ${FIRST} + 2 + (i - 1) / 4 * 4, i, case when i % 50 = 0 then 0 else 1 end from n`,
  `insert into audit (at, actor, role, action, subject, detail)
   ${numbers(FEW)} select i, 'actor ' || i % 20, 'admin', 'action' || i % 30, '' || ${FIRST} + i % 500, '{}' from n`,
  `insert into used_sign_in (attempt_hash, used_at) ${numbers(FEW)} select 'attempt-' || i, i from n`,
  `insert into operator_person (subject, person) ${numbers(FEW)} select 'subject-' || i, 'person' || i from n`,
  `insert into console_session (cookie_hash, name, role, subject, created_at, used_at, expires_at)
   ${numbers(FEW)} select 'cookie-' || i, 'openid:someone', 'moderator', 's', i, i, 2000000000000 + i from n`,
  `insert into sport (id, name, communities) values (${FIRST}, 'Filled', 1)`,
  // Half of them are settled.
  `insert into event (id, sport_id, name, start_time, status, settled_at)
   ${numbers(FEW)} select ${FIRST} + i, ${FIRST}, 'Event ' || i, 2000000000000 + i, 'active', case when i % 2 = 0 then i end from n`,
  `insert into market (id, event_id, name, status)
   ${numbers(FEW)} select ${FIRST} + i, ${FIRST} + i, 'Market ' || i, 'active' from n`,
  `insert into outcome (id, market_id, name, status, starting_price)
   ${numbers(3 * FEW)} select ${FIRST} + i, ${FIRST} + 1 + i % ${FEW}, 'Outcome ' || i, 'active', 0 from n`,
  `insert into price_point (outcome_id, minute, price_num, price_den)
   ${numbers(MANY)} select ${FIRST} + 1 + i % ${3 * FEW}, i, 5, 2 from n`,
  `insert into bet (id, customer_id, placed_at) ${numbers(MANY)} select ${FIRST} + i, ${ofProfile}, i from n`,
  `insert into bet_outcome (bet_id, outcome_id)
   ${numbers(MANY)} select ${FIRST} + i, ${FIRST} + 1 + i % ${3 * FEW} from n`,
  `insert into comment (id, author_id, outcome_id, sport_id, bet_id, starting_price, text, words, created_at, start_order,
     status, state, listed)
   ${numbers(MANY)} select ${FIRST} + i, ${ofProfile}, ${FIRST} + 1 + i % ${3 * FEW}, ${FIRST}, ${FIRST} + i, 0,
     'Filled with some words', case when i % 100 > 0 then ' filled with some words ' || i end, i, -2000000000000 - i, case i % 3 when 0 then 'W' when 1 then 'A' else 'L' end,
     case when i % 20 = 0 then 'removed' else 'live' end,
     case when i % 20 = 0 then null else case i % 3 when 0 then 'W' when 1 then 'A' end end from n`,
  `insert into tip_grade (profile_id, comment_id, sport_id, band, day, in_play, grade, stake, profit, odds, return_square,
     closing, withdrawn)
   select author_id, id, sport_id, 1 + id % 5, 20000 + id % 700, 0, 'L', 1, -1000000, 2000000, 10000, 0, 0 from comment`,
  `insert into record_sum (profile_id, in_play, day, sport_id, band, num_won, num_lost, num_void, num_withdrawn, staked,
     profit, odds, return_squares, num_closing, closing, num_beaten)
   select profile_id, in_play, day, sport_id, band, 0, count(*), 0, 0, count(*), 0, 0, 0, 0, 0, 0 from tip_grade
   group by profile_id, in_play, day, sport_id, band`,
  `insert into record_board (days, sport_id, band, profile_id, low, num_settled, num_won, num_lost, num_void,
     num_withdrawn, staked, profit, odds, return_squares, num_closing, closing, num_beaten, num_days, first_day, last_day)
   ${numbers(FEW)} select case i % 5 when 0 then 7 when 1 then 30 when 2 then 90 when 3 then 365 else 0 end, i % 2 * ${FIRST},
     i % 6, ${profile('i')}, i, i, i, i, i, i, i, i, i, i, i, i, i, i, i, i from n`,
  `insert into tip_log_entry (position, kind, comment_id, number, salt, data)
   select 2 * (id - ${FIRST}) - 2, 'tip', id, 1, '00', null from comment
   union all select 2 * (id - ${FIRST}) - 1, 'settlement', id, null, null, 'settlement' from comment`,
  `insert into tip_log_profile (profile_id, tips) select id, 20 from profile`,
  `insert into tip_log_tile (level, number, hashes) ${numbers(FEW)} select 0, i, '' from n`,
  // Many outcomes are pending.
  `insert into counted_status (comment_id, status) ${numbers(MANY)} select ${FIRST} + i, 'W' from n`,
  `insert into comment_count (comment_id, author_id, outcome_id, sport_id, listed, likes)
   select id, author_id, outcome_id, sport_id, listed, id % 40 from comment`,
  `insert into comment_like (comment_id, profile_id, created_at)
   ${numbers(MANY)} select ${FIRST} + 1 + (i * 7) % ${MANY}, ${ofProfile}, i from n`,
  `insert into outcome_count (outcome_id, num_live) ${numbers(3 * FEW)} select ${FIRST} + i, i % 30 from n`,
  `insert into payment_method (id, customer_id, type, token, min_deposit, max_deposit, card_number, expiry_date,
     country, scheme, funding, created_at)
   ${numbers(FEW)} select ${FIRST} + i, ${profile('i')}, 'CARD', 't', 500, 100000,
     '411111******' || (1000 + i % 9000), '12/49', 'GB', 'VISA', 'debit', i from n`,
  `insert into deposit (number, id, customer_id, api_key, idempotency_key, payment_method_id, gateway, amount, currency,
     day, state, fault, lease_until, created_at, decided_at, review, review_at, captured, captured_at)
   ${numbers(FEW)} select ${FIRST} + i, 'deposit-' || i, ${profile('i / 5')}, 'k', 'key-' || i, ${FIRST} + i, 'sandbox',
     i, 'GBP', i / 100,
     case when i % 100 = 0 then 'AUTHORISING' when i % 20 = 0 then 'DECLINED' when i % 90 = 0 then 'REVIEW' else 'CAPTURED' end,
     case when i % 20 = 0 then 'insufficientFunds' end, i, i, case when i % 100 = 0 then null else i end, case when i % 90 = 0 then 'capture-refused' end,
     case when i % 90 = 0 then i end, case when i % 100 = 0 or i % 20 = 0 or i % 90 = 0 then 0 else i end,
     case when i % 100 = 0 or i % 20 = 0 or i % 90 = 0 then null else i end from n`,
  `insert into deposit_challenge (deposit_id, url, method, data, return_url)
   ${numbers(FEW / 50)} select 'deposit-' || (i * 50), 'https://issuer.example/', 'GET', '[]', 'https://shop.example/' from n`,
  `insert into deposit_event (deposit_id, at, event, detail)
   ${numbers(FEW)} select 'deposit-' || i, i, 'begun', '' from n`,
  `insert into job (deposit_id, kind, run_at, created_at)
   ${numbers(FEW)} select 'deposit-' || i, 'capture', 9000000000000 + i, i from n`,
  `insert into account (id, kind, customer_id, currency, balance)
   ${numbers(FEW)} select ${FIRST} + i, 'customer', ${profile('i')}, 'GBP', 0 from n`,
  `insert into account (id, kind, customer_id, currency, balance)
   ${numbers(FEW / 50)} select ${FIRST} + 50000 + i, 'debt', ${profile('i')}, 'GBP', 0 from n`,
  `insert into account (id, kind, currency) values (3000000, 'psp_uncaptured', 'GBP'), (3000001, 'sportsbook', 'GBP')`,
  `insert into movement (id, reference, customer_id, kind, amount, currency, at)
   ${numbers(FEW)} select ${FIRST} + i, 'movement-' || i, ${profile('i % 100')}, 'stake', i, 'GBP', i from n`,
  `insert into transfer (deposit_id, kind, debit_account_id, credit_account_id, amount, currency, at, customer_account_id,
     line, balance_after, debt_account_id)
   ${numbers(FEW)} select 'deposit-' || i, 'credit', 3000000, ${FIRST} + i, i, 'GBP', i, ${FIRST} + i, 1, i,
     case when i % 50 = 0 then ${FIRST} + i end from n`,
  `insert into transfer (movement_id, kind, debit_account_id, credit_account_id, amount, currency, at, customer_account_id,
     line, balance_after)
   ${numbers(FEW)} select ${FIRST} + i, 'stake', ${FIRST} + 1 + i % 100, 3000001, i, 'GBP', i, ${FIRST} + 1 + i % 100, 1 + i / 100, i from n
   where i >= 100`,
  `insert into refund (id, reference, deposit_id, customer_id, origin, amount, currency, reason, requested_by, requested_person,
     needs_approval, state, paid, gateway_reference, begun_at, created_at, changed_at)
   ${numbers(FEW)} select ${FIRST} + i, 'refund-' || i, 'deposit-' || i, ${profile('i / 5')}, 'operator', i, 'GBP', '', '', '', 0,
     case i % 10 when 0 then 'SENT' when 1 then 'REQUESTED' else 'DONE' end, case when i % 10 > 1 then i else 0 end, 'gateway-' || i,
     i, i, i from n`,
  `insert into dispute (id, deposit_id, gateway_reference, customer_id, currency, state, amount, answer_by, evidence, created_at,
     changed_at)
   ${numbers(FEW)} select ${FIRST} + i, 'deposit-' || i, 'dispute-' || i, ${profile('i / 5')}, 'GBP',
     case i % 10 when 0 then 'CHARGED_BACK' else 'REVERSED' end, i, i, 'open', i, i from n`,
  `insert into dispute_event (id, dispute_id, notification_key, event, amount, at)
   ${numbers(FEW)} select ${FIRST} + i, ${FIRST} + i, 'key-' || i, 'CHARGEBACK', i, i from n`,
  `insert into transfer (refund_id, kind, debit_account_id, credit_account_id, amount, currency, at, customer_account_id,
     line, balance_after)
   ${numbers(FEW)} select ${FIRST} + i, 'refund', ${FIRST} + i, 3000001, i, 'GBP', i, ${FIRST} + i, 100000, i from n`,
  `insert into transfer (dispute_event_id, kind, debit_account_id, credit_account_id, amount, currency, at, customer_account_id,
     line, balance_after)
   ${numbers(FEW)} select ${FIRST} + i, 'chargeback', ${FIRST} + i, 3000001, i, 'GBP', i, ${FIRST} + i, 100001, i from n`,
  `insert into withdrawal (id, reference, customer_id, api_key, payment_method_id, gateway, amount, currency, state, approvals,
     created_at, changed_at)
   ${numbers(FEW)} select ${FIRST} + i, 'withdrawal-' || i, ${profile('i / 5')}, 'k', ${FIRST} + i, 'sandbox', i, 'GBP',
     case i % 10 when 0 then 'REQUESTED' else 'PAID' end, 0, i, i from n`,
  `insert into withdrawal_event (withdrawal_id, at, event, detail) ${numbers(FEW)} select ${FIRST} + i, i, 'requested', '' from n`,
  `insert into transfer (withdrawal_id, kind, debit_account_id, credit_account_id, amount, currency, at, customer_account_id,
     line, balance_after)
   ${numbers(FEW)} select ${FIRST} + i, 'withdrawal', ${FIRST} + i, 3000001, i, 'GBP', i, ${FIRST} + i, 100002, i from n`,
  `insert into withdrawal_part (id, withdrawal_id, customer_id, kind, deposit_id, amount, currency, paid, state, reference, gateway,
     gateway_reference, begun_at, created_at, changed_at)
   ${numbers(FEW)} select ${FIRST} + i, ${FIRST} + i, ${profile('i / 5')}, case when i % 4 = 0 then 'payout' else 'return' end,
     case when i % 4 = 0 then null else 'deposit-' || i end, i, 'GBP', case i % 10 when 0 then 0 else i end,
     case i % 10 when 0 then 'WAITING' else 'PAID' end, 'part-' || i, 'sandbox', case i % 10 when 0 then null else 'part-gateway-' || i end,
     case i % 10 when 0 then null else i end, i, i from n`,
  `insert into transfer (part_id, step, kind, debit_account_id, credit_account_id, amount, currency, at)
   ${numbers(FEW)} select ${FIRST} + i, 1, 'return_paid', 3000000, 3000001, i, 'GBP', i from n`,
  `insert into job (part_id, kind, run_at, created_at)
   ${numbers(FEW / 50)} select ${FIRST} + i * 10, 'part', 9000000000000 + i, i from n`,
  `insert into resolution (id, customer_id, subject, amount, currency, at)
   ${numbers(FEW / 50)} select ${FIRST} + i, ${profile('i')}, 'refund ' || i, i, 'GBP', i from n`,
  `insert into debt_write_off (id, customer_id, amount, currency, note, decided_by, decided_again_by, at)
   ${numbers(FEW / 50)} select ${FIRST} + i, ${profile('i')}, i, 'GBP', '', 'ann', 'bea', i from n`,
  `insert into transfer (write_off_id, kind, debit_account_id, credit_account_id, amount, currency, at)
   ${numbers(FEW / 50)} select ${FIRST} + i, 'debt_written_off', 3000001, 3000000, i, 'GBP', i from n`,
  `insert into gateway_notification (gateway, notification_key, event, success, reference, received_at, outcome, customer_id, subject)
   ${numbers(FEW)} select 'adyen', 'n' || i, 'AUTHORISATION', 1, 'deposit-' || i, i,
     case when i % 50 = 0 then 'contradiction' else 'applied' end, ${profile('i / 5')}, case when i % 50 = 0 then 'deposit ' || i end
   from n`,
  `insert into payout_before_parts (withdrawal_id) ${numbers(FEW)} select ${FIRST} + i from n`,
]

/** The tables that grow. */
export const filledTables = [...new Set(fills.map((fill) => /^insert into (\w+)/.exec(fill)?.[1] as string))].filter(
  (table) => table !== 'sport' && table !== 'webhook_endpoint',
)

export async function fillTables(database: Database): Promise<void> {
  await withoutTriggers(database, async () => {
    for (const fill of fills) await database.script(fill)
  })
  await database.script('analyze')
}
