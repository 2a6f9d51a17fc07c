// The guards of the deposits and of batches, each with the change that takes it away. `npm run mutation` applies them one by one;
// mutations.test.ts holds that each still finds its guard.

/** `suites`: those that must notice, if they are not the ones of deposits. */
export type Mutation = {
  guard: string
  file: string
  from: string | RegExp
  to: string
  suites?: readonly string[]
}

const SCHEMA = 'migrations/0030-wallets.sql'
const GUARDS = 'migrations/0031-wallet-guards.sqlite.sql'
const DEPOSITS = 'migrations/0115-challenges.sqlite.sql'
const STORE = 'src/wallets/store.ts'
const FACTS = 'src/wallets/deposit-facts-store.ts'
const CHALLENGES = 'src/wallets/challenge-store.ts'
const CHALLENGE = 'src/wallets/challenge.ts'
const RETURNS = 'src/wallets/return-address.ts'
const ADYEN = 'src/wallets/gateways/adyen/challenge.ts'
const JOBS = 'src/wallets/job-store.ts'
const RULES = 'src/wallets/deposit-rules.ts'
const LIMITS = 'src/wallets/limits.ts'
const SESSIONS = 'src/identity/sessions/store.ts'
const DEPOSIT = 'src/wallets/deposit.ts'
const RESOLUTION = 'src/wallets/resolution.ts'
const TRANSITIONS = 'src/wallets/deposit-transitions.ts'
const SWEEPER = 'src/wallets/sweeper.ts'
const NOTIFICATIONS = 'src/wallets/notifications.ts'
const GATEWAYS = 'src/wallets/gateways/gateways.ts'
const BATCHES = {
  file: 'src/platform/database/write-queue.ts',
  suites: ['test/database/batches', 'test/concurrency/batches'],
}

