// The guards of withdrawals.

import { guards } from './mutation.ts'

const SCHEMA = 'migrations/0118-withdrawals.sqlite.sql'
const STORE = 'src/wallets/withdrawal-store.ts'
const WITHDRAWAL = 'src/wallets/withdrawal.ts'
const TRANSITIONS = 'src/wallets/withdrawal-transitions.ts'
const DECISIONS = 'src/wallets/withdrawal-decisions.ts'
const NOTIFICATIONS = 'src/wallets/withdrawal-notifications.ts'
const JOB = 'src/wallets/payout-job.ts'
const LOOP = 'src/wallets/closed-loop.ts'
const LOOP_STORE = 'src/wallets/closed-loop-store.ts'

const SUITES = [
  'test/flows/withdrawals.test.ts',
  'test/flows/withdrawal-approval.test.ts',
  'test/flows/adyen-payouts.test.ts',
  'test/concurrency/withdrawals.test.ts',
  'test/concurrency/closed-loop.test.ts',
]

export const withdrawalMutations = guards(SUITES, [
  { guard: 'moves of withdrawals', file: SCHEMA, from: /create trigger withdrawal_moves[^;]*; end;\n/, to: '' },
  { guard: 'terms of withdrawals', file: SCHEMA, from: /create trigger withdrawal_terms[^;]*; end;\n/, to: '' },
  { guard: 'withdrawals not deleted', file: SCHEMA, from: /create trigger withdrawal_no_delete .*\n/, to: '' },
  { guard: 'two operators, by trigger', file: SCHEMA, from: /create trigger withdrawal_approval[^;]*; end;\n/, to: '' },
  {
    guard: 'two different operators, by check',
    file: SCHEMA,
    from: 'approved_again_by text check (approved_again_by <> approved_by)',
    to: 'approved_again_by text',
  },
  {
    guard: 'somebody else approves',
    scheduled: true,
    file: STORE,
    from: ' and approved_by <> :by',
    to: ' and :by = :by',
  },
  {
    guard: 'refuse before it is sent',
    scheduled: true,
    file: STORE,
    from: `state in ('REQUESTED', 'APPROVED') returning`,
    to: `state in ('REQUESTED', 'APPROVED', 'REFUSED') returning`,
  },
  { guard: '24007 of withdrawals', scheduled: true, file: WITHDRAWAL, from: /.*return 'insufficientFunds'\n/, to: '' },
  {
    guard: '24003 of withdrawals',
    scheduled: true,
    file: WITHDRAWAL,
    from: "amount > max ? 'aboveMaximum' : null",
    to: 'null',
  },
  { guard: '24001 of withdrawals', scheduled: true, file: WITHDRAWAL, from: /.*return 'methodInvalid'\n/, to: '' },
  {
    guard: 'the loop counts what is on its way',
    scheduled: true,
    file: LOOP_STORE,
    from: `w.state not in ('RETURNED', 'REFUSED')`,
    to: `w.state = 'PAID'`,
  },
  {
    guard: 'the loop counts refunds',
    scheduled: true,
    file: LOOP_STORE,
    from: `r.state <> 'FAILED'`,
    to: `r.state = 'FAILED'`,
  },
  {
    guard: 'uncaptured money stays',
    scheduled: true,
    file: WITHDRAWAL,
    from: 'balance - BigInt(uncaptured)',
    to: 'balance - 0n * BigInt(uncaptured)',
  },
  { guard: 'the oldest card first', scheduled: true, file: LOOP, from: '    left -= max\n', to: '' },
  {
    guard: 'at most what is open',
    scheduled: true,
    file: LOOP,
    from: 'openOf(card) < left ? openOf(card) : left',
    to: 'left',
  },
  {
    guard: 'winnings to the last card only',
    scheduled: true,
    file: LOOP,
    from: 'open.length === 1 && open[0] === last',
    to: 'open.length === 1',
  },
  { guard: 'the rule counts the day', scheduled: true, file: WITHDRAWAL, from: 'facts.today + amount', to: 'amount' },
  {
    guard: 'the rule wants a customer who may play',
    scheduled: true,
    file: WITHDRAWAL,
    from: 'return mayPlay && today',
    to: 'return today',
  },
  {
    guard: 'same parameters of a key of a withdrawal',
    scheduled: true,
    file: WITHDRAWAL,
    from: "throw new Fault('walletInvalid', 'Idempotency-Key')",
    to: 'return earlier',
  },
  {
    guard: 'an operator’s key of a withdrawal counts',
    file: 'src/operator/server/server.ts',
    from: 'operation.takesKey ? keyOf(request) : null',
    to: 'operation.sendsCsv ? keyOf(request) : null',
  },
  {
    guard: 'SENDING before the gateway is called',
    scheduled: true,
    file: STORE,
    from: `state = 'APPROVED' returning`,
    to: `state in ('APPROVED', 'SENDING', 'PAID') returning`,
  },
  {
    guard: 'a notification was faster',
    scheduled: true,
    file: JOB,
    from: /.*if \(locked\?\.state !== 'SENDING'\) return true\n/,
    to: '    if (locked === undefined) return true\n',
  },
  {
    guard: 'returned: credited back',
    scheduled: true,
    file: TRANSITIONS,
    from: "'on its way>returned': ['withdrawal_returned']",
    to: "'on its way>returned': []",
  },
  {
    guard: 'paid: booked',
    scheduled: true,
    file: TRANSITIONS,
    from: "'on its way>paid': ['payout']",
    to: "'on its way>paid': []",
  },
  {
    guard: 'came back after it was paid: credited',
    scheduled: true,
    file: TRANSITIONS,
    from: "'paid>returned': ['payout_reversed']",
    to: "'paid>returned': []",
  },
  {
    guard: 'notifications of the amount',
    scheduled: true,
    file: NOTIFICATIONS,
    from: /.*if \(!hasTermsOf.*\n/,
    to: '',
  },
  {
    guard: 'paid after it was returned',
    scheduled: true,
    file: NOTIFICATIONS,
    from: /.*withdrawal\.paid === 1\) return\n/,
    to: '',
  },
  {
    guard: 'a payout that is declined before it counts as returned',
    scheduled: true,
    file: DECISIONS,
    from: /.*if \(outcome === 'refused'\) throw.*\n/,
    to: '',
  },
  {
    guard: 'only what is in review is resolved',
    scheduled: true,
    file: DECISIONS,
    from: /(async \(tx, withdrawal, now\) => \{\n) {4}refuseUnlessReviewed\(withdrawal\)\n/,
    to: '$1',
  },
  {
    guard: 'withdrawals of others',
    file: WITHDRAWAL,
    from: 'if (row?.customer_id !== customerId) throw',
    to: 'if (row === undefined) throw',
  },
])
