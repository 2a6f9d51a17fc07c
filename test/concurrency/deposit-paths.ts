// The paths of a deposit, by its outcome. Their points are listed in deposit-paths.txt.

import { distinctPoints, EVERY_POINT, ownPoints, playedHere, pointLists } from '../harness/crash-points.ts'

export const depositPoints = pointLists(new URL('./deposit-paths.txt', import.meta.url))

/** `finish`: what the customer answers the issuer; absent: there is no challenge. */
export type DepositPath = {
  token: string
  newCurrency?: true
  excluded?: true
  finish?: 'approve' | 'refuse' | 'abandon'
}

export const PATHS: Record<string, DepositPath> = {
  approved: { token: 'sandbox:approve' },
  'approved, the first of its currency': { token: 'sandbox:approve', newCurrency: true },
  declined: { token: 'sandbox:wrong-cv2' },
  unknown: { token: 'sandbox:error-after' },
  'challenged, approved': { token: 'sandbox:challenge', finish: 'approve' },
  'challenged, refused': { token: 'sandbox:challenge', finish: 'refuse' },
  'challenged, abandoned': { token: 'sandbox:challenge', finish: 'abandon' },
  'approved, no longer allowed': { token: 'sandbox:approve', excluded: true },
}

const names = Object.keys(PATHS)

/** How the sandbox's bank decides: what follows the decision is the same for all that are approved. */
const bankOf = (name: string) => (PATHS[name]?.token === 'sandbox:wrong-cv2' ? 'refuses' : 'holds')

const own = ownPoints(names.map((name) => ({ token: bankOf(name), points: depositPoints.of(name) })))

/** Where the first deposit of a currency opens the ledger's accounts. */
const OPENING = EVERY_POINT ? /openAccounts|addToBalance|insertTransfers #1/ : /openAccounts/

type Case = { readonly path: string; readonly point: string }

export const cases: readonly Case[] = playedHere(
  names.flatMap((path, index) => {
    const points = depositPoints.of(path)
    const distinct = distinctPoints(points)
    const killedAt = PATHS[path]?.newCurrency
      ? points.filter((point) => OPENING.test(point))
      : (own[index] as string[]).filter((point) => distinct.includes(point))
    return killedAt.map((point) => ({ path, point }))
  }),
)

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
