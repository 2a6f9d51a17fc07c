// A captured deposit is a *claim* of the card that paid: what a card paid in goes back to it first. What the customer has available
// covers the claims of all cards, the last captured first; what is left when all are covered is winnings. (The first captured first
// would let a thief cash out a stolen card to his own, after the money of his own was lost.) Stakes and winnings change the
// balance, never a claim.

import type { Database } from '../../platform/database/database.ts'
import type { GatewayName } from '../gateways/gateway.ts'
import { beginOfDay } from '../policy.ts'
import { CLAIMS_AT_ONCE, type ClaimRow, claimPage, type FundsRow, firstClaims } from './claims-store.ts'

export type Claim = {
  readonly depositId: string
  readonly methodId: number
  readonly gateway: GatewayName
  readonly left: bigint
  readonly covered: bigint
  readonly isDisputed: boolean
  readonly capturedAt: number
  readonly isReturnRefused: boolean
}

export type KeptBack = { readonly amount: bigint; readonly reason: string }

export type Funds = {
  readonly balance: bigint
  readonly debt: bigint
  readonly keptBack: readonly KeptBack[]
  readonly available: bigint
  /** The claims that are covered, the last captured first. */
  readonly claims: readonly Claim[]
  readonly winnings: bigint
  /** What was requested today, without what came back. */
  readonly withdrawnToday: bigint
  readonly refundedToday: bigint
}

const NOT_CAPTURED = 'Deposits that the bank of the card has not paid yet.'
const TAKEN_BACK = 'Money that the bank of a card has taken back.'
const IN_REVIEW = 'A payment to a card that is being checked: it may have arrived.'

type FundsOf = { readonly customerId: number; readonly currency: string; readonly now: number }

/** `replanned`: the parts of a withdrawal that waits and is planned again: it counts as not taken yet. */
export async function readFunds(
  database: Database,
  { customerId, currency, now }: FundsOf,
  replanned = 0n,
): Promise<Funds> {
  const of = { customerId, currency }
  const first = await database.query(firstClaims, { ...of, today: beginOfDay(now) })
  const row = first[0] as FundsRow
  const balance = BigInt(row.balance ?? '0')
  const kept = [
    { amount: BigInt(row.uncaptured), reason: NOT_CAPTURED },
    { amount: BigInt(row.unbooked), reason: TAKEN_BACK },
    { amount: BigInt(row.in_review), reason: IN_REVIEW },
  ]
  const keptBack = kept.filter(({ amount }) => amount > 0n)
  const available = max0(keptBack.reduce((left, { amount }) => left - amount, balance + replanned))
  const claims: Claim[] = []
  let uncovered = available
  let rows = first.filter((row): row is typeof row & ClaimRow => row.id !== null) as ClaimRow[]
  while (uncovered > 0n && rows.length > 0) {
    for (const row of rows) {
      const left = leftOf(row)
      const covered = left < uncovered ? left : uncovered
      if (covered > 0n) claims.push(toClaim(row, left, covered))
      uncovered -= covered
    }
    const last = rows.at(-1) as ClaimRow
    if (rows.length < CLAIMS_AT_ONCE || uncovered === 0n) break
    rows = await database.query(claimPage, { ...of, beforeAt: last.captured_at, before: last.number })
  }
  return {
    balance,
    debt: -BigInt(row.debt ?? '0'),
    keptBack,
    available,
    claims,
    winnings: uncovered,
    withdrawnToday: BigInt(row.withdrawn_today),
    refundedToday: BigInt(row.refunded_today),
  }
}

/** All claims of which something is left, covered or not, the last captured first. */
export async function readClaims(
  database: Database,
  customerId: number,
  currency: string,
): Promise<Pick<Claim, 'depositId' | 'methodId' | 'left'>[]> {
  const claims: Pick<Claim, 'depositId' | 'methodId' | 'left'>[] = []
  for (let [beforeAt, before] = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]; ; ) {
    const rows = await database.query(claimPage, { customerId, currency, beforeAt, before })
    for (const row of rows) {
      const left = leftOf(row)
      if (left > 0n) claims.push({ depositId: row.id, methodId: row.payment_method_id, left })
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < CLAIMS_AT_ONCE) return claims
    ;[beforeAt, before] = [last.captured_at, last.number]
  }
}

function toClaim(row: ClaimRow, left: bigint, covered: bigint): Claim {
  return {
    depositId: row.id,
    methodId: row.payment_method_id,
    gateway: row.gateway,
    left,
    covered,
    isDisputed: Number(row.disputes) > 0,
    capturedAt: row.captured_at,
    isReturnRefused: row.return_refused === 1,
  }
}

type Sums = Pick<ClaimRow, 'amount' | 'captured' | 'refunded' | 'withdrawn' | 'charged'>

/** What is due of disputes: at most the deposit, what goes beyond is the house's loss. */
export function dueOf({ amount, charged }: Pick<Sums, 'amount' | 'charged'>): bigint {
  return BigInt(charged) < BigInt(amount) ? BigInt(charged) : BigInt(amount)
}

/** Never less than nothing: what goes beyond takes no other claim. */
export function leftOf(row: Sums): bigint {
  return max0(BigInt(row.captured) - BigInt(row.refunded) - BigInt(row.withdrawn) - dueOf(row))
}

function max0(amount: bigint): bigint {
  return amount > 0n ? amount : 0n
}
