// A customer's time-out or self-exclusion (identity/exclusions/exclusion.ts) with what it means for their deposits: one in
// flight is voided.

import { Fault } from '../../faults.ts'
import { beginExclusion, type ExclusionKind } from '../../identity/exclusions/exclusion.ts'
import type { Context } from '../../platform/context.ts'
import { isoTime } from '../../platform/runtime/iso-time.ts'
import { depositInFlight } from '../deposits/facts-store.ts'
import { beginVoid } from '../deposits/transitions.ts'
import { recordSafeguard } from '../limits/safeguards.ts'

/** The parameter at fault where a longer one is in force. */
const PARAMETERS = { 'time-out': 'hours', 'self-exclusion': 'months' } as const

/** Returns its end. `endOf`: of one that begins at the time that it is given. */
export async function excludeCustomer(
  context: Context,
  customerId: number,
  kind: ExclusionKind,
  endOf: (now: number) => number,
): Promise<number> {
  const until = await context.database.transaction(async (tx) => {
    const now = context.now()
    const until = endOf(now)
    if (!(await beginExclusion(tx, customerId, { kind, until }, now)))
      throw new Fault('walletInvalid', PARAMETERS[kind])
    await recordSafeguard(tx, customerId, { kind: 'customer.excluded', data: { kind, until: isoTime(until) } }, now)
    const deposit = await tx.one(depositInFlight, { customerId })
    if (deposit !== undefined) {
      const why = { fault: 'notPermitted', reason: `the customer began a ${kind}`, gatewayReference: null } as const
      await beginVoid(tx, deposit.id, why, now)
    }
    return until
  })
  context.metrics.count('paddock_exclusions_total', `kind="${kind}"`)
  return until
}
