// The paths of refunds, withdrawals, notifications and the job settle: every await, in order, by what becomes of them. Each begins
// with a captured deposit of 10.00.

import { distinctPoints, EVERY_POINT } from './deposit-paths.ts'

/**
 * What clients, operators and the bank do. A small withdrawal is approved by the rule. A chargeback is of more than the customer
 * has, and makes a debt.
 */
export type Step =
  | 'refund'
  | 'withdraw'
  | 'withdraw much'
  | 'approve'
  | 'approve again'
  | 'refuse'
  | 'tell CHARGEBACK'
  | 'tell REFUND'
  | 'tell REFUND_FAILED'
  | 'tell PAIDOUT_REVERSED'

export type MoneyPath = {
  readonly token: string
  /** Each is done once the point before it is reached. */
  readonly steps: readonly (readonly [after: string | null, step: Step])[]
  /** The gateway captures the deposit only after the first notification. */
  readonly isCapturedLate?: true
  /** In hundredths, at the end. */
  readonly balance: bigint
  readonly debt?: bigint
  /** How often the bank returned and paid out money. */
  readonly refunded?: 1
  readonly paidOut?: 1
  readonly points: readonly string[]
}

// ---- Refunds

const REFUND_REQUESTED = [
  'after lockDepositWithFacts #1',
  'after refundFacts #1',
  'after insertRefund #1',
  'after addToBalance #1',
  'after insertTransfers #1',
  'after setRefundDebited #1',
  'after insertRefundJob #1',
  'after insertDepositEvent #1',
  'after commit #1',
  'after firstDueJob #1',
  'after claimJobs #1',
  'before refund #1',
  'after refund #1',
  'after lockRefund #1',
]
const REFUND_RECORDED = ['after deleteRefundJob #1', 'after insertDepositEvent #2', 'after commit #2']
const REFUND_RECEIVED = [...REFUND_REQUESTED, 'after markRefundSent #1', ...REFUND_RECORDED]
const REFUND_TOLD = [
  'after insertNotification #1',
  'after lockDepositWithFacts #2',
  'after insertDepositEvent #3',
  'after refundByReference #1',
]

// ---- Withdrawals

const WITHDRAWN = [
  'after lockDepositor #1',
  'after withdrawalByReference #1',
  'after loopCards #1',
  'after withdrawable #1',
  'after customerAccounts #1',
  'after insertWithdrawal #1',
  'after addToBalance #1',
  'after insertTransfers #1',
  'after insertWithdrawalEvent #1',
]

/** The job, until the gateway has answered. `events`: of the withdrawal so far; `commits`: so far. */
function sent(events: number, commits: number): string[] {
  return [
    'after firstDueJob #1',
    'after claimJobs #1',
    'after beginSending #1',
    `after insertWithdrawalEvent #${events + 1}`,
    `after commit #${commits + 1}`,
    'after tokenOfWithdrawal #1',
    'before payout #1',
    'after payout #1',
  ]
}

const BY_RULE = [
  ...WITHDRAWN,
  'after approveByRule #1',
  'after insertPayoutJob #1',
  'after insertWithdrawalEvent #2',
  'after commit #1',
  ...sent(2, 1),
  'after lockWithdrawal #1',
]
const PAID = [
  ...BY_RULE,
  'after payWithdrawal #1',
  'after insertTransfers #2',
  'after deletePayoutJob #1',
  'after insertWithdrawalEvent #4',
  'after commit #3',
]
const POSTPONED = ['after commit #3', 'after postponeJob #1', 'after insertWithdrawalEvent #4', 'after commit #4']
const WAITING = [...WITHDRAWN, 'after commit #1', 'after lockWithdrawal #1']
const BY_OPERATORS = [
  ...WAITING,
  'after approveFirst #1',
  'after insertWithdrawalEvent #2',
  'after withdrawalById #1',
  'after commit #2',
  'after lockWithdrawal #2',
  'after approveFirst #2',
  'after approveSecond #1',
  'after insertPayoutJob #1',
  'after insertWithdrawalEvent #3',
  'after withdrawalById #2',
  'after commit #3',
  ...sent(3, 3),
  'after lockWithdrawal #3',
  'after payWithdrawal #1',
  'after insertTransfers #2',
  'after deletePayoutJob #1',
  'after insertWithdrawalEvent #5',
  'after commit #5',
]

