// The paths of refunds, withdrawals, disputes, reviews and cards. Each begins with a captured deposit of 10.00. Their points are listed
// in money-paths.txt.

import { distinctPoints, EVERY_POINT, ownPoints, playedHere, pointLists } from '../harness/crash-points.ts'

export const moneyPoints = pointLists(new URL('./money-paths.txt', import.meta.url))

/** A little is done by the rule or by one person; `much` needs two. */
export type Step =
  | 'refund'
  | 'refund much'
  | 'approve the refund'
  | 'refuse the refund'
  | 'resolve the refund'
  | 'resolve the refund again'
  | 'withdraw'
  | 'withdraw much'
  | 'withdraw all'
  | 'approve'
  | 'approve again'
  | 'refuse'
  | 'resolve'
  | 'resolve again'
  | 'resolve the deposit'
  | 'resolve the deposit again'
  | 'close the card'
  | 'remove the card'
  | 'close the account'
  | 'close the account again'
  | 'pay outside'
  | 'pay outside again'
  | 'write off'
  | 'write off again'
  | 'end the dispute'
  | 'end the dispute again'
  | `tell ${string}`

export type MoneyPath = {
  readonly token: string
  /** Each is done once the point before it is reached. */
  readonly steps: readonly (readonly [after: string | null, step: Step])[]
  /** The gateway captures the deposit only after the first notification. */
  readonly isCapturedLate?: true
  /**
   * Before the path: 10.00 is won, and the deposit was refunded in the back office, so that only winnings are left; or 10.00 is won; or
   * 6.00 is staked.
   */
  readonly before?: 'only winnings' | 'won' | 'spent'
  /** Payouts to a card that is new wait. */
  readonly isNewCard?: true
  /** In hundredths, at the end. */
  readonly balance: bigint
  readonly debt?: bigint
  /** How often the bank returned money, and paid out. */
  readonly refunded?: number
  readonly paidOut?: number
  /** `npm test` walks it, and leaves its kills to `npm run test:all`: another one is much like it. */
  readonly isLike?: string
  /** `npm test` also kills it in its last transaction. */
  readonly isKilledInside?: true
}

const REFUND: Record<string, MoneyPath> = {
  'refund, done': {
    token: 'sandbox:approve',
    steps: [[null, 'refund']],
    balance: 600n,
    refunded: 1,
    isKilledInside: true,
  },
  'refund, refused': { token: 'sandbox:refund-failed', steps: [[null, 'refund']], balance: 1000n },
  'refund with a lost answer': {
    token: 'sandbox:refund-unknown',
    steps: [[null, 'refund']],
    balance: 600n,
    refunded: 1,
    isLike: 'payout with a lost answer',
  },
  'refund, received and done': {
    token: 'sandbox:refund-slow',
    steps: [
      [null, 'refund'],
      ['after commit #3', 'tell REFUND'],
    ],
    balance: 600n,
    refunded: 1,
  },
  'refund, received and failed': {
    token: 'sandbox:refund-slow',
    steps: [
      [null, 'refund'],
      ['after commit #3', 'tell REFUND_FAILED'],
    ],
    balance: 1000n,
    refunded: 1,
    isLike: 'refund, received and done',
  },
  'refund, failed and paid after all': {
    token: 'sandbox:refund-failed',
    steps: [
      [null, 'refund'],
      ['after commit #3', 'tell REFUND'],
      ['after commit #4', 'resolve the refund'],
      ['after commit #5', 'resolve the refund again'],
    ],
    balance: 600n,
    isKilledInside: true,
  },
  'refund, approved by another person': {
    token: 'sandbox:approve',
    steps: [
      [null, 'refund much'],
      ['after commit #1', 'approve the refund'],
    ],
    balance: 400n,
    refunded: 1,
    isLike: 'withdrawal, approved by two persons',
  },
  'refund, refused by another person': {
    token: 'sandbox:approve',
    steps: [
      [null, 'refund much'],
      ['after commit #1', 'refuse the refund'],
    ],
    balance: 1000n,
    isLike: 'withdrawal, refused by a person',
  },
  'refund of the back office': {
    token: 'sandbox:approve',
    steps: [[null, 'tell REFUND at the bank']],
    balance: 600n,
    isLike: 'refund of the back office, of what waits to go out',
  },
  'refund of the back office, of what waits to go out': {
    token: 'sandbox:approve',
    steps: [
      [null, 'withdraw much'],
      ['after commit #1', 'tell REFUND at the bank'],
    ],
    balance: 600n,
  },
}

