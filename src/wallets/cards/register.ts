import type { EventData } from '../../event-log/kind.ts'
import type { Database } from '../../platform/database/database.ts'
import { Refused } from '../../platform/runtime/refused.ts'
import type { cardKinds } from './event-kinds.ts'
import { closedTwin, lockMethod, type MethodRow, methodHistory, type NewMethod, upsertMethod } from './store.ts'

/**
 * Another token or number makes another card, which is refused once the id has a deposit, a withdrawal or a closure. The customer is
 * locked, if withdrawals can wait for them.
 */
export async function registerMethod(
  tx: Database,
  { id, customerId }: { id: number; customerId: number },
  method: NewMethod,
  now: number,
): Promise<'created' | 'replaced'> {
  const existing = await tx.one(lockMethod, { id })
  if (existing !== undefined) await refuseOtherCard(tx, existing, { customerId, method })
  const isChanged = existing === undefined || existing.removed_at !== null || changesOf(existing, method).length > 0
  const rows = await tx.run(upsertMethod, {
    ...{ ...method, id, customer_id: customerId, now },
    changed_at: isChanged ? now : (existing as MethodRow).changed_at,
  })
  // Another customer has got the id meanwhile.
  if (rows === 0) throw ofAnotherCustomer()
  return existing === undefined || existing.removed_at !== null ? 'created' : 'replaced'
}

function ofAnotherCustomer(): Refused {
  return new Refused('conflict', 'This id is the payment method of another customer: use another id.')
}

/** What has changed of the card. New limits are not reported. */
export function changesOf(
  existing: MethodRow,
  method: NewMethod,
): EventData<(typeof cardKinds)['card.changed']>['changed'] {
  const isSameHolder = existing.first_name === method.first_name && existing.last_name === method.last_name
  const changes = [
    ['token', existing.token !== method.token],
    ['number', existing.card_number !== method.card_number],
    ['expiry-date', existing.expiry_date !== method.expiry_date],
    ['holder', !isSameHolder],
  ] as const
  return changes.flatMap(([name, isChanged]) => (isChanged ? [name] : []))
}

/** A card that was closed, as stolen, does not come back under another id. */
export async function refuseClosedCard(
  tx: Database,
  card: { readonly id: number; readonly customerId: number },
  { token, card_number }: NewMethod,
): Promise<void> {
  const closed = await tx.one(closedTwin, { ...card, token, card_number })
  if (closed === undefined) return
  throw new Refused(
    'conflict',
    `Card ${closed.id} of the customer has this token or number, and was closed. If that was wrong, reopen it: DELETE its closure. ` +
      'A card that the bank has issued anew has another number.',
  )
}

export async function refuseOtherCard(
  tx: Database,
  existing: MethodRow,
  { customerId, method }: { readonly customerId: number; readonly method: NewMethod },
): Promise<void> {
  if (existing.customer_id !== customerId) throw ofAnotherCustomer()
  if (existing.token === method.token && existing.card_number === method.card_number) return
  const used = (await tx.one(methodHistory, { id: existing.id }))?.used === 1
  if (used || existing.closed_at !== null) {
    throw new Refused(
      'conflict',
      'Another token or number is another card, and this id has deposits, withdrawals or a closure: register it with an id of its own.',
    )
  }
}
