// The guards of refunds, disputes and debts.

import { guards } from './mutation.ts'

const SCHEMA = 'migrations/0117-refunds.sqlite.sql'
const STORE = 'src/wallets/refund-store.ts'
const REFUND = 'src/wallets/refund.ts'
const TRANSITIONS = 'src/wallets/refund-transitions.ts'
const NOTIFICATIONS = 'src/wallets/refund-notifications.ts'
const DISPUTES = 'src/wallets/disputes.ts'
const EVENTS = 'src/wallets/dispute-events.ts'
const RETURNED = 'src/wallets/returned-money.ts'
const RULES = 'src/wallets/deposit-rules.ts'

const SUITES = ['test/flows/refunds.test.ts', 'test/flows/disputes.test.ts', 'test/concurrency/dispute-model.test.ts']

export const refundMutations = guards(SUITES, [
  { guard: 'moves of refunds', file: SCHEMA, from: /create trigger refund_moves[^;]*; end;\n/, to: '' },
  { guard: 'terms of refunds not changed', file: SCHEMA, from: /create trigger refund_terms[^;]*; end;\n/, to: '' },
  { guard: 'refunds not deleted', file: SCHEMA, from: /create trigger refund_no_delete [^;]*; end;\n/, to: '' },
  {
    guard: 'approval of refunds, by trigger',
    file: SCHEMA,
    from: /create trigger refund_approval[^;]*; end;\n/,
    to: '',
  },
  {
    guard: 'a refund that needs approval has no job',
    scheduled: true,
    file: REFUND,
    from: 'if (!needsApproval) await tx.run(insertRefundJob',
    to: 'await tx.run(insertRefundJob',
  },
  {
    guard: 'who requested a refund does not approve it',
    scheduled: true,
    file: STORE,
    from: ' and requested_by <> :by',
    to: '',
  },
  {
    guard: 'at most what is left of the deposit',
    scheduled: true,
    file: REFUND,
    from: /if \(order\.amount > left\)/,
    to: 'if (order.amount > left + 100_000n)',
  },
  {
    guard: 'a chargeback counts as returned',
    scheduled: true,
    file: REFUND,
    from: 'BigInt(refunded) + BigInt(charged_back)',
    to: 'BigInt(refunded) + 0n * BigInt(charged_back)',
  },
  {
    guard: 'only captured deposits are refunded',
    scheduled: true,
    file: REFUND,
    from: "if (state !== 'CAPTURED')",
    to: "if (state === 'AUTHORISING')",
  },
  {
    guard: 'what had been returned when the operator looked',
    scheduled: true,
    file: REFUND,
    from: 'order.returned !== undefined && order.returned !== returned',
    to: 'order.returned !== undefined && order.returned < 0n && order.returned !== returned',
  },
  {
    guard: 'a refund that failed is credited back',
    scheduled: true,
    file: TRANSITIONS,
    from: 'if (debited > 0n)',
    to: 'if (debited > 1_000_000n)',
  },
  {
    guard: 'a failed refund stays failed',
    scheduled: true,
    file: STORE,
    from: `where id = :id and state in ('REQUESTED', 'SENT', 'REVIEW') returning`,
    to: `where id = :id and state in ('REQUESTED', 'SENT', 'REVIEW', 'FAILED') returning`,
  },
  {
    guard: 'a notification of our refund is not one of the back office',
    scheduled: true,
    file: NOTIFICATIONS,
    from: 'if (known !== undefined) return known',
    to: 'if (known !== undefined && known.id < 0) return known',
  },
  {
    guard: 'a reversal with a reference of its own is about the refund of its amount',
    scheduled: true,
    file: NOTIFICATIONS,
    from: `meaning === 'refundReversed' ? await tx.one`,
    to: `meaning === 'refunded' ? await tx.one`,
  },
  {
    guard: 'what is still to be sent cannot come back',
    scheduled: true,
    file: NOTIFICATIONS,
    from: 'return reversed ?? tx.one(sql.refundOnItsWay, ofAmount)',
    to: 'return (await tx.one(sql.refundOnItsWay, ofAmount)) ?? reversed',
  },
  {
    guard: 'a refund that failed at the gateway is no reversal of another one',
    scheduled: true,
    file: NOTIFICATIONS,
    from: `meaning === 'refundReversed' ? await tx.one`,
    to: `meaning !== 'refunded' ? await tx.one`,
  },
  {
    guard: 'the furthest state of a dispute counts',
    scheduled: true,
    file: EVENTS,
    from: 'return order.indexOf(one) > order.indexOf(other) ? one : other',
    to: 'return order.indexOf(one) > order.length ? one : other',
  },
  {
    guard: 'only the difference is debited for a dispute',
    scheduled: true,
    file: DISPUTES,
    from: 'const difference = due - BigInt(dispute.debited)',
    to: 'const difference = due',
  },
  {
    guard: 'a chargeback debits no more than the balance',
    scheduled: true,
    file: RETURNED,
    from: 'const paid = balance < amount ? balance : amount',
    to: 'const paid = balance < amount ? amount : amount',
  },
  {
    guard: 'what is told before the capture waits',
    scheduled: true,
    file: RETURNED,
    from: 'return expectedTransfers(state, review).captures === 1',
    to: 'return expectedTransfers(state, review).captures <= 1',
  },
  {
    guard: 'deposits with a debt, where the setting refuses them',
    scheduled: true,
    file: RULES,
    from: 'if (wallets.refuseDepositsWithDebt && rules.debt < 0n)',
    to: 'if (wallets.refuseDepositsWithDebt && rules.debt > 0n)',
  },
])
