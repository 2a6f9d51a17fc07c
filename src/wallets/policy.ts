// What needs two persons: by the sum of its kind for a customer and a UTC day (refunds, credits by adjustment, withdrawals, resolutions of
// reviews). Who requested something never approves it.

import type { Config } from '../platform/config/config.ts'
import { DAY_MS } from '../platform/runtime/durations.ts'

type Kind = 'refund' | 'adjustment' | 'withdrawal' | 'resolution'

/** `sum`: of the day with this one. */
export function needsTwoPersons({ wallets }: Config, kind: Kind, sum: bigint): boolean {
  const most = {
    refund: wallets.refundFourEyesAbove,
    adjustment: wallets.adjustmentFourEyesAbove,
    withdrawal: wallets.withdrawalApprovedUpTo,
    resolution: wallets.resolutionFourEyesAbove,
  }
  return sum > most[kind]
}

/** The first moment of the UTC day. */
export function beginOfDay(now: number): number {
  return now - (now % DAY_MS)
}