export const MUTATIONS: readonly Mutation[] = [
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
    file: DEPOSITS,
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
  { guard: 'deposits not deleted', file: DEPOSITS, from: /create trigger deposit_no_delete .*\n/, to: '' },
  { guard: 'terms not changed', file: DEPOSITS, from: /create trigger deposit_terms[^;]*; end;\n/, to: '' },
  {
    guard: 'gateway not changed',
    file: DEPOSITS,
    from: 'payment_method_id, gateway, amount',
    to: 'payment_method_id, amount',
  },
  { guard: 'moves of states', file: DEPOSITS, from: /create trigger deposit_moves[^;]*; end;\n/, to: '' },
  {
    guard: 'approve where undecided',
    file: STORE,
    from: /(approveDeposit',[\s\S]*?)where id = :id and \$\{UNDECIDED\}/,
    to: '$1where id = :id',
  },
  {
    guard: 'decline where undecided',
    file: STORE,
    from: /(declineDeposit',[\s\S]*?)where id = :id and \$\{UNDECIDED\}/,
    to: '$1where id = :id',
  },
  {
    guard: 'void where undecided',
    file: STORE,
    from: /(voidDeposit',[\s\S]*?)where id = :id and \$\{UNDECIDED\}/,
    to: '$1where id = :id',
  },
  {
    guard: 'capture where AUTHORISED',
    file: STORE,
    from: ` and state = 'AUTHORISED' returning id`,
    to: ' returning id',
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
    file: FACTS,
    from: "`'AUTHORISING', 'CHALLENGE', 'AUTHORISED', 'CAPTURED', 'REVIEW'`",
    to: "`'AUTHORISING'`",
  },
  {
    guard: 'limit counts challenges',
    file: FACTS,
    from: `'CHALLENGE', 'AUTHORISED', 'CAPTURED', 'REVIEW'`,
    to: `'AUTHORISED', 'CAPTURED', 'REVIEW'`,
  },
  {
    guard: 'challenge where AUTHORISING',
    file: CHALLENGES,
    from: ` and state = 'AUTHORISING' returning`,
    to: ' returning',
  },
  {
    guard: 'a lease that is over voids no challenge that began meanwhile',
    file: STORE,
    from: /\n.*lease_until = cast\(:lease as bigint\)\)/,
    to: '\n     and (cast(:lease as bigint) is null or true)',
  },
  {
    guard: 'the lease of a challenge',
    file: JOBS,
    from: `case state when 'CHALLENGE' then cast(:now as bigint) else cast(:authorisingUntil as bigint) end`,
    to: `case state when 'CHALLENGE' then cast(0 * :now as bigint) else cast(:authorisingUntil as bigint) end`,
  },
  {
    guard: 'a challenge survives a restart',
    file: JOBS,
    from: `case state when 'CHALLENGE' then cast(:now as bigint) else cast(:authorisingUntil as bigint) end`,
    to: `case when :now = 0 then cast(:now as bigint) else cast(:authorisingUntil as bigint) end`,
  },
  {
    guard: 'a challenge belongs to its customer',
    file: CHALLENGE,
    from: 'if (deposit?.customer_id !== customerId) throw',
    to: 'if (deposit === undefined) throw',
  },
  {
    guard: 'registered return addresses',
    file: CHALLENGE,
    from: /.*throw new Fault\('walletInvalid', 'returnUrl'\)\n/,
    to: '',
  },
  {
    guard: 'the host of a return address',
    file: RETURNS,
    from: 'url.hostname !== registered.hostname',
    to: '!url.hostname.startsWith(registered.hostname)',
  },
  {
    guard: 'whole parts of the path of a return address',
    file: RETURNS,
    from: 'url.pathname.startsWith(folder)',
    to: 'url.pathname.startsWith(registered.pathname)',
  },
  { guard: 'a result of another payment', file: ADYEN, from: /.*reason: 'of another payment'.*\n/, to: '' },
  { guard: 'a result of another amount', file: ADYEN, from: /.*reason: 'of another amount'.*\n/, to: '' },
  { guard: '24011', file: RULES, from: /.*return 'stillProcessing'\n/, to: '' },
  { guard: '24008', file: RULES, from: /.*return 'dailyLimitExceeded'\n/, to: '' },
  { guard: 'limits of the customer', file: RULES, from: 'exceeds || exceededPeriod(rules) !== null', to: 'exceeds' },
  { guard: 'time-out and self-exclusion', file: RULES, from: ' || customer.play_from > now()', to: '' },
  { guard: 'register of exclusions', file: RULES, from: /.*beginning\.register !== 'clear'.*\n/, to: '' },
  { guard: 'no session while excluded', file: SESSIONS, from: / and play_from <= :now and \(cast/, to: ' and (cast' },
  { guard: 'no limit rises at once', file: LIMITS, from: 'amount <= BigInt(current.amount)', to: 'amount >= 0n' },
  { guard: 'no confirmation too early', file: LIMITS, from: ' || now < pending.notBefore', to: '' },
  {
    guard: 'the deposit in flight is voided when an exclusion begins',
    file: 'src/wallets/exclusions.ts',
    from: 'if (deposit !== undefined)',
    to: 'if (deposit === null)',
  },
  { guard: 'same parameters of a key', file: DEPOSIT, from: /.*if \(!same\).*\n/, to: '' },
  { guard: 'wrong cv2 limit', file: RULES, from: /.*return 'cv2Invalid'\n/, to: '' },
  {
    guard: 'rules again before the credit: all of them',
    file: TRANSITIONS,
    from: 'const broken = await creditFault(context, tx, deposit)',
    to: 'const broken = null as Awaited<ReturnType<typeof creditFault>>',
  },
  {
    guard: 'rules again before the credit: the card',
    file: RULES,
    from: 'method: deposit.card_open === 1 ? deposit : null',
    to: 'method: deposit',
  },
  {
    guard: 'rules again before the credit: the customer as stored now',
    file: FACTS,
    from: 'c.status, c.verified, c.funds',
    to: "'active' as status, 1 as verified, c.funds",
  },
  {
    guard: 'rules again before the credit: the limit as stored now',
    file: FACTS,
    from: /cast\(c\.daily_deposit_limit as text\)/,
    to: 'cast(null as text)',
  },
  {
    guard: 'rules again before the credit: what was deposited before',
    file: RULES,
    from: 'deposited: BigInt(deposit.used)',
    to: 'deposited: BigInt(deposit.amount)',
  },
  {
    guard: 'rules again before the credit: in a resolution',
    file: RESOLUTION,
    from: 'if (broken !== null) return broken',
    to: 'if (broken !== null && kinds.length === 0) return broken',
  },
  {
    guard: 'late approvals are cancelled',
    file: TRANSITIONS,
    from: /('approved too late'.*\n).*insertJob, \{ depositId: deposit\.id, kind: 'cancel', now \}.*\n/,
    to: '$1',
  },
  {
    guard: 'void before the answer',
    file: TRANSITIONS,
    from: /.*insertJob, \{ depositId: id, kind: 'cancel', now \}\);?\n(.*'voiding')/,
    to: '$1',
  },
  { guard: 'grace period', file: SWEEPER, from: 'const graceOver = now >=', to: 'const graceOver = true || now >=' },
  { guard: 'a second cancel', file: SWEEPER, from: 'job.attempts > 1', to: 'job.attempts > 0' },
  {
    guard: 'the gateway that the deposit was stored with',
    file: GATEWAYS,
    from: 'configured.find((gateway) => gateway.name === name)',
    to: 'configured.find((gateway) => gateway.name === config.wallets.gateway || name === undefined)',
  },
  {
    guard: 'notifications of the own gateway',
    file: NOTIFICATIONS,
    from: ' || deposit.gateway !== gateway',
    to: '',
  },
  {
    ...BATCHES,
    guard: 'batches: what waits is written together',
    from: 'const MAX_BATCH = 64',
    to: 'const MAX_BATCH = 1',
  },
  { ...BATCHES, guard: 'batches: each item has its own result', from: 'results[index]', to: 'results[0]' },
  { ...BATCHES, guard: 'batches: one that fails does so alone', from: 'batch.length > 1 && ', to: 'false && ' },
  {
    ...BATCHES,
    guard: 'batches: a write whose commit is not known is not repeated',
    from: ' && !(error instanceof DatabaseUnavailable)',
    to: '',
  },
  {
    ...BATCHES,
    guard: 'batches: what arrives while one runs is the next',
    from: 'if (waiting.length > 0) startSoon()',
    to: '',
  },
]

/** The text without the guard; null where the pattern does not find it. */
export function withoutGuard(text: string, { from, to }: Mutation): string | null {
  const mutated = text.replace(from, to)
  return mutated === text ? null : mutated
}
