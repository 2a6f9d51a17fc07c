// Disputes that end without a notification of the gateway: two persons record it, or there was no news for long.

import type { Actor } from '../../identity/operators/person.ts'
import { Refused } from '../../platform/runtime/refused.ts'
import type { WalletsContext } from '../context.ts'
import { endDispute } from '../disputes/disputes.ts'
import { type DisputeRow, disputeById, lockDispute } from '../disputes/store.ts'
import { decidedBefore } from '../proposals.ts'

type End = { readonly note: string; readonly by: Actor }

/** What is left of its deposit can then go back to the card. */
export async function endDisputeByPersons(
  context: WalletsContext,
  id: number,
  { note, by }: End,
): Promise<{ dispute: DisputeRow; isProposed: boolean }> {
  return context.database.transaction(async (tx) => {
    const dispute = await tx.one(lockDispute, { id })
    if (dispute === undefined) throw new Refused('unknown', 'There is no such dispute.')
    if (dispute.ended_at !== null) throw new Refused('conflict', 'The dispute has ended already.')
    const now = context.now()
    const decision = { subject: `dispute ${id}`, customerId: dispute.customer_id, terms: 'ended', note, by } as const
    const first = await decidedBefore(tx, decision, now)
    if (first !== null) await endDispute(tx, dispute, `${first.by.name}, ${by.name}: ${note}`, now)
    return { dispute: (await tx.one(disputeById, { id })) as DisputeRow, isProposed: first === null }
  })
}
