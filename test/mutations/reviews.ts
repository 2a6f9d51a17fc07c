// The guards of what two persons decide, of notifications that contradict the books, and of erasure.

import { guards } from './mutation.ts'

const PROPOSALS = 'src/wallets/proposals.ts'
const CARDS = 'src/wallets/reviews/cards.ts'
const DEBTS = 'src/wallets/reviews/debts.ts'
const NOTIFICATIONS = 'src/wallets/notifications/notifications.ts'
const STORE = 'src/wallets/notifications/store.ts'
const APPLY = 'src/wallets/notifications/apply.ts'
const RETURNS = 'src/wallets/notifications/returns.ts'
const DISPUTES = 'src/wallets/notifications/disputes.ts'
const REVIEWS = 'src/wallets/reviews/store.ts'

const SUITES = [
  'test/wallets/deposits/notifications.test.ts',
  'test/wallets/faults/cards.test.ts',
  'test/wallets/faults/deposits.test.ts',
  'test/wallets/faults/disputes.test.ts',
  'test/wallets/faults/erasure.test.ts',
  'test/wallets/faults/refunds.test.ts',
  'test/wallets/refunds/flow.test.ts',
  'test/wallets/disputes/flow.test.ts',
  'test/operator/wallets.test.ts',
  'test/operator/persons.test.ts',
  'test/operator/unapplied.test.ts',
  'test/operator/erasure.test.ts',
  'test/operator/proposals.test.ts',
]

export const reviewMutations = guards(SUITES, [
  {
    guard: 'who has decided does not confirm it',
    scheduled: true,
    file: PROPOSALS,
    from: 'if (proposal.by.person === by.person) {',
    to: "if (proposal.by.person === '') {",
  },
  {
    guard: 'both persons decide the same',
    scheduled: true,
    file: PROPOSALS,
    from: 'if (proposal === null || proposal.terms !== terms) {',
    to: 'if (proposal === null) {',
  },
  {
    guard: 'only people decide about money',
    file: PROPOSALS,
    from: 'if (by.cannotDecide) throw',
    to: "if (by.cannotDecide && by.person === '') throw",
  },
  {
    guard: 'two persons record a closed account',
    scheduled: true,
    file: CARDS,
    from: "if (first === null) return 'proposed'\n",
    to: '',
  },
  {
    guard: 'a card of a customer with open withdrawals needs two persons',
    scheduled: true,
    file: CARDS,
    from: 'BigInt(open) > 0n &&',
    to: 'BigInt(open) < 0n &&',
  },
  {
    guard: 'two persons write a debt off',
    scheduled: true,
    file: DEBTS,
    from: "if (first === null) return 'proposed'\n",
    to: '',
  },
  {
    guard: 'at most the debt is written off',
    scheduled: true,
    file: DEBTS,
    from: 'if (amount > debt) throw',
    to: 'if (amount > debt + 100_000n) throw',
  },
  // ---- Notifications
  {
    guard: 'what cannot be applied is kept',
    file: NOTIFICATIONS,
    from: '    await keep(context, gateway, notification, error)',
    to: '    context.log.error({ err: error, gateway }, "dropped")',
  },
  {
    guard: 'a notification is applied once',
    file: NOTIFICATIONS,
    from: 'if ((await tx.run(sql.insertNotification, row)) === 0) return',
    to: 'await tx.run(sql.insertNotification, row)',
  },
  {
    guard: 'a notification is tried again by one process',
    file: STORE,
    from: 'set attempts = attempts + 1 where id = :id and try_at is not null`\n\nexport const postpone',
    to: 'set attempts = attempts + 1 where id = :id`\n\nexport const postpone',
  },
  {
    guard: 'notifications of the own gateway',
    file: APPLY,
    from: ' || deposit.gateway !== gateway',
    to: '',
  },
  {
    guard: 'a capture of another currency',
    scheduled: true,
    file: APPLY,
    from: "if (notification.amount !== null && currency !== deposit.currency) return contradiction('another-currency')\n",
    to: '',
  },
  {
    guard: 'a capture of more than the deposit',
    scheduled: true,
    file: APPLY,
    from: "if (amount > BigInt(deposit.amount)) return contradiction('another-amount')\n",
    to: '',
  },
  {
    guard: 'cancelled, but credited',
    scheduled: true,
    file: APPLY,
    from: "if (bookedOf(deposit).credited > 0n) return contradiction('cancelled-but-credited')\n",
    to: '',
  },
  {
    guard: 'a refund of what was never captured',
    scheduled: true,
    file: RETURNS,
    from: /\n.*if \(isOver \|\| \(state === 'REVIEW'[\s\S]*?\n {2}\}/,
    to: '',
  },
  {
    guard: 'a refund that nobody knows',
    scheduled: true,
    file: RETURNS,
    from: "if (meaning !== 'refunded') return contradiction('unknown-refund')",
    to: "if (meaning !== 'refunded') return APPLIED",
  },
  {
    guard: 'charged, but not captured',
    scheduled: true,
    file: DISPUTES,
    from: /.*return contradiction\('charged-but-not-captured'\)\n/,
    to: '',
  },
  {
    guard: 'a contradiction closes when the sum is in bounds',
    scheduled: true,
    file: DISPUTES,
    from: '  await closeInBounds(tx, deposit, now)\n',
    to: '',
  },
  // ---- Erasure
  {
    guard: 'what is not final stands in the way of an erasure',
    file: REVIEWS,
    from: "state in ('WAITING', 'SENDING', 'REVIEW')) as withdrawals",
    to: "state in ('REVIEW')) as withdrawals",
  },
  {
    guard: 'contradictions stand in the way of an erasure',
    file: REVIEWS,
    from: "outcome in ('contradiction', 'failed')",
    to: "outcome in ('failed')",
  },
])