// ---- Disputes

const DISPUTE_TOLD = [
  'after insertNotification #1',
  'after lockDepositWithFacts #1',
  'after insertDepositEvent #1',
  'after disputeOf #1',
  'after insertDispute #1',
  'after insertDisputeEvent #1',
]
const DEBITED = [
  'after customerAccounts #1',
  'after addToBalance #1',
  'after addToDebt #1',
  'after openDebt #1',
  'after addToDebt #2',
]

/** A new await must be added here. */
export const MONEY_PATHS: Record<string, MoneyPath> = {
  'refund, done': {
    token: 'sandbox:approve',
    steps: [[null, 'refund']],
    balance: 600n,
    refunded: 1,
    points: [...REFUND_REQUESTED, 'after finishRefund #1', ...REFUND_RECORDED],
  },
  'refund, refused': {
    token: 'sandbox:refund-failed',
    steps: [[null, 'refund']],
    balance: 1000n,
    points: [
      ...REFUND_REQUESTED,
      'after failRefund #1',
      'after addToBalance #2',
      'after insertTransfers #2',
      'after setRefundDebited #2',
      ...REFUND_RECORDED,
    ],
  },
  'refund, received and done': {
    token: 'sandbox:refund-slow',
    steps: [
      [null, 'refund'],
      ['after commit #2', 'tell REFUND'],
    ],
    balance: 600n,
    refunded: 1,
    points: [
      ...REFUND_RECEIVED,
      ...REFUND_TOLD,
      'after finishRefund #1',
      'after deleteRefundJob #2',
      'after insertDepositEvent #4',
      'after commit #3',
    ],
  },
  'refund, received and failed': {
    token: 'sandbox:refund-slow',
    steps: [
      [null, 'refund'],
      ['after commit #2', 'tell REFUND_FAILED'],
    ],
    balance: 1000n,
    refunded: 1,
    points: [
      ...REFUND_RECEIVED,
      ...REFUND_TOLD,
      'after failRefund #1',
      'after addToBalance #2',
      'after insertTransfers #2',
      'after setRefundDebited #2',
      'after deleteRefundJob #2',
      'after insertDepositEvent #4',
      'after commit #3',
    ],
  },
  'withdrawal, paid': {
    token: 'sandbox:approve',
    steps: [[null, 'withdraw']],
    balance: 600n,
    paidOut: 1,
    points: PAID,
  },
  'withdrawal, paid with a lost answer': {
    token: 'sandbox:payout-unknown',
    steps: [[null, 'withdraw']],
    balance: 600n,
    paidOut: 1,
    points: [...BY_RULE, ...POSTPONED],
  },
  'withdrawal, received': {
    token: 'sandbox:payout-slow',
    steps: [[null, 'withdraw']],
    balance: 600n,
    paidOut: 1,
    points: [...BY_RULE, 'after setReceived #1', ...POSTPONED],
  },
  'withdrawal, refused by the bank': {
    token: 'sandbox:payout-refused',
    steps: [[null, 'withdraw']],
    balance: 1000n,
    points: [
      ...BY_RULE,
      'after returnWithdrawal #1',
      'after addToBalance #2',
      'after insertTransfers #2',
      'after deletePayoutJob #1',
      'after insertWithdrawalEvent #4',
      'after commit #3',
    ],
  },
  'withdrawal, approved by operators': {
    token: 'sandbox:approve',
    steps: [
      [null, 'withdraw much'],
      ['after commit #1', 'approve'],
      ['after commit #2', 'approve again'],
    ],
    balance: 400n,
    paidOut: 1,
    points: BY_OPERATORS,
  },
  'withdrawal, refused by an operator': {
    token: 'sandbox:approve',
    steps: [
      [null, 'withdraw much'],
      ['after commit #1', 'refuse'],
    ],
    balance: 1000n,
    points: [
      ...WAITING,
      'after refuseWithdrawal #1',
      'after addToBalance #2',
      'after insertTransfers #2',
      'after deletePayoutJob #1',
      'after insertWithdrawalEvent #2',
      'after withdrawalById #1',
      'after commit #2',
    ],
  },
  'withdrawal, paid and come back': {
    token: 'sandbox:approve',
    steps: [
      [null, 'withdraw'],
      ['after commit #3', 'tell PAIDOUT_REVERSED'],
    ],
    balance: 1000n,
    paidOut: 1,
    points: [
      ...PAID,
      'after insertNotification #1',
      'after lockWithdrawalByReference #1',
      'after insertWithdrawalEvent #5',
      'after markPaid #1',
      'after returnWithdrawal #1',
      'after addToBalance #2',
      'after insertTransfers #3',
      'after deletePayoutJob #2',
      'after insertWithdrawalEvent #6',
      'after commit #4',
    ],
  },
  'dispute of a captured deposit': {
    token: 'sandbox:approve',
    steps: [[null, 'tell CHARGEBACK']],
    balance: 0n,
    debt: 500n,
    points: [
      ...DISPUTE_TOLD,
      ...DEBITED,
      'after insertTransfers #1',
      'after changeDispute #1',
      'after insertDepositEvent #2',
      'after commit #1',
    ],
  },
  'dispute before the capture, settled after it': {
    token: 'sandbox:approve',
    isCapturedLate: true,
    steps: [[null, 'tell CHARGEBACK']],
    balance: 0n,
    debt: 500n,
    points: [
      ...DISPUTE_TOLD,
      'after insertJob #1',
      'after changeDispute #1',
      'after insertDepositEvent #2',
      'after commit #1',
      'after capture #1',
      'after captureDeposits #1',
      'after deleteCaptureJobs #1',
      'after insertTransfers #1',
      'after insertDepositEvents #1',
      'after commit #2',
      'after firstDueJob #1',
      'after claimJobs #1',
      'after lockDepositWithFacts #2',
      'after disputesOfDeposit #1',
      'after disputeEvents #1',
      ...DEBITED,
      'after insertTransfers #2',
      'after changeDispute #2',
      'after insertDepositEvent #3',
      'after refundsOfDeposit #1',
      'after deleteJob #1',
      'after commit #3',
    ],
  },
}

