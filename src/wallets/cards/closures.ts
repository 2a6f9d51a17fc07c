import type { Database } from '../../platform/database/database.ts'
import { dropProposal } from '../proposals.ts'
import { reportCard } from './events.ts'
import { closeAccount } from './store.ts'

/** The account behind the card is closed: nobody need propose it any more. */
export async function recordClosure(
  tx: Database,
  closure: { readonly id: number; readonly now: number; readonly note: string },
): Promise<void> {
  const closed = await tx.one(closeAccount, closure)
  if (closed !== undefined) {
    const card = { id: closure.id, customerId: closed.customer_id }
    await reportCard(tx, { ...card, kind: 'card.account-closed' }, closure.now)
  }
  await dropProposal(tx, `account-closure ${closure.id}`)
}
