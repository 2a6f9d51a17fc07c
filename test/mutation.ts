// npm run mutation [-- part of a guard's name, another, …]
//
// Removes each guard of the deposits in turn and checks that a test fails without it. Works on a copy of the project.

import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

type Mutation = { guard: string; file: string; from: string | RegExp; to: string }

const SCHEMA = 'migrations/0030-wallets.sql'
const GUARDS = 'migrations/0031-wallet-guards.sqlite.sql'
const STORE = 'src/wallets/store.ts'
const DEPOSIT = 'src/wallets/deposit.ts'
const DECIDE = 'src/wallets/deposit-transitions.ts'
const SWEEPER = 'src/wallets/sweeper.ts'

const MUTATIONS: Mutation[] = [
  { guard: 'balance >= 0', file: SCHEMA, from: 'balance bigint check (balance >= 0)', to: 'balance bigint' },
  {
    guard: 'unique (deposit, kind)',
    file: SCHEMA,
    from: /,\n {2}unique \(deposit_id, kind\)\n\);\ncreate index transfer_debit/,
    to: '\n);\ncreate index transfer_debit',
  },
  {
    guard: 'masked card number',
    file: SCHEMA,
    from: /card_number text not null check .*/,
    to: 'card_number text not null,',
  },
  {
    guard: 'in flight, by index alone',
    file: SCHEMA,
    from: 'create unique index deposit_in_flight',
    to: 'create index deposit_in_flight',
  },
  { guard: 'notifications once', file: SCHEMA, from: /,\n {2}unique \(gateway, notification_key\)/, to: '' },
  { guard: 'transfers not changed', file: GUARDS, from: /create trigger transfer_no_update .*\n/, to: '' },
  { guard: 'transfers not deleted', file: GUARDS, from: /create trigger transfer_no_delete .*\n/, to: '' },
  {
    guard: 'events not deleted',
    file: GUARDS,
    from: /create trigger deposit_event_no_delete[^;]*; end;\n/,
    to: '',
  },
  { guard: 'deposits not deleted', file: GUARDS, from: /create trigger deposit_no_delete .*\n/, to: '' },
  { guard: 'terms not changed', file: GUARDS, from: /create trigger deposit_terms[^;]*; end;\n/, to: '' },
  { guard: 'moves of states', file: GUARDS, from: /create trigger deposit_moves[\s\S]*$/, to: '' },
  {
    guard: 'approve where AUTHORISING',
    file: STORE,
    from: /(approveDeposit',[\s\S]*?)where id = :id and state = 'AUTHORISING'/,
    to: '$1where id = :id',
  },
  {
    guard: 'decline where AUTHORISING',
    file: STORE,
    from: /(declineDeposit',[\s\S]*?)where id = :id and state = 'AUTHORISING'/,
    to: '$1where id = :id',
  },
  {
    guard: 'void where AUTHORISING',
    file: STORE,
    from: /(voidDeposit',[\s\S]*?)where id = :id and state = 'AUTHORISING'/,
    to: '$1where id = :id',
  },
  {
    guard: 'capture where AUTHORISED',
    file: STORE,
    from: `where id = :id and state = 'AUTHORISED'`,
    to: 'where id = :id',
  },
  {
    guard: 'finish void where VOIDING',
    file: STORE,
    from: `where id = :id and state = 'VOIDING'`,
    to: 'where id = :id',
  },
  {
    guard: 'review from its states',
    file: STORE,
    from: 'where id = :id and state = :from',
    to: 'where id = :id and :from = :from',
  },
  {
    guard: 'limit counts what is reserved',
    file: STORE,
    from: `state in ('AUTHORISING', 'AUTHORISED', 'CAPTURED', 'REVIEW')`,
    to: `state in ('AUTHORISING')`,
  },
  { guard: '24011', file: DEPOSIT, from: /.*depositInFlight, \{ customerId: customer\.id \}.*\n/, to: '' },
  { guard: '24008', file: DEPOSIT, from: /.*walletFault\('dailyLimitExceeded'\).*\n/, to: '' },
  { guard: 'same parameters of a key', file: DEPOSIT, from: /.*if \(!same\).*\n/, to: '' },
  { guard: 'wrong cv2 limit', file: DEPOSIT, from: /.*WRONG_CV2_LIMIT\) throw.*\n/, to: '' },
  {
    guard: 'late approvals are cancelled',
    file: DECIDE,
    from: `await tx.run(insertJob, { depositId: id, kind: 'cancel', now })\n    await tx.run(insertDepositEvent, { depositId: id, now, event: 'approved too late'`,
    to: `await tx.run(insertDepositEvent, { depositId: id, now, event: 'approved too late'`,
  },
  {
    guard: 'void before the answer',
    file: DECIDE,
    from: /.*insertJob, \{ depositId: id, kind: 'cancel', now \}\);?\n(.*'voiding')/,
    to: '$1',
  },
  { guard: 'grace period', file: SWEEPER, from: 'const graceOver = now >=', to: 'const graceOver = true || now >=' },
]

const SUITES = [
  'test/contract/wallets',
  'test/flows/deposits',
  'test/flows/adyen',
  'test/operator/wallets',
  'test/concurrency/deposits.test.ts',
]

const root = new URL('../', import.meta.url).pathname
const copy = mkdtempSync(join(tmpdir(), 'paddock-mutation-'))
for (const name of ['src', 'test', 'migrations', 'package.json', 'tsconfig.json', 'vitest.config.ts']) {
  cpSync(join(root, name), join(copy, name), { recursive: true })
}
symlinkSync(
  execFileSync('realpath', [join(root, 'node_modules')])
    .toString()
    .trim(),
  join(copy, 'node_modules'),
)

const only = process.argv.slice(2)
const selected = MUTATIONS.filter(({ guard }) => only.length === 0 || only.some((part) => guard.includes(part)))
let survivors = 0
try {
  if (!suitesPass()) throw new Error('the suites fail without any mutation')
  for (const mutation of selected) {
    const verdict = verdictOn(mutation)
    if (verdict !== 'killed') survivors++
    console.log(`${verdict.padEnd(9)} ${mutation.guard}`)
  }
} finally {
  rmSync(copy, { recursive: true, force: true })
}
console.log(`${selected.length} guards, ${survivors} not covered by a test`)
process.exitCode = survivors === 0 ? 0 : 1

function verdictOn({ file, from, to }: Mutation): 'killed' | 'SURVIVED' | 'NOT FOUND' {
  const path = join(copy, file)
  const text = readFileSync(path, 'utf8')
  const mutated = text.replace(from, to)
  if (mutated === text) return 'NOT FOUND'
  writeFileSync(path, mutated)
  try {
    return suitesPass() ? 'SURVIVED' : 'killed'
  } finally {
    writeFileSync(path, text)
  }
}

function suitesPass(): boolean {
  const args = ['vitest', 'run', '--project', 'sqlite', '--bail', '1', ...SUITES]
  return spawnSync('npx', args, { cwd: copy, stdio: 'ignore', timeout: 300_000 }).status === 0
}
