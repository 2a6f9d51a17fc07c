// The guards of money that are in the schema, on both engines: triggers, checks and unique indexes. They are the second guard: the code
// tries nothing of what they refuse.

import { readdirSync, readFileSync } from 'node:fs'
import { guards, type Mutation, type Project } from './mutation.ts'

const SUITES = ['test/wallets/books/schema.test.ts']

const migrations = new URL('../../migrations/', import.meta.url)
/** Of an engine, the newest first. */
const TEXTS = { sqlite: textsOf('sqlite'), postgres: textsOf('postgres') }

type Guard = Omit<Mutation, 'suites' | 'project'>

const onSqlite = (guard: string, from: RegExp | string, to = ''): Guard => ({
  guard: `${guard} (SQLite)`,
  file: newest('sqlite', from),
  from,
  to,
})
const onPostgres = (guard: string, from: RegExp | string, to = ''): Guard => ({
  guard: `${guard} (PostgreSQL)`,
  file: newest('postgres', from),
  from,
  to,
})

function textsOf(engine: Project): { file: string; text: string }[] {
  const other = engine === 'sqlite' ? '.postgres.sql' : '.sqlite.sql'
  const names = readdirSync(migrations).filter((name) => name.endsWith('.sql') && !name.endsWith(other))
  return names
    .sort()
    .reverse()
    .map((name) => ({ file: `migrations/${name}`, text: readFileSync(new URL(name, migrations), 'utf8') }))
}

/** A guard that is written again counts where it is written last. */
function newest(engine: Project, from: RegExp | string): string {
  const found = TEXTS[engine].find(({ text }) => text.replace(from, '') !== text)
  return found?.file ?? 'migrations/none'
}

// ---- Triggers

type Trigger = { readonly guard: string; readonly name: string }

const TRIGGERS: readonly Trigger[] = [
  { guard: 'the currency of a customer with money', name: 'customer_currency' },
  { guard: 'a card with a history keeps token and number', name: 'payment_method_card' },
  { guard: 'moves of deposits', name: 'deposit_moves' },
  { guard: 'withdrawals are kept', name: 'withdrawal_no_delete' },
  { guard: 'terms of withdrawals', name: 'withdrawal_terms' },
  { guard: 'moves of withdrawals', name: 'withdrawal_moves' },
  { guard: 'parts are kept', name: 'withdrawal_part_no_delete' },
  { guard: 'terms of parts', name: 'withdrawal_part_terms' },
  { guard: 'moves of parts', name: 'withdrawal_part_moves' },
  { guard: 'parts are sent when two persons have approved', name: 'withdrawal_part_approval' },
  { guard: 'refunds are kept', name: 'refund_no_delete' },
  { guard: 'terms of refunds', name: 'refund_terms' },
  { guard: 'moves of refunds', name: 'refund_moves' },
  { guard: 'refunds are sent when two persons have approved', name: 'refund_approval' },
  { guard: 'disputes are kept', name: 'dispute_no_delete' },
  { guard: 'terms of disputes', name: 'dispute_terms' },
  { guard: 'moves of disputes', name: 'dispute_moves' },
  { guard: 'one source of a transfer, and its kinds', name: 'transfer_source' },
]

const onBoth = (guard: string, ofEngine: (engine: Project) => RegExp | string, to = ''): Guard[] => [
  onSqlite(guard, ofEngine('sqlite'), to),
  onPostgres(guard, ofEngine('postgres'), to),
]

const SQLITE_END = '[^;]*; end;\\n'
const POSTGRES_END = '[^;]*;\\n'

const triggers = TRIGGERS.flatMap(({ guard, name }) => [
  onSqlite(guard, new RegExp(`create trigger ${name} ${SQLITE_END}`)),
  onPostgres(guard, new RegExp(`create trigger ${name} ${POSTGRES_END}`)),
])

/** One trigger on PostgreSQL, on SQLite one for updates and one for deletions. */
const appendOnly = [
  ...['update', 'delete'].flatMap((change) => [
    onSqlite(`steps of disputes: no ${change}`, new RegExp(`create trigger dispute_event_no_${change} ${SQLITE_END}`)),
    onSqlite(`write-offs: no ${change}`, new RegExp(`create trigger debt_write_off_no_${change} ${SQLITE_END}`)),
  ]),
  onPostgres('steps of disputes: no change', new RegExp(`create trigger dispute_event_no_change ${POSTGRES_END}`)),
  onPostgres('write-offs: no change', new RegExp(`create trigger debt_write_off_no_change ${POSTGRES_END}`)),
]

