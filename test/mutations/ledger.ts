// The guards of the ledger, whatever moves money.

import { guards } from './mutation.ts'

/** SQLite writes the table of accounts again with each new kind. */
const ACCOUNTS = 'migrations/0135-money-rules.sqlite.sql'
const SCHEMA = 'migrations/0116-ledger.sqlite.sql'
const LEDGER = 'src/wallets/account/ledger.ts'
const CHECK = 'src/wallets/books/ledger-check.ts'

const SUITES = [
  'test/operator/wallets.test.ts',
  'test/wallets/books/ledger.test.ts',
  'test/database/ledger-migration.test.ts',
]

export const ledgerMutations = guards(SUITES, [
  { guard: 'balance >= 0', file: ACCOUNTS, from: "check (kind <> 'customer' or balance >= 0),", to: '' },
  { guard: 'debt <= 0', file: ACCOUNTS, from: "check (kind <> 'debt' or balance <= 0),", to: '' },
  { guard: 'transfers not changed', file: SCHEMA, from: /create trigger transfer_no_update .*\n/, to: '' },
  { guard: 'transfers not deleted', file: SCHEMA, from: /create trigger transfer_no_delete .*\n/, to: '' },
  {
    guard: 'the time of a line never goes back',
    scheduled: true,
    file: 'src/wallets/account/ledger-store.ts',
    from: 'then moved_at else',
    to: 'then cast(:now as bigint) else',
  },
  {
    guard: 'credits pay the debt',
    scheduled: true,
    file: LEDGER,
    from: 'if (amount > 0n) rows.push',
    to: 'if (amount > 9n ** 18n) rows.push',
  },
  { guard: 'the check compares lines', file: CHECK, from: 'return lineProblem(row)', to: 'return null' },
])
