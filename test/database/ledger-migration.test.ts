import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, type NoParameters, reading } from '../../src/platform/database/database.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { balanceOf, transfer } from '../../src/wallets/account/ledger.ts'
import { checkLedger } from '../../src/wallets/books/ledger-check.ts'
import { applyUpTo, openTestDatabase } from '../harness/old-schema.ts'
import { engine, newTestDatabase, type TestDatabase } from '../harness/service.ts'

let testDatabase: TestDatabase
let database: Database

beforeAll(async () => {
  testDatabase = await newTestDatabase('empty')
  database = openTestDatabase(testDatabase)
})

afterAll(async () => {
  await database.close()
  await testDatabase.remove()
})

/** Deposits of two customers: two captured, one of them returned and reversed, one authorised, in two currencies. */
const OLD_LEDGER = `
  insert into customer (id, username, status, verified, currency, funds_statement_version, created_at)
    values (1, 'one', 'active', 1, 'GBP', 1, 1), (2, 'two', 'active', 1, 'EUR', 1, 1);
  insert into payment_method (id, customer_id, type, token, min_deposit, max_deposit, card_number, expiry_date, country,
      scheme, funding, created_at)
    values (5, 1, 'CARD', 't', 500, 100000, '411111******1111', '12/49', 'GB', 'VISA', 'debit', 1);
  insert into deposit (id, customer_id, api_key, payment_method_id, gateway, amount, currency, day, lease_until, created_at,
      state, fault, decided_at)
    values ('a', 1, 'k', 5, 'sandbox', 1000, 'GBP', 1, 1, 1, 'CAPTURED', null, 10),
      ('b', 1, 'k', 5, 'sandbox', 2500, 'GBP', 1, 1, 1, 'AUTHORISED', null, 20),
      ('c', 1, 'k', 5, 'sandbox', 700, 'GBP', 1, 1, 1, 'VOIDED', 'authorisationFailed', 30),
      ('d', 2, 'k', 5, 'sandbox', 900, 'EUR', 1, 1, 1, 'CAPTURED', null, 40);
  insert into account (id, kind, customer_id, currency, balance) values
    (11, 'customer', 1, 'GBP', 3500), (12, 'psp_uncaptured', null, 'GBP', null), (13, 'psp_captured', null, 'GBP', null),
    (14, 'customer', 2, 'EUR', 900), (15, 'psp_uncaptured', null, 'EUR', null), (16, 'psp_captured', null, 'EUR', null);
  insert into transfer (deposit_id, kind, debit_account_id, credit_account_id, amount, currency, at) values
    ('a', 'credit', 12, 11, 1000, 'GBP', 10), ('a', 'capture', 13, 12, 1000, 'GBP', 15),
    ('c', 'credit', 12, 11, 700, 'GBP', 30), ('b', 'credit', 12, 11, 2500, 'GBP', 20),
    ('d', 'credit', 15, 14, 900, 'EUR', 40), ('d', 'capture', 16, 15, 900, 'EUR', 41),
    ('c', 'reversal', 11, 12, 700, 'GBP', 50);`

const lines = reading<NoParameters, object>('linesOfAll')`
  select customer_account_id as account, line, deposit_id, kind, cast(balance_after as text) as balance, at
  from transfer where line is not null order by customer_account_id, line`

const accounts = reading<NoParameters, { kind: string; lines: number; moved_at: number }>('accountsOfAll')`
  select kind, currency, cast(balance as text) as balance, lines, moved_at from account where customer_id is not null
  order by id`

test('an existing ledger is numbered line by line, and goes on', async () => {
  await applyUpTo(115, database)
  await database.script(OLD_LEDGER)
  // The rows above have ids of their own.
  if (engine === 'postgres') await database.script(`select setval(pg_get_serial_sequence('account', 'id'), 16)`)
  expect(await migrate(database, 2)).toContain('0116-ledger')
  expect(await database.query(lines, {})).toEqual([
    { account: 11, line: 1, deposit_id: 'a', kind: 'credit', balance: '1000', at: 10 },
    { account: 11, line: 2, deposit_id: 'b', kind: 'credit', balance: '3500', at: 20 },
    { account: 11, line: 3, deposit_id: 'c', kind: 'credit', balance: '4200', at: 30 },
    { account: 11, line: 4, deposit_id: 'c', kind: 'reversal', balance: '3500', at: 50 },
    { account: 14, line: 1, deposit_id: 'd', kind: 'credit', balance: '900', at: 40 },
  ])
  expect(await database.query(accounts, {})).toEqual([
    { kind: 'customer', currency: 'GBP', balance: '3500', lines: 4, moved_at: 50 },
    { kind: 'customer', currency: 'EUR', balance: '900', lines: 1, moved_at: 40 },
  ])
  expect(await checkLedger(database)).toMatchObject({ balanced: true, deposits: 4, problems: [] })

  // The clock of this process is behind: the line is not earlier than the one before.
  const capture = { source: { deposit_id: 'b' }, customerId: 1, currency: 'GBP', amount: 2500n }
  await database.transaction((tx) => transfer(tx, [{ kind: 'reversal', ...capture }], 45))
  expect((await database.query(lines, {}))[4]).toMatchObject({ line: 5, kind: 'reversal', balance: '1000', at: 50 })
  expect(await balanceOf(database, 1, 'GBP')).toBe(1000n)
  expect((await checkLedger(database)).problems).toEqual(['deposit b is AUTHORISED with 0.00 credited, not 25.00'])

  for (const refused of [
    'update transfer set amount = 1',
    'delete from transfer',
    `insert into transfer (deposit_id, kind, debit_account_id, credit_account_id, amount, currency, at)
       values ('a', 'capture', 13, 12, 1000, 'GBP', 1)`,
  ]) {
    await expect(database.script(refused), refused).rejects.toThrow()
  }
})
