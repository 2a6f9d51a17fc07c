// The guards of the deposits.

import { guards } from './mutation.ts'

const SCHEMA = 'migrations/0030-wallets.sql'
const GUARDS = 'migrations/0031-wallet-guards.sqlite.sql'
const DEPOSITS = 'migrations/0115-challenges.sqlite.sql'
const STORE = 'src/wallets/deposits/store.ts'
const FACTS = 'src/wallets/deposits/facts-store.ts'
const COUNTED = 'src/wallets/limits/deposit-facts-store.ts'
const RULES = 'src/wallets/deposits/rules.ts'
const DEPOSIT = 'src/wallets/deposits/deposit.ts'
const RESOLUTION = 'src/wallets/reviews/deposits.ts'
const TRANSITIONS = 'src/wallets/deposits/transitions.ts'
const SWEEPER = 'src/wallets/sweep/sweeper.ts'
const GATEWAYS = 'src/wallets/gateways/gateways.ts'

const SUITES = [
  'test/contract/wallets.test.ts',
  'test/wallets/deposits/flow.test.ts',
  'test/wallets/deposits/changes.test.ts',
  'test/wallets/deposits/adyen.test.ts',
  'test/wallets/deposits/gateway-switch.test.ts',
  'test/operator/wallets.test.ts',
  'test/wallets/deposits/races.test.ts',
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
  {
    guard: 'approve where undecided',
    scheduled: true,
    file: STORE,
    from: /(approveDeposit'\)[\s\S]*?)where id = :id and \$\{UNDECIDED\}/,
    to: '$1where id = :id',
  },
  {
    guard: 'decline where undecided',
    scheduled: true,
    file: STORE,
    from: /(declineDeposit'\)[\s\S]*?)where id = :id and \$\{UNDECIDED\}/,
    to: '$1where id = :id',
  },
  {
    guard: 'void where undecided',
    scheduled: true,
    file: STORE,
    from: /(voidDeposit'\)[\s\S]*?)where id = :id and \$\{UNDECIDED\}/,
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
    file: TRANSITIONS,
    from: "if (!canMove(DEPOSIT_MACHINE, deposit.state, 'cancelled')) return",
    to: "if (deposit.state === 'VOIDED') return",
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
    file: COUNTED,
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
    from: 'deposited: BigInt(facts.used)',
    to: 'deposited: BigInt(deposit.amount)',
  },
  {
    guard: 'rules again before the credit: in a resolution',
    file: RESOLUTION,
    from: 'if (broken !== null) return broken',
    to: 'if (broken !== null && deposit.review === null) return broken',
  },
  {
    guard: 'late approvals are cancelled',
    scheduled: true,
    file: TRANSITIONS,
    from: /('approved too late'.*\n.*\n).*insertJob, \{ depositId: deposit\.id, kind: 'cancel', now \}.*\n/,
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
])
