// The paths of a deposit: every await, in order, by the outcome of the deposit.

import { engine } from '../harness/service.ts'

const T1 = [
  'before the deposit #1',
  'after lockDepositor #1',
  'after depositFacts #1',
  'after insertDeposit #1',
  'after commit #1',
  'before authorise #1',
  'after authorise #1',
]

const APPROVED = [
  ...T1,
  'after lockDepositWithFacts #1',
  'after approveDeposit #1',
  'after addToBalance #1',
  'after openAccounts #1',
  'after addToBalance #2',
  'after insertTransfers #1',
  'after insertJob #1',
  'after insertDepositEvent #1',
  'after commit #2',
  'after firstDueJob #1',
  'after claimJobs #1',
  'before capture #1',
  'after capture #1',
  'after captureDeposits #1',
  'after deleteCaptureJobs #1',
  'after insertTransfers #2',
  'after insertDepositEvents #1',
  'after commit #3',
]

/** The sweeper cancels what was voided. */
const CANCELLED = [
  'after voidDeposit #1',
  'after insertJob #1',
  'after insertDepositEvent #1',
  'after commit #2',
  'after firstDueJob #1',
  'after claimJobs #1',
  'before cancel #1',
  'after cancel #1',
  'after lockDeposit #1',
  'after deleteJob #1',
  'after finishVoid #1',
  'after insertDepositEvent #2',
  'after commit #3',
]

/** The issuer challenges the customer, who comes back. */
const CHALLENGED = [
  ...T1,
  'after challengeDeposit #1',
  'after insertChallenge #1',
  'after insertDepositEvent #1',
  'after commit #2',
  'after depositWithChallenge #1',
]
const COMES_BACK = ['after depositWithChallenge #2', 'before finishChallenge #1', 'after finishChallenge #1']

/** `finish`: what the customer answers the issuer; absent: there is no challenge. */
export type DepositPath = {
  token: string
  newCurrency?: true
  excluded?: true
  finish?: 'approve' | 'refuse' | 'abandon'
}

/** Every await of the path, by the outcome of the deposit. A new await must be added here. */
export const PATHS: Record<string, DepositPath & { points: string[] }> = {
  approved: { token: 'sandbox:approve', points: APPROVED },
  'approved, the first of its currency': { token: 'sandbox:approve', newCurrency: true, points: APPROVED },
  declined: {
    token: 'sandbox:wrong-cv2',
    points: [
      ...T1,
      'after declineDeposit #1',
      'after countWrongCv2 #1',
      'after insertDepositEvent #1',
      'after commit #2',
    ],
  },
  unknown: {
    token: 'sandbox:error-after',
    points: [...T1, 'before authorise #2', 'after authorise #2', ...CANCELLED],
  },
  'challenged, approved': {
    token: 'sandbox:challenge',
    finish: 'approve',
    points: [
      ...CHALLENGED,
      ...COMES_BACK,
      'after lockDepositWithFacts #1',
      'after approveDeposit #1',
      'after addToBalance #1',
      'after openAccounts #1',
      'after addToBalance #2',
      'after insertTransfers #1',
      'after insertJob #1',
      'after insertDepositEvent #2',
      'after commit #3',
      'after firstDueJob #1',
      'after claimJobs #1',
      'before capture #1',
      'after capture #1',
      'after captureDeposits #1',
      'after deleteCaptureJobs #1',
      'after insertTransfers #2',
      'after insertDepositEvents #1',
      'after commit #4',
    ],
  },
  'challenged, refused': {
    token: 'sandbox:challenge',
    finish: 'refuse',
    points: [...CHALLENGED, ...COMES_BACK, 'after declineDeposit #1', 'after insertDepositEvent #2', 'after commit #3'],
  },
  'challenged, abandoned': { token: 'sandbox:challenge', finish: 'abandon', points: CHALLENGED },
  'approved, no longer allowed': {
    token: 'sandbox:approve',
    excluded: true,
    points: [...T1, 'after lockDepositWithFacts #1', ...CANCELLED],
  },
}

/** `npm run test:all`, or CRASH_POINTS=all: at every await. */
export const EVERY_POINT = process.env.CRASH_POINTS === 'all' || process.env.TEST_SUITES === 'all'

/**
 * Where a kill leaves something else behind than a kill before it: after what is stored or what the gateway has done has changed,
 * and on SQLite at the last statement of each transaction, of which nothing is committed, whichever statement is the last to
 * run, and whichever engine rolls it back. A kill after the last commit leaves nothing to finish.
 */
export function distinctPoints(points: readonly string[]): string[] {
  const isChange = (point: string) =>
    /^after (commit|authorise|finishChallenge|capture #|cancel|refund #|payout #|claimJobs)/.test(point)
  const isLast = (i: number) => engine === 'sqlite' && points[i + 1]?.startsWith('after commit') === true
  const isDistinct = (point: string, i: number) => isChange(point) || isLast(i)
  return EVERY_POINT ? [...points] : points.slice(0, -1).filter(isDistinct)
}

/** Where the first deposit of a currency opens the ledger's accounts. */
const OPENING = EVERY_POINT ? /openAccounts|addToBalance|insertTransfers #1/ : /openAccounts/

/** The points of a path that are killed at on another one. */
function killedElsewhere(path: string, points: readonly string[]): readonly string[] {
  if (path === 'approved') return []
  const before = path === 'challenged, refused' || path === 'challenged, abandoned' ? CHALLENGED : T1
  // What the sweeper captures or cancels is the same deposit on these paths as on others.
  const isSweptElsewhere = !EVERY_POINT && ['challenged, approved', 'approved, no longer allowed'].includes(path)
  return isSweptElsewhere ? [...before, ...points.slice(points.indexOf('after firstDueJob #1'))] : before
}

export const cases: { path: string; point: string }[] = []
for (const [path, { points, newCurrency }] of Object.entries(PATHS)) {
  const elsewhere = killedElsewhere(path, points)
  const killedAt = newCurrency
    ? points.filter((point) => OPENING.test(point))
    : distinctPoints(points).filter((point) => !elsewhere.includes(point))
  for (const point of killedAt) cases.push({ path, point })
}

/**
 * The sweeper's own path: it finds the deposit of a process that died, because its lease has expired. After the commit it is as
 * on the path `unknown`.
 */
export const LEASE_OVER = [
  'after expiredDeposits #1',
  'after voidDeposit #1',
  'after insertJob #1',
  'after insertDepositEvent #1',
  'after commit #1',
]
