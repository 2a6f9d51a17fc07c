import type { Database } from '../../platform/database/database.ts'
import { dropProposal } from '../proposals.ts'
import { closeAccount } from './store.ts'

/** The account behind the card is closed: nobody need propose it any more. */
export async function recordClosure(
  tx: Database,
  closure: { readonly id: number; readonly now: number; readonly note: string },
): Promise<void> {
  await tx.run(closeAccount, closure)
  await dropProposal(tx, `account-closure ${closure.id}`)
}