/** A held part: of what is approved, only the hold stands in the way. */
const holds = onBoth('no part is sent while it is held', () => 'w.hold is not null or ', '')

// ---- Checks

/** Of withdrawal_part, whose text is the same on both engines. */
const PART_CHECKS: readonly (readonly [guard: string, check: string])[] = [
  ['parts: not more paid and returned than the amount', 'check (paid + returned <= amount)'],
  ['parts: ended with all of the amount', "check (state not in ('PAID', 'RETURNED') or paid + returned = amount)"],
  [
    'parts: nothing has moved while they wait',
    "check (state not in ('WAITING') or (paid = 0 and returned = 0 and begun_at is null))",
  ],
  ['parts: a review has a name', "check (state <> 'REVIEW' or review is not null)"],
  ['parts: kept back only in review', "check (kept_back = 0 or state = 'REVIEW')"],
  ['parts: a return has a deposit', "check (kind <> 'return' or deposit_id is not null)"],
  ['parts: freed claims have a deposit', 'check (freed = 0 or deposit_id is not null)'],
]

const partChecks = PART_CHECKS.flatMap(([guard, check]) =>
  onBoth(guard, () => new RegExp(`(create table withdrawal_part [\\s\\S]*?)${escaped(check)}`), '$1check (1 = 1)'),
)

function escaped(text: string): string {
  return text.replace(/[()+.]/g, '\\$&')
}

/** By the name that the constraint has on PostgreSQL, and its text on SQLite. */
const NAMED: readonly (readonly [guard: string, name: string, onSqlite: RegExp])[] = [
  ['not more captured than the deposit', 'deposit_captured', / check \(captured >= 0 and captured <= amount\)/],
  ['two persons approve a withdrawal', 'withdrawal_persons', / check \(approved_again_person <> approved_person\)/],
  [
    'an approval has its person',
    'withdrawal_approved_person',
    /,\n {2}check \(\(approved_by is null\) = \(approved_person is null\)\)(?=,\n {2}check \(\(approved_again)/,
  ],
  [
    'a second approval has its person',
    'withdrawal_approved_again_person',
    /,\n {2}check \(\(approved_again_by is null\).*\)(?=,)/,
  ],
  [
    'a request has its person',
    'withdrawal_requested_person',
    /,\n {2}check \(\(requested_by is null\) = \(requested_person is null\)\)/,
  ],
  ['two persons approve a refund', 'refund_persons', / check \(approved_person <> requested_person\)/],
]

const named = NAMED.flatMap(([guard, name, from]) => [
  onSqlite(guard, from),
  onPostgres(
    guard,
    new RegExp(`add constraint ${name} check \\((?:[^()]|\\([^()]*\\))*\\)`),
    `add constraint ${name} check (1 = 1)`,
  ),
])

// ---- Unique indexes

const UNIQUE: readonly (readonly [guard: string, index: string])[] = [
  ['each kind of transfer once for a step of a deposit', 'transfer_deposit'],
  ['each kind of transfer once for a step of a refund', 'transfer_refund'],
  ['each kind of transfer once for a step of a part', 'transfer_part'],
  ['each kind of transfer once for a step of a dispute', 'transfer_dispute_event'],
  ['a debt is written off once', 'transfer_write_off'],
  ['one job of a refund', 'job_of_refund'],
  ['one job of a part', 'job_of_part'],
]

const unique = UNIQUE.flatMap(([guard, index]) =>
  onBoth(guard, () => `create unique index ${index} `, `create index ${index} `),
)

const once = [
  ...onBoth('one proposal about a subject', () => 'subject text not null unique', 'subject text not null'),
  ...onBoth(
    'a part has its own reference',
    () => /(create table withdrawal_part [\s\S]*?reference text not null) unique/,
    '$1',
  ),
  onSqlite('a step of a dispute once', ',\n  unique (dispute_id, notification_key)'),
  onPostgres(
    'a step of a dispute once',
    ',\n  add constraint dispute_event_notification unique (dispute_id, notification_key)',
  ),
]

const all = [...triggers, ...appendOnly, ...holds, ...partChecks, ...named, ...unique, ...once]
const isPostgres = ({ guard }: Guard) => guard.endsWith('(PostgreSQL)')

export const schemaMutations: Mutation[] = [
  ...guards(
    SUITES,
    all.filter((one) => !isPostgres(one)),
  ),
  ...guards(SUITES, all.filter(isPostgres), 'postgres'),
]
