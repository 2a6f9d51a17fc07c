// What happens to a customer's cards, for the log of events. The customer is notified of each (notifications/): a card that another person
// added or changed is how money is stolen from an account.

import type { EventData } from '../../event-log/kind.ts'
import { eventList, logEvents, newEvent } from '../../event-log/store.ts'
import type { Database } from '../../platform/database/database.ts'
import { cardKinds } from './event-kinds.ts'
import { changesOf } from './register.ts'
import type { MethodRow, NewMethod } from './store.ts'

type CardKind = keyof typeof cardKinds
type CardEvent = { readonly id: number; readonly customerId: number; readonly kind: Exclude<CardKind, 'card.changed'> }

/** In the transaction of the change. */
export function reportCard(tx: Database, { id, customerId, kind }: CardEvent, now: number): Promise<unknown> {
  return log(tx, { customerId, kind, data: { cardId: `${id}` } }, now)
}

/** New limits alone are not reported. */
export async function reportRegistered(
  tx: Database,
  { existing, ...card }: { readonly id: number; readonly customerId: number; readonly existing: MethodRow | undefined },
  method: NewMethod,
  now: number,
): Promise<void> {
  if (existing === undefined || existing.removed_at !== null) {
    await reportCard(tx, { ...card, kind: 'card.added' }, now)
    return
  }
  const changed = changesOf(existing, method)
  if (changed.length === 0) return
  const data = { cardId: `${card.id}`, changed }
  await log(tx, { customerId: card.customerId, kind: 'card.changed', data }, now)
}

type Logged<Kind extends CardKind = CardKind> = {
  readonly customerId: number
  readonly kind: Kind
  readonly data: EventData<(typeof cardKinds)[Kind]>
}

function log<Kind extends CardKind>(tx: Database, { customerId, kind, data }: Logged<Kind>, now: number) {
  return tx.run(logEvents, {
    rows: eventList.of([newEvent(cardKinds, kind, { id: customerId, customerId, data, now })]),
  })
}