const WITHDRAWAL: Record<string, MoneyPath> = {
  'withdrawal, returned to the card': {
    token: 'sandbox:approve',
    steps: [[null, 'withdraw']],
    balance: 600n,
    refunded: 1,
    isKilledInside: true,
  },
  'withdrawal, of which the card refuses the return': {
    token: 'sandbox:payout-refused',
    steps: [[null, 'withdraw']],
    balance: 1000n,
    isLike: 'refund, refused',
  },
  'withdrawal to an account that is closed': {
    token: 'sandbox:account-closed',
    steps: [[null, 'withdraw']],
    balance: 1000n,
    isLike: 'withdrawal, of which the card refuses the return',
  },
  'withdrawal, of which the return is received': {
    token: 'sandbox:payout-slow',
    steps: [[null, 'withdraw']],
    balance: 600n,
    refunded: 1,
  },
  'withdrawal, returned to the card and come back': {
    token: 'sandbox:approve',
    steps: [
      [null, 'withdraw'],
      ['after commit #3', 'tell REFUNDED_REVERSED'],
    ],
    balance: 1000n,
    refunded: 1,
  },
  'withdrawal, refused by the bank and paid after all': {
    token: 'sandbox:payout-refused',
    steps: [
      [null, 'withdraw'],
      ['after commit #3', 'tell REFUND of the part'],
      ['after commit #4', 'resolve'],
      ['after commit #5', 'resolve again'],
    ],
    balance: 600n,
    isKilledInside: true,
  },
  'withdrawal in two parts, of which one waits': {
    token: 'sandbox:approve',
    before: 'won',
    isNewCard: true,
    steps: [
      [null, 'withdraw all'],
      ['after commit #1', 'approve'],
      ['after commit #2', 'approve again'],
    ],
    balance: 0n,
    refunded: 1,
    paidOut: 1,
    isKilledInside: true,
  },
  'payout, paid': {
    token: 'sandbox:approve',
    before: 'only winnings',
    steps: [[null, 'withdraw']],
    balance: 600n,
    paidOut: 1,
    isKilledInside: true,
  },
  'payout with a lost answer': {
    token: 'sandbox:payout-unknown',
    before: 'only winnings',
    steps: [[null, 'withdraw']],
    balance: 600n,
    paidOut: 1,
  },
  'payout, received': {
    token: 'sandbox:payout-slow',
    before: 'only winnings',
    steps: [[null, 'withdraw']],
    balance: 600n,
    paidOut: 1,
    isLike: 'withdrawal, of which the return is received',
  },
  'payout, for which our account has too little': {
    token: 'sandbox:payout-unfunded',
    before: 'only winnings',
    steps: [[null, 'withdraw']],
    balance: 600n,
    paidOut: 1,
    isLike: 'withdrawal, of which the return is received',
  },
  'payout, refused by the bank': {
    token: 'sandbox:payout-refused',
    before: 'only winnings',
    steps: [[null, 'withdraw']],
    balance: 1000n,
    isLike: 'withdrawal, of which the card refuses the return',
  },
  'payout, paid and come back': {
    token: 'sandbox:approve',
    before: 'only winnings',
    steps: [
      [null, 'withdraw'],
      ['after commit #3', 'tell PAYOUT_REVERSED'],
    ],
    balance: 1000n,
    paidOut: 1,
    isLike: 'withdrawal, returned to the card and come back',
  },
  'withdrawal, approved by two persons': {
    token: 'sandbox:approve',
    steps: [
      [null, 'withdraw much'],
      ['after commit #1', 'approve'],
      ['after commit #2', 'approve again'],
    ],
    balance: 400n,
    refunded: 1,
  },
  'withdrawal, refused by a person': {
    token: 'sandbox:approve',
    steps: [
      [null, 'withdraw much'],
      ['after commit #1', 'refuse'],
    ],
    balance: 1000n,
  },
  'withdrawal to a card that is closed while it waits': {
    token: 'sandbox:approve',
    steps: [
      [null, 'withdraw much'],
      ['after commit #1', 'close the card'],
      ['after commit #2', 'refuse'],
    ],
    balance: 1000n,
  },
  'payout to a card that is removed while it waits': {
    token: 'sandbox:approve',
    before: 'only winnings',
    steps: [
      [null, 'withdraw much'],
      ['after commit #1', 'remove the card'],
    ],
    balance: 1000n,
    isLike: 'withdrawal to a card that is closed while it waits',
  },
}

