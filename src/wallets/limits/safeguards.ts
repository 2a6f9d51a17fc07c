// *Safeguards* are what customers set to limit themselves: limits of deposits, time-outs and self-exclusions. Each change is
// an event, and a row of a history that is never deleted, for operators and whoever supervises them.

import { type EventData, pick } from '../../event-log/kind.ts'
import { eventList, logEvents, newEvent } from '../../event-log/store.ts'
import { customerKinds } from '../../identity/customers/event-kinds.ts'
import type { Database } from '../../platform/database/database.ts'
import { limitKinds } from './event-kinds.ts'
import { insertSafeguardChange, type SafeguardKind } from './safeguard-store.ts'

export const safeguardKinds = { ...limitKinds, ...pick(customerKinds, 'customer.excluded') }

export type SafeguardChange = {
  [Kind in SafeguardKind]: { readonly kind: Kind; readonly data: EventData<(typeof safeguardKinds)[Kind]> }
}[SafeguardKind]

/** In the transaction of the change, under the lock of the customer. */
export async function recordSafeguard(
  tx: Database,
  customerId: number,
  { kind, data }: SafeguardChange,
  now: number,
): Promise<void> {
  await tx.run(insertSafeguardChange, { customerId, kind, now, data: JSON.stringify(data) })
  const event = newEvent(safeguardKinds, kind, { id: customerId, customerId, data, now })
  await tx.run(logEvents, { rows: eventList.of([event]) })
}

/** One line for operators. */
export function safeguardText({ kind, data }: SafeguardChange): string {
  if (kind === 'customer.excluded') {
    return data.kind === 'time-out' ? `Took a time-out until ${data.until}` : `Excluded themselves until ${data.until}`
  }
  const { period, change, amount, requested } = data
  const limit = (value: string | null) => (value === null ? 'no limit' : `a limit of ${value}`)
  if (change === 'requested') return `Requested ${limit(requested)} for each ${period}; ${amount} stays in force`
  return `${change === 'set' ? 'Set' : 'Confirmed'} ${limit(amount)} for each ${period}`
}
