import type { Database } from '../../src/database/database.ts'

const ROWS = 100_000

const CHUNK = 20_000

/** Rows by the hundred thousand in every table that grows, with the statistics that the planner needs. */
export async function fillTables(database: Database): Promise<void> {
  for (const fill of FILLS) {
    // In chunks, each well within the time that the service gives a statement, on a busy machine too.
    for (let first = 1; first <= ROWS; first += CHUNK) {
      const last = first + CHUNK - 1
      await database.script(
        fill(`with recursive n (i) as (select ${first} union all select i + 1 from n where i < ${last})`),
      )
      // At once: the checks of foreign keys plan too, and without statistics they read the whole table for each row.
      if (first === 1) await database.script('analyze')
    }
  }
  await database.script('analyze')
}

const FILLS: readonly ((numbers: string) => string)[] = [
  (numbers) => `insert into customer (id, username, status, verified, currency, funds_statement_version, created_at)
     ${numbers} select 1000000 + i, 'filled-' || i, 'active', 1, 'GBP', 1, i from n`,
  (numbers) => `insert into session (ticket_hash, customer_id, created_at, used_at, expires_at, idle_ms)
     ${numbers} select 'hash-' || i, 1000000 + i, i, i, 2000000000000 + i, 7200000 from n`,
  (numbers) => `insert into profile (id, customer_id, name, name_key, biography, status, created_at)
     ${numbers} select 1000000 + i, 1000000 + i, 'Filled ' || i, 'FILLED ' || i, '', 'A', i from n`,
  (numbers) => `insert into profile_count (profile_id, num_followers) ${numbers} select 1000000 + i, i % 1000 from n`,
  (numbers) => `insert into follow (follower_id, followee_id, created_at, shown)
     ${numbers} select 1000000 + i, 1000000 + 1 + (i * 7919) % ${ROWS}, i, case when i % 50 = 0 then 0 else 1 end
     from n where i <> 1 + (i * 7919) % ${ROWS}`,
  (numbers) => `insert into flag (kind, subject_id, profile_id, created_at)
     ${numbers} select case when i % 2 = 0 then 'profile' else 'comment' end, 1000000 + i % 5000, 1000000 + i, i from n`,
  (numbers) => `insert into review (kind, subject_id, flags, flagged_at)
     ${numbers} select case when i % 2 = 0 then 'profile' else 'comment' end, 1000000 + i, 1 + i % 40, i from n`,
  (numbers) => `insert into decision (kind, subject_id, action, note, actor, at)
     ${numbers} select 'profile', 1000000 + i % 20000, 'keep', '', 'someone', i from n`,
  (
    numbers,
  ) => `insert into payment_method (id, customer_id, type, token, min_deposit, max_deposit, card_number, expiry_date,
       country, scheme, funding, created_at)
     ${numbers} select 1000000 + i, 1000000 + i, 'CARD', 't', 500, 100000, '411111******1111', '12/49', 'GB', 'VISA',
       'debit', i from n`,
  (
    numbers,
  ) => `insert into deposit (number, id, customer_id, api_key, idempotency_key, payment_method_id, gateway, amount, currency,
       day, state, fault, lease_until, created_at, decided_at)
     ${numbers} select 1000000 + i, 'deposit-' || i, 1000001 + i % 20000, 'k', 'key-' || i, 1000000 + i, 'sandbox', i,
       'GBP', i / 1000, case when i < 1000 then 'AUTHORISING' when i % 20 = 0 then 'DECLINED' else 'CAPTURED' end, 'x', i, i,
       case when i < 1000 then null else i end from n`,
  (numbers) => `insert into deposit_event (deposit_id, at, event, detail)
     ${numbers} select 'deposit-' || i, i, 'begun', '' from n`,
  (numbers) => `insert into job (deposit_id, kind, run_at, created_at)
     ${numbers} select 'deposit-' || i, 'capture', 9000000000000 + i, i from n`,
  (numbers) => `insert into account (id, kind, customer_id, currency, balance)
     ${numbers} select 1000000 + i, 'customer', 1000000 + i, 'GBP', 0 from n`,
  (numbers) => `insert into transfer (deposit_id, kind, debit_account_id, credit_account_id, amount, currency, at)
     ${numbers} select 'deposit-' || i, 'credit', 1000001 + i % ${ROWS}, 1000000 + i, i, 'GBP', i from n`,
  (numbers) => `insert into gateway_notification (gateway, notification_key, event, success, deposit_id, received_at)
     ${numbers} select 'adyen', 'n' || i, 'AUTHORISATION', 1, 'deposit-' || i, i from n`,
  (numbers) =>
    `insert into audit (at, actor, role, action, subject, detail) ${numbers} select i, 'a', 'admin', 'b', 'c', '{}' from n`,
]
