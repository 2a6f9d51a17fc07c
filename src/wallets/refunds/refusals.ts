// What a refusal that is final means for the next time: a closed account frees the claims of its card, and a deposit that cannot be
// refunded is paid out instead.

import type { Database } from '../../platform/database/database.ts'
import { recordClosure } from '../cards/closures.ts'
import { depositById, refuseReturns } from '../deposits/store.ts'
import type { Refusal } from '../gateways/gateway.ts'
import { mustChange } from '../machine.ts'

type Refused = { readonly refusal: Refusal | null; readonly reason: string }

export type ClosedCard = { readonly id: number; readonly customerId: number }

/** The customer is locked. Returns the card whose account is closed: what waits for it comes back (withdrawals/). */
export async function noteRefusal(
  tx: Database,
  depositId: string,
  { refusal, reason }: Refused,
  now: number,
): Promise<ClosedCard | null> {
  if (refusal === 'deposit') mustChange(await tx.run(refuseReturns, { id: depositId }), `deposit ${depositId}`)
  if (refusal !== 'account-closed') return null
  const deposit = await tx.one(depositById, { id: depositId })
  if (deposit === undefined) return null
  await recordClosure(tx, { id: deposit.payment_method_id, now, note: `the gateway: ${reason}` })
  return { id: deposit.payment_method_id, customerId: deposit.customer_id }
}
