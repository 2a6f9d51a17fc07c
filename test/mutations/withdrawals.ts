// The guards of withdrawals and their parts, and of where money may go.

import { guards } from './mutation.ts'

const STORE = 'src/wallets/withdrawals/store.ts'
const WITHDRAWAL = 'src/wallets/withdrawals/withdrawal.ts'
const DECISIONS = 'src/wallets/withdrawals/decisions.ts'
const NOTIFIED = 'src/wallets/withdrawals/notified.ts'
const SEND = 'src/wallets/withdrawals/send-part.ts'
const PARTS = 'src/wallets/withdrawals/parts.ts'
const PART_STORE = 'src/wallets/withdrawals/part-store.ts'
const CARDS = 'src/wallets/withdrawals/card-changes.ts'
const GONE = 'src/wallets/withdrawals/money-gone.ts'
const OUTSIDE = 'src/wallets/withdrawals/outside.ts'
const LOOP = 'src/wallets/withdrawals/closed-loop.ts'
const CLAIMS = 'src/wallets/refunds/claims.ts'
const CLAIMS_STORE = 'src/wallets/refunds/claims-store.ts'
const PAYABLE = 'src/wallets/cards/cards.ts'

const SUITES = [
  'test/wallets/withdrawals/flow.test.ts',
  'test/wallets/withdrawals/approval.test.ts',
  'test/wallets/withdrawals/parts.test.ts',
  'test/wallets/withdrawals/cards.test.ts',
  'test/wallets/withdrawals/races.test.ts',
  'test/wallets/withdrawals/adyen.test.ts',
  'test/wallets/faults/withdrawals.test.ts',
  'test/wallets/faults/cards.test.ts',
  'test/wallets/vectors/closed-loop.test.ts',
  'test/wallets/vectors/cards.test.ts',
  'test/wallets/vectors/kept-back.test.ts',
  'test/wallets/refunds/bounds.test.ts',
  'test/wallets/faults/contradictions.test.ts',
]

