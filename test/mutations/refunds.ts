// The guards of refunds, disputes and debts.

import { guards } from './mutation.ts'

const STORE = 'src/wallets/refunds/store.ts'
const REFUND = 'src/wallets/refunds/refund.ts'
const TRANSITIONS = 'src/wallets/refunds/transitions.ts'
const OUTGOING = 'src/wallets/refunds/outgoing.ts'
const NOTIFIED = 'src/wallets/refunds/notified.ts'
const DISPUTES = 'src/wallets/disputes/disputes.ts'
const EVENTS = 'src/wallets/disputes/events.ts'
const LEDGER = 'src/wallets/account/ledger.ts'
const RULES = 'src/wallets/deposits/rules.ts'

const SUITES = [
  'test/wallets/refunds/flow.test.ts',
  'test/wallets/refunds/races.test.ts',
  'test/wallets/refunds/bounds.test.ts',
  'test/wallets/disputes/flow.test.ts',
  'test/wallets/disputes/model.test.ts',
  'test/wallets/faults/refunds.test.ts',
  'test/wallets/faults/disputes.test.ts',
  'test/wallets/vectors/disputes.test.ts',
  'test/wallets/faults/contradictions.test.ts',
  'test/operator/unapplied.test.ts',
]

export const refundMutations = guards(SUITES, [
  {
    guard: 'a refund that needs approval has no job',
    scheduled: true,
    file: REFUND,
    from: 'if (whyTwo === null) await tx.run(insertRefundJob',
    to: 'await tx.run(insertRefundJob',
  },
  {
    guard: 'who requested a refund does not approve it',
    scheduled: true,
    file: STORE,
    from: ' and requested_person <> :person',
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
    guard: 'at most what is available',
    scheduled: true,
    file: REFUND,
    from: 'if (order.amount > order.available)',
    to: 'if (order.amount > order.available + 100_000n)',
  },
  {
    guard: 'no refund of what is disputed',
    scheduled: true,
    file: REFUND,
    from: 'if (Number(claim.disputes) > 0)',
    to: 'if (Number(claim.disputes) > 1_000)',
  },
  {
    guard: 'only captured deposits are refunded',
    scheduled: true,
    file: REFUND,
    from: "if (deposit.state !== 'CAPTURED')",
    to: "if (deposit.state === 'AUTHORISING')",
  },
  {
    guard: 'what had been returned when the operator looked',
    scheduled: true,
    file: REFUND,
    from: 'order.returned !== undefined && order.returned !== returned',
    to: 'order.returned !== undefined && order.returned < 0n && order.returned !== returned',
  },
  {
    guard: 'the same refund of a key',
    file: REFUND,
    from: 'earlier === undefined || earlier.request_hash === hashOf(order)',
    to: 'earlier === undefined || earlier.request_hash !== null',
  },
  {
    guard: 'refunds of one deposit go one after another',
    scheduled: true,
    file: STORE,
    from: / and not \$\{hasCallOf\('refund\.deposit_id'\)\}/,
    to: '',
  },
  {
    guard: 'a refund that failed is credited back',
    scheduled: true,
    file: TRANSITIONS,
    from: 'if (credited > 0n) {',
    to: 'if (credited > 1_000_000n) {',
  },
  {
    guard: 'a refund that was paid after all is debited again',
    scheduled: true,
    file: TRANSITIONS,
    from: /\n.*await debit\(tx, \{ \.\.\.ledgerTerms\(stored\), amount \}, .*/,
    to: '',
  },
  {
    guard: 'a notification of our refund is not one of the back office',
    scheduled: true,
    file: NOTIFIED,
    from: 'if (named !== undefined) return tx.one',
    to: 'if (named !== undefined && named.id < 0) return tx.one',
  },
  {
    guard: 'what is still to be sent is not told about',
    scheduled: true,
    file: NOTIFIED,
    from: /\n {2}if \(isUnsent\(refund\)\) \{[\s\S]*?\n {2}\}/,
    to: '',
  },
  {
    guard: 'two refunds of one amount cannot be told apart',
    file: NOTIFIED,
    from: "if (other !== undefined) return 'several'",
    to: "if (other !== undefined && other.id < 0) return 'several'",
  },
  {
    guard: 'a refund of another currency',
    scheduled: true,
    file: NOTIFIED,
    from: "if (notification.amount !== null && currency !== refund.currency) return contradiction('another-currency')",
    to: '',
  },
  {
    guard: 'what is reported is at most ours',
    scheduled: true,
    file: OUTGOING,
    from: /(reportPaid[\s\S]*?)\n.*if \(reported > amount\) return contradicted\(.*/,
    to: '$1',
  },
  {
    guard: 'paid after it was returned is no payment of what is open',
    scheduled: true,
    file: OUTGOING,
    from: 'if (reported <= paid + keptBack) {',
    to: 'if (reported <= amount) {',
  },
  {
    guard: 'paid again by another reference is a second payment',
    scheduled: true,
    file: OUTGOING,
    from: "return isOther ? contradicted(outgoing, 'paid-twice') : { outcome: 'already-applied' }",
    to: "return { outcome: 'already-applied' }",
  },
  {
    guard: 'a part of what came back is not what came back',
    scheduled: true,
    file: OUTGOING,
    from: 'return reported === returned ?',
    to: 'return reported <= returned ?',
  },
  {
    guard: 'each step of a dispute has its own amount',
    scheduled: true,
    file: DISPUTES,
    from: 'charged: BigInt(dispute.charged) + BigInt(effect.charges) * amount',
    to: 'charged: effect.charges < 0 ? 0n : BigInt(dispute.charged) + BigInt(effect.charges) * amount',
  },
  {
    guard: 'the house pays beyond the deposit',
    scheduled: true,
    file: DISPUTES,
    from: 'const debited = charged < left ? charged : left',
    to: 'const debited = charged',
  },
  {
    guard: 'only the difference is debited for a dispute',
    scheduled: true,
    file: DISPUTES,
    from: 'debited: due.debited - BigInt(dispute.debited)',
    to: 'debited: due.debited',
  },
  {
    guard: 'more than the deposit is a contradiction',
    scheduled: true,
    file: DISPUTES,
    from: /charged > mostOf\(deposit\) \? contradiction\('charged-beyond-deposit', .*\) : APPLIED/,
    to: 'APPLIED',
  },
  {
    guard: 'more reversed than charged is a contradiction',
    scheduled: true,
    file: DISPUTES,
    from: /.*return contradiction\('reversed-beyond-charge'.*\n/,
    to: '',
  },
  {
    guard: 'a reversal ends no dispute',
    scheduled: true,
    file: EVENTS,
    from: "state: 'REVERSED', charges: -1 }",
    to: "state: 'REVERSED', charges: -1, ends: true }",
  },
  {
    guard: 'news opens a dispute again',
    scheduled: true,
    file: DISPUTES,
    from: 'endedAt: ends ? now : null',
    to: 'endedAt: ends ? now : dispute.ended_at',
  },
  {
    guard: 'what is told before the capture waits',
    scheduled: true,
    file: DISPUTES,
    from: "if (deposit.state === 'CAPTURED') await bookDisputes",
    to: "if (deposit.state !== 'DECLINED') await bookDisputes",
  },
  {
    guard: 'a refund of the back office before the capture waits',
    scheduled: true,
    file: NOTIFIED,
    from: "if (deposit.state !== 'CAPTURED') {",
    to: "if (deposit.state === 'DECLINED') {",
  },
  {
    guard: 'a debit takes no more than the balance',
    scheduled: true,
    file: LEDGER,
    from: 'const paid = balance < terms.amount ? balance : terms.amount',
    to: 'const paid = terms.amount',
  },
  {
    guard: 'deposits with a debt, where the setting refuses them',
    scheduled: true,
    file: RULES,
    from: 'if (wallets.refuseDepositsWithDebt && rules.debt < 0n)',
    to: 'if (wallets.refuseDepositsWithDebt && rules.debt > 0n)',
  },
])
