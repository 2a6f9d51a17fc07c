// The guards of the deposits.

import { guards } from './mutation.ts'

const SCHEMA = 'migrations/0030-wallets.sql'
const GUARDS = 'migrations/0031-wallet-guards.sqlite.sql'
const DEPOSITS = 'migrations/0115-challenges.sqlite.sql'
const STORE = 'src/wallets/store.ts'
const FACTS = 'src/wallets/deposit-facts-store.ts'
const RULES = 'src/wallets/deposit-rules.ts'
const DEPOSIT = 'src/wallets/deposit.ts'
const RESOLUTION = 'src/wallets/resolution.ts'
const TRANSITIONS = 'src/wallets/deposit-transitions.ts'
const SWEEPER = 'src/wallets/sweeper.ts'
const NOTIFICATIONS = 'src/wallets/notifications.ts'
const GATEWAYS = 'src/wallets/gateways/gateways.ts'

const SUITES = [
  'test/contract/wallets.test.ts',
  'test/flows/deposits.test.ts',
  'test/flows/deposit-changes.test.ts',
  'test/flows/adyen.test.ts',
  'test/flows/gateway-switch.test.ts',
  'test/operator/wallets.test.ts',
  'test/concurrency/deposits.test.ts',
]

export const depositMutations = guards(SUITES, [
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
    scheduled: true,
    file: STORE,
    from: /(approveDeposit',[\s\S]*?)where id = :id and \$\{UNDECIDED\}/,
    to: '$1where id = :id',
  },
  {
    guard: 'decline where undecided',
    scheduled: true,
    file: STORE,
    from: /(declineDeposit',[\s\S]*?)where id = :id and \$\{UNDECIDED\}/,
    to: '$1where id = :id',
  },
  {
    guard: 'void where undecided',
    scheduled: true,
    file: STORE,
    from: /(voidDeposit',[\s\S]*?)where id = :id and \$\{UNDECIDED\}/,
    to: '$1where id = :id',
  },
  {
    guard: 'capture where AUTHORISED',
    scheduled: true,
    file: STORE,
    from: ` and state = 'AUTHORISED' returning`,
    to: ' returning',
  },
  {
    guard: 'finish void where VOIDING',
    scheduled: true,
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
    scheduled: true,
    file: FACTS,
    from: "`'AUTHORISING', 'CHALLENGE', 'AUTHORISED', 'CAPTURED', 'REVIEW'`",
    to: "`'AUTHORISING'`",
  },
  { guard: '24011', scheduled: true, file: RULES, from: /.*return 'stillProcessing'\n/, to: '' },
  { guard: '24008', scheduled: true, file: RULES, from: /.*return 'dailyLimitExceeded'\n/, to: '' },
  { guard: 'same parameters of a key', scheduled: true, file: DEPOSIT, from: /.*if \(!same\).*\n/, to: '' },
  { guard: 'wrong cv2 limit', file: RULES, from: /.*return 'cv2Invalid'\n/, to: '' },
  {
    guard: 'rules again before the credit: all of them',
    scheduled: true,
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
    scheduled: true,
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
    guard: 'two operators resolve a large deposit',
    file: RESOLUTION,
    from: "if (proposal.by === resolution.by) return 'proposed by the same operator'",
    to: '',
  },
  {
    guard: 'the operators who resolve a deposit agree',
    file: RESOLUTION,
    from: 'if (proposal?.outcome !== resolution.outcome)',
    to: 'if (proposal === null)',
  },
  {
    guard: 'rules again before the credit: in a resolution',
    file: RESOLUTION,
    from: 'if (broken !== null) return broken',
    to: 'if (broken !== null && kinds.length === 0) return broken',
  },
  {
    guard: 'late approvals are cancelled',
    scheduled: true,
    file: TRANSITIONS,
    from: /('approved too late'.*\n).*insertJob, \{ depositId: deposit\.id, kind: 'cancel', now \}.*\n/,
    to: '$1',
  },
  {
    guard: 'void before the answer',
    scheduled: true,
    file: TRANSITIONS,
    from: /.*insertJob, \{ depositId: id, kind: 'cancel', now \}\);?\n(.*'voiding')/,
    to: '$1',
  },
  {
    guard: 'grace period',
    scheduled: true,
    file: SWEEPER,
    from: 'const graceOver = sentAt >=',
    to: 'const graceOver = true || sentAt >=',
  },
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
])
