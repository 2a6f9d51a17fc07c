// The guards of movements.

import { guards } from './mutation.ts'

const SCHEMA = 'migrations/0116-ledger.sqlite.sql'
const MOVEMENTS = 'src/wallets/account/movements.ts'
const ACCOUNTS = 'src/wallets/account/customer-accounts.ts'

const SUITES = ['test/operator/movements.test.ts', 'test/wallets/account/races.test.ts']

export const movementMutations = guards(SUITES, [
  {
    guard: 'a reference once',
    scheduled: true,
    file: MOVEMENTS,
    from: 'if (isRepeated(movement, batch.known.get(reference)))',
    to: 'if (reference === "" && isRepeated(movement, batch.known.get(reference)))',
  },
  {
    guard: 'a reference once in a batch',
    scheduled: true,
    file: MOVEMENTS,
    from: '  batch.known.set(reference, termsOf(movement))\n',
    to: '',
  },
  {
    guard: 'a reference keeps its terms',
    scheduled: true,
    file: MOVEMENTS,
    from: '.every(([name, value])',
    to: '.some(([name, value])',
  },
  {
    guard: 'no stake beyond the balance',
    scheduled: true,
    file: MOVEMENTS,
    from: 'accounts.balance + changeOf(movement) < 0n',
    to: 'accounts.balance < 0n',
  },
  {
    guard: 'no stake of an excluded customer',
    scheduled: true,
    file: MOVEMENTS,
    from: "if (kind === 'stake') refuseExcluded(customer, batch.now)",
    to: '',
  },
  {
    guard: 'the status self-excluded counts',
    scheduled: true,
    file: MOVEMENTS,
    from: " && status !== 'self-excluded'",
    to: '',
  },
  {
    guard: 'only an adjustment is negative',
    scheduled: true,
    file: MOVEMENTS,
    from: "if (amount < 0n && kind !== 'adjustment')",
    to: 'if (amount === 1n)',
  },
  {
    guard: 'movements pay the debt',
    scheduled: true,
    file: MOVEMENTS,
    from: 'isCredit(movement) ? debtPayment(accounts) : 0n',
    to: '0n',
  },
  {
    guard: 'the debt is paid once',
    scheduled: true,
    file: ACCOUNTS,
    from: 'if (paysDebt) accounts.debt += amount',
    to: '',
  },
  {
    guard: 'balances are written',
    scheduled: true,
    file: ACCOUNTS,
    from: 'if (lines === stored.lines) return []',
    to: 'return []',
  },
  {
    guard: 'a movement refused by the schema',
    file: SCHEMA,
    from: "check (amount > 0 or (amount < 0 and kind = 'adjustment'))",
    to: '',
  },
  { guard: 'movements not changed', file: SCHEMA, from: /create trigger movement_no_update .*\n/, to: '' },
  { guard: 'movements not deleted', file: SCHEMA, from: /create trigger movement_no_delete .*\n/, to: '' },
  {
    guard: 'a reference once, by index alone',
    file: SCHEMA,
    from: 'reference text not null unique',
    to: 'reference text not null',
  },
])