const DISPUTE: Record<string, MoneyPath> = {
  'dispute that makes a debt': {
    token: 'sandbox:approve',
    before: 'spent',
    steps: [[null, 'tell CHARGEBACK']],
    balance: 0n,
    debt: 600n,
    isKilledInside: true,
  },
  'dispute before the capture, booked after it': {
    token: 'sandbox:approve',
    isCapturedLate: true,
    steps: [[null, 'tell CHARGEBACK']],
    balance: 0n,
  },
  'dispute, charged beyond the deposit and reversed': {
    token: 'sandbox:approve',
    steps: [
      [null, 'tell CHARGEBACK of more'],
      ['after commit #1', 'tell CHARGEBACK_REVERSED'],
    ],
    balance: 500n,
    isLike: 'dispute that makes a debt',
  },
  'dispute of what waits to go out': {
    token: 'sandbox:approve',
    steps: [
      [null, 'withdraw much'],
      ['after commit #1', 'tell CHARGEBACK'],
    ],
    balance: 0n,
    isKilledInside: true,
  },
  'capture that failed, and was made after all': {
    token: 'sandbox:approve',
    steps: [
      [null, 'tell CAPTURE_FAILED'],
      ['after commit #1', 'tell CAPTURE'],
    ],
    balance: 1000n,
  },
  'capture that failed, resolved by two persons': {
    token: 'sandbox:approve',
    steps: [
      [null, 'tell CAPTURE_FAILED'],
      ['after commit #1', 'resolve the deposit'],
      ['after commit #2', 'resolve the deposit again'],
    ],
    balance: 1000n,
    isLike: 'refund, failed and paid after all',
  },
}

/** What only two persons together do. */
const TOGETHER: Record<string, MoneyPath> = {
  'account that two persons close while a withdrawal waits': {
    token: 'sandbox:approve',
    steps: [
      [null, 'withdraw much'],
      ['after commit #1', 'close the account'],
      ['after commit #2', 'close the account again'],
    ],
    balance: 1000n,
    isKilledInside: true,
  },
  'payment outside of what no card can take': {
    token: 'sandbox:approve',
    steps: [
      [null, 'close the account'],
      ['after commit #1', 'close the account again'],
      ['after commit #2', 'pay outside'],
      ['after commit #3', 'pay outside again'],
    ],
    balance: 600n,
    isKilledInside: true,
  },
  'debt that two persons write off': {
    token: 'sandbox:approve',
    before: 'spent',
    steps: [
      [null, 'tell CHARGEBACK'],
      ['after commit #1', 'write off'],
      ['after commit #2', 'write off again'],
    ],
    balance: 0n,
    isKilledInside: true,
  },
  'dispute that two persons end, and a refund of what it kept': {
    token: 'sandbox:approve',
    steps: [
      [null, 'tell NOTIFICATION_OF_CHARGEBACK'],
      ['after commit #1', 'end the dispute'],
      ['after commit #2', 'end the dispute again'],
      ['after commit #3', 'refund'],
    ],
    balance: 600n,
    refunded: 1,
  },
}

export const MONEY_PATHS: Readonly<Record<string, MoneyPath>> = { ...REFUND, ...WITHDRAWAL, ...DISPUTE, ...TOGETHER }

const names = Object.keys(MONEY_PATHS)
const tokenOf = (name: string) => (MONEY_PATHS[name] as MoneyPath).token
const own = ownPoints(names.map((name) => ({ token: tokenOf(name), points: moneyPoints.of(name) })))

export const moneyCases = playedHere(
  withOneProposal(
    names.flatMap((path, index) => {
      if (!EVERY_POINT && MONEY_PATHS[path]?.isLike !== undefined) return []
      const killedAt = pointsKilledAt(moneyPoints.of(path), MONEY_PATHS[path]?.isKilledInside === true)
      return (own[index] as string[]).filter((point) => killedAt.includes(point)).map((point) => ({ path, point }))
    }),
  ),
)

type Case = { readonly path: string; readonly point: string }

/** `npm test` kills after one proposal only: whatever it is about, what it leaves is such a row. */
function withOneProposal(cases: readonly Case[]): readonly Case[] {
  const proposals = cases.filter(({ path, point }) => {
    const points = moneyPoints.of(path)
    return points[points.indexOf(point) - 1]?.startsWith('after putProposal') === true
  })
  const left = EVERY_POINT ? [] : proposals.slice(1)
  return cases.filter((one) => !left.includes(one))
}

/**
 * As of deposits, but `npm test` kills in the last transaction of few paths only, because of none anything is committed; and not where
 * jobs are claimed, which is the same for all jobs.
 */
function pointsKilledAt(points: readonly string[], inside: boolean): string[] {
  const lastOfAll = points.at(-2)
  return distinctPoints(points).filter((point) => {
    const isInTransaction = points[points.indexOf(point) + 1]?.startsWith('after commit') === true
    if (EVERY_POINT) return true
    return isInTransaction ? inside && point === lastOfAll : !point.startsWith('after claimJobs')
  })
}
