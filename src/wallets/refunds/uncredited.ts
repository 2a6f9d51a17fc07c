// Money that the gateway took of a customer who has excluded themselves meanwhile: it goes back to the card instead of into the account.

import { randomUUID } from 'node:crypto'
import type { Actor } from '../../identity/operators/person.ts'
import type { Database } from '../../platform/database/database.ts'
import { transferUnowed } from '../account/ledger.ts'
import { recordUncreditedCapture } from '../deposits/captures.ts'
import type { DepositRow } from '../deposits/store.ts'
import { insertRefundJob } from '../jobs/store.ts'
import type { RefundRow } from './store.ts'
import { insertRefund, NEW_REFUND } from './store.ts'
import { ledgerTerms, recordRefundEvent } from './transitions.ts'

/** Credited and debited in one transaction, so that the statement shows both and the balance stays. A debt is not paid by it. */
export async function refundUncredited(
  tx: Database,
  deposit: DepositRow,
  { detail, by }: { readonly detail: string; readonly by: Actor },
  now: number,
): Promise<void> {
  const amount = BigInt(deposit.amount)
  const captured = await recordUncreditedCapture(tx, deposit, detail, now)
  const refund = (await tx.one(insertRefund, {
    ...NEW_REFUND,
    reference: randomUUID(),
    deposit_id: deposit.id,
    customer_id: deposit.customer_id,
    origin: 'operator',
    amount,
    currency: deposit.currency,
    reason: 'captured after the customer excluded themselves',
    requested_by: by.name,
    requested_person: by.person,
    debited: amount,
    now,
  })) as RefundRow
  await transferUnowed(tx, [...captured, { ...ledgerTerms(refund), kind: 'refund', amount }], now)
  await tx.run(insertRefundJob, { refundId: refund.id, now })
  await recordRefundEvent(tx, refund, { reason: refund.reason, now })
}