/** What a path has in common with another one is killed there. */
const KILLED_ELSEWHERE: Record<string, readonly string[]> = {
  'refund, refused': REFUND_REQUESTED,
  'refund, received and done': REFUND_REQUESTED,
  'refund, received and failed': REFUND_RECEIVED,
  'withdrawal, paid with a lost answer': [...BY_RULE.filter((point) => point !== 'after payout #1'), 'after commit #3'],
  'withdrawal, received': [...BY_RULE, ...POSTPONED.slice(1)],
  'withdrawal, refused by the bank': BY_RULE,
  'withdrawal, approved by operators': BY_OPERATORS.slice(BY_OPERATORS.indexOf('after commit #3')),
  'withdrawal, refused by an operator': WAITING,
  'withdrawal, paid and come back': PAID,
}

export const moneyCases = Object.entries(MONEY_PATHS).flatMap(([path, { points }]) => {
  const elsewhere = KILLED_ELSEWHERE[path] ?? []
  return killedAt(points)
    .filter((point) => !elsewhere.includes(point))
    .map((point) => ({ path, point }))
})

/**
 * As of deposits, but `npm test` kills only in the last transaction of a path, not in each, because of none anything is committed;
 * and not where jobs are claimed, which is the same for all jobs.
 */
function killedAt(points: readonly string[]): string[] {
  const lastOfAll = points.at(-2)
  return distinctPoints(points).filter((point) => {
    const isInTransaction = points[points.indexOf(point) + 1]?.startsWith('after commit') === true
    return EVERY_POINT || (isInTransaction ? point === lastOfAll : !point.startsWith('after claimJobs'))
  })
}
