// A customer's time-out or self-exclusion (identity/customers/exclusion.ts) with what it means for their deposits: one in
// flight is voided.

import { eventList, logEvents, newEvent } from '../event-log/store.ts'
import { Fault } from '../faults.ts'
import { beginExclusion, type ExclusionKind } from '../identity/customers/exclusion.ts'
import type { Context } from '../platform/context.ts'
import { isoTime } from '../platform/runtime/iso-time.ts'
import { depositInFlight } from './deposit-facts-store.ts'
import { beginVoid } from './deposit-transitions.ts'

/** The parameter at fault where a longer one is in force. */
const PARAMETERS = { 'time-out': 'hours', 'self-exclusion': 'months' } as const

/** Returns its end. `endOf`: of one that begins at the time that it is given. */
export function excludeCustomer(
  context: Context,
  customerId: number,
  kind: ExclusionKind,
  endOf: (now: number) => number,
): Promise<number> {
  return context.database.transaction(async (tx) => {
    const now = context.now()
    const until = endOf(now)
    if (!(await beginExclusion(tx, customerId, { kind, until }, now)))
      throw new Fault('walletInvalid', PARAMETERS[kind])
    const event = newEvent(
      'customer.excluded',
      { type: 'customer', id: customerId },
      { kind, until: isoTime(until) },
      now,
    )
    await tx.run(logEvents, { rows: eventList.of([{ ...event, customer_id: customerId }]) })
    const deposit = await tx.one(depositInFlight, { customerId })
    if (deposit !== undefined) {
      const why = { fault: 'notPermitted', reason: `the customer began a ${kind}`, gatewayReference: null } as const
      await beginVoid(tx, deposit.id, why, now)
    }
    return until
  })
}