export const withdrawalMutations = guards(SUITES, [
  // ---- Approval
  {
    guard: 'somebody else approves',
    scheduled: true,
    file: STORE,
    from: ' and approved_person <> :person',
    to: ' and :person = :person',
  },
  {
    guard: 'who requested a withdrawal is the first who approves',
    scheduled: true,
    file: STORE,
    from: "approved_by: ':requested_by',\n  approved_person: ':requested_person',",
    to: "approved_by: 'null',\n  approved_person: 'null',",
  },
  {
    guard: 'nobody approves what a person holds',
    scheduled: true,
    file: DECISIONS,
    from: "if (withdrawal.hold === 'operator') throw",
    to: "if (withdrawal.hold === 'operator' && withdrawal.id < 0) throw",
    with: [
      {
        file: STORE,
        from: /:person\)\s+and \(hold is null or hold <> 'operator'\) returning/,
        to: ':person) returning',
      },
      { file: STORE, from: / <> :person\) and \(hold is null or hold <> 'operator'\)/, to: ' <> :person)' },
    ],
  },
  {
    guard: 'the rule counts the day',
    scheduled: true,
    file: WITHDRAWAL,
    from: 'withdrawnToday + order.amount',
    to: 'order.amount',
  },
  {
    guard: 'the rule counts no other day',
    file: CLAIMS_STORE,
    from: 'and w.currency = :currency and w.created_at >= :today',
    to: 'and w.currency = :currency and w.created_at >= :today - 864000000000',
  },
  {
    guard: 'the rule wants a customer who may play',
    scheduled: true,
    file: WITHDRAWAL,
    from: "if (!mayPlay) return 'the",
    to: "if (!mayPlay && order.amount < 0n) return 'the",
  },
  {
    guard: 'two persons for a card that was closed',
    scheduled: true,
    file: WITHDRAWAL,
    from: "if (card.closed_at !== null) return 'the card",
    to: "if (card.closed_at === 0) return 'the card",
  },
  {
    guard: 'two persons for freed claims',
    scheduled: true,
    file: WITHDRAWAL,
    from: 'if (parts.some(({ isFreed }) => isFreed)) return',
    to: 'if (parts.some(({ isFreed, amount }) => isFreed && amount < 0n)) return',
  },
  {
    guard: 'two persons for winnings to a card without a deposit',
    scheduled: true,
    file: WITHDRAWAL,
    from: 'if (paidIn?.has_paid_in !== 1) return',
    to: 'if (paidIn === undefined) return',
  },
  {
    guard: 'two persons for winnings to a card of another holder',
    file: WITHDRAWAL,
    from: 'if (!isHeldBy(card, customer)) return',
    to: 'if (!isHeldBy(card, customer) && order.amount < 0n) return',
  },
  {
    guard: 'an operator’s withdrawal is never approved by the rule',
    scheduled: true,
    file: WITHDRAWAL,
    from: "'by' in order ? BY_OPERATOR : await",
    to: 'await',
  },
  // ---- Requests
  {
    guard: '24007 of withdrawals',
    scheduled: true,
    file: WITHDRAWAL,
    from: /.*throw walletFault\('insufficientFunds'\)\n/,
    to: '',
  },
  {
    guard: '24003 of withdrawals',
    scheduled: true,
    file: WITHDRAWAL,
    from: /.*throw walletFault\('aboveOption'\)\n/,
    to: '',
  },
  {
    guard: '24001 of withdrawals',
    scheduled: true,
    file: WITHDRAWAL,
    from: /.*if \(isGone &&[^\n]*\n.*throw walletFault\('notWithdrawable'\)\n/,
    to: '',
  },
  {
    guard: 'same parameters of a key of a withdrawal',
    scheduled: true,
    file: WITHDRAWAL,
    from: "if (!same) throw new Fault('walletInvalid', 'Idempotency-Key')",
    to: 'if (!same) return earlier',
  },
  {
    guard: 'an operator’s key of a withdrawal counts',
    file: 'src/operator/server/server.ts',
    from: 'operation.takesKey ? keyOf(request) : null',
    to: 'operation.sendsCsv ? keyOf(request) : null',
  },
  {
    guard: 'withdrawals of others',
    file: 'src/wallets/withdrawals/read.ts',
    from: 'if (row?.customer_id !== customerId) throw',
    to: 'if (row === undefined) throw',
  },
  // ---- Where money may go
  {
    guard: 'the loop counts what is on its way',
    scheduled: true,
    file: CLAIMS,
    from: ' - BigInt(row.withdrawn)',
    to: '',
  },
  { guard: 'the loop counts refunds', scheduled: true, file: CLAIMS, from: ' - BigInt(row.refunded)', to: '' },
  { guard: 'the loop counts disputes', scheduled: true, file: CLAIMS, from: ' - dueOf(row))', to: ')' },
  {
    guard: 'what goes beyond a claim takes no other claim',
    scheduled: true,
    file: CLAIMS,
    from: 'return max0(BigInt(row.captured)',
    to: 'return (BigInt(row.captured)',
  },
  {
    guard: 'a return is counted once',
    scheduled: true,
    file: CLAIMS_STORE,
    from: "and r.currency = d.currency and r.origin <> 'withdrawal')`",
    to: 'and r.currency = d.currency)`',
  },
  {
    guard: 'uncaptured money stays',
    scheduled: true,
    file: CLAIMS,
    from: '{ amount: BigInt(row.uncaptured), reason: NOT_CAPTURED },',
    to: '',
  },
  {
    guard: 'what may have left stays',
    scheduled: true,
    file: CLAIMS,
    from: '{ amount: BigInt(row.in_review), reason: IN_REVIEW },',
    to: '',
  },
  {
    guard: 'what the bank has taken before the capture stays',
    file: CLAIMS,
    from: '{ amount: BigInt(row.unbooked), reason: TAKEN_BACK },',
    to: '',
  },
  {
    guard: 'the last captured is covered first',
    scheduled: true,
    file: CLAIMS_STORE,
    from: /(c on 1 = 1\n.*order by) c\.captured_at desc, c\.number desc/,
    to: '$1 c.captured_at, c.number',
  },
  {
    guard: 'at most what is covered',
    scheduled: true,
    file: CLAIMS,
    from: 'const covered = left < uncovered ? left : uncovered',
    to: 'const covered = left',
  },
  {
    guard: 'other cards get back their own first',
    scheduled: true,
    file: LOOP,
    from: 'const takesAll = !isBlocked && noPayout === null',
    to: 'const takesAll = noPayout === null',
  },
  {
    guard: 'winnings only to a card that takes payouts',
    scheduled: true,
    file: LOOP,
    from: 'const takesAll = !isBlocked && noPayout === null',
    to: 'const takesAll = !isBlocked',
  },
  {
    guard: 'a claim under dispute is not taken',
    scheduled: true,
    file: LOOP,
    from: "if (claim.isDisputed) return 'disputed'\n",
    to: '',
  },
  {
    guard: 'a claim of a closed account is freed',
    scheduled: true,
    file: LOOP,
    from: 'if (card === undefined || card.account_closed_at !== null) return',
    to: 'if (card === undefined) return',
  },
  {
    guard: 'an old deposit is not returned',
    file: LOOP,
    from: ' && now - claim.capturedAt <= returnWithinMs)',
    to: ' && now - claim.capturedAt <= returnWithinMs * 100)',
  },
  {
    guard: 'what the gateway refuses for good is not returned again',
    scheduled: true,
    file: LOOP,
    from: 'if (!claim.isReturnRefused && ',
    to: 'if (',
  },
  {
    guard: 'a removed card takes no winnings',
    scheduled: true,
    file: PAYABLE,
    from: "if (card.removed_at !== null) return 'This card was removed",
    to: "if (card.removed_at === 0) return 'This card was removed",
  },
  {
    guard: 'a closed card takes no winnings',
    scheduled: true,
    file: PAYABLE,
    from: "if (card.closed_at !== null) return 'This card was closed",
    to: "if (card.closed_at === 0) return 'This card was closed",
  },
  {
    guard: 'an expired card takes no winnings',
    scheduled: true,
    file: PAYABLE,
    from: 'if (isCardExpired(card.expiry_date, now)) return',
    to: 'if (isCardExpired(card.expiry_date, 0)) return',
  },
  // ---- Parts
  {
    guard: 'SENDING before the gateway is called',
    scheduled: true,
    file: PART_STORE,
    from: `where id = :id and state = 'WAITING' returning`,
    to: 'where id = :id returning',
    behind: 'the job looks at the state of the part under the lock first, and the trigger of its moves refuses it',
  },
  {
    guard: 'what is held is not sent',
    scheduled: true,
    file: SEND,
    from: "if (part.state !== 'WAITING' || withdrawal.hold !== null || !isApproved(withdrawal)) {",
    to: "if (part.state !== 'WAITING') {",
    behind: 'what holds a withdrawal deletes its jobs, and the trigger withdrawal_part_approval refuses to send',
  },
  {
    guard: 'the job looks at the card again',
    scheduled: true,
    file: SEND,
    from: 'if (reason !== null) {',
    to: "if (reason === '') {",
  },
  {
    guard: 'returns of one deposit go one after another',
    scheduled: true,
    file: SEND,
    from: 'part.is_behind === 1) return BEHIND',
    to: 'part.is_behind > 1) return BEHIND',
  },
  {
    guard: 'a notification was faster',
    scheduled: true,
    file: SEND,
    from: '  if (!isAwaited) {',
    to: '  if (!isAwaited && part.id < 0) {',
  },
  {
    guard: 'the answer says paid of what a person said to be returned',
    file: SEND,
    from: "if (reported.outcome === 'contradiction') await sendPartToReview",
    to: "if (reported.outcome === 'contradiction' && of.part.id < 0) await sendPartToReview",
  },
  {
    guard: 'a part that is in review is only looked up',
    file: SEND,
    from: "part.review === 'unresolved' && part.kind === 'payout'",
    to: "part.review !== null && part.kind !== 'outside'",
  },
  {
    guard: 'not enough on our account is no refusal',
    scheduled: true,
    file: SEND,
    from: "outcome !== 'unfunded' && isOver",
    to: 'isOver',
  },
  {
    guard: 'returned: credited back',
    scheduled: true,
    file: PARTS,
    from: "{ kind: 'part_back' as const, amount: reported.unpaid },",
    to: '',
  },
  {
    guard: 'paid: booked',
    scheduled: true,
    file: PARTS,
    from: '{ kind: kinds.paid, amount: reported.newlyPaid },',
    to: '',
  },
  {
    guard: 'came back after it was paid: credited',
    scheduled: true,
    file: PARTS,
    from: '{ kind: kinds.back, amount: reported.back },',
    to: '',
  },
  {
    guard: 'paid after all: debited again',
    scheduled: true,
    file: PARTS,
    from: /\n.*await debit\(tx, terms, \{ balance: 'part_again', debt: 'part_again_debt' \}, report\.now\)/,
    to: '',
  },
  {
    guard: 'the refund of a return says the same as its part',
    scheduled: true,
    file: PARTS,
    from: /await mirrorRefund\(.*/,
    to: '[] as NewEvent[]',
  },
  {
    guard: 'a payout of another currency',
    scheduled: true,
    file: NOTIFIED,
    from: /.*currency !== part\.currency\).*\n/,
    to: '',
  },
  {
    guard: 'a part that was never sent is not told about',
    scheduled: true,
    file: NOTIFIED,
    from: /.*if \(isUnsent\(part\)\).*\n/,
    to: '',
  },
  {
    guard: 'refuse before it is sent',
    scheduled: true,
    file: PARTS,
    from: "if (part.state !== 'WAITING' || !which(part)) continue",
    to: "if (part.state === 'RETURNED' || !which(part)) continue",
  },
  // ---- Cards, debts and payments outside
  {
    guard: 'a changed card takes back what it cannot take',
    scheduled: true,
    file: CARDS,
    from: '(part) => !isTaken(part)',
    to: '(part) => !isTaken(part) && part.id < 0',
  },
  {
    guard: 'a changed card wants new approvals',
    scheduled: true,
    file: CARDS,
    from: /\n.*await voidApprovals\(tx, left, .*/,
    to: '',
  },
  {
    guard: 'money that has gone takes back what waits of its deposit',
    scheduled: true,
    file: GONE,
    from: /\n.*await returnWaiting\(tx, withdrawal, isOfDeposit, .*/,
    to: '',
  },
  {
    guard: 'a debt holds what waits',
    scheduled: true,
    file: GONE,
    from: '  if (debt === 0n) return\n',
    to: '  if (debt >= 0n) return\n',
  },
  {
    guard: 'outside only what no card can take',
    scheduled: true,
    file: OUTSIDE,
    from: 'if (takesAnyPayout(facts)) return 0n\n',
    to: '',
  },
])
