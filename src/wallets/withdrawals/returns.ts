// The refund of a part that is a return: it has the state and sums of its part, and is approved and debited with its withdrawal.

import type { NewEvent } from '../../event-log/store.ts'
import type { Database } from '../../platform/database/database.ts'
import { changed, nextState } from '../machine.ts'
import { REFUND_MACHINE } from '../refunds/machine.ts'
import type { Outgoing } from '../refunds/outgoing.ts'
import { changeRefund, insertRefund, NEW_REFUND, type RefundRow, type RefundState } from '../refunds/store.ts'
import { eventOf, recordInTrail } from '../refunds/transitions.ts'
import type { PartRow, RefundOfPart } from './part-store.ts'

/** `begunAt`: of the gateway's call; null: it has reported on one that we have not called for. */
export async function insertReturn(
  tx: Database,
  part: PartRow,
  { begunAt, now }: { readonly begunAt: number | null; readonly now: number },
): Promise<RefundRow> {
  const refund = await tx.one(insertRefund, {
    ...NEW_REFUND,
    reference: part.reference,
    deposit_id: part.deposit_id as string,
    customer_id: part.customer_id,
    origin: 'withdrawal',
    part_id: part.id,
    amount: BigInt(part.amount),
    currency: part.currency,
    reason: `part of withdrawal ${part.withdrawal_id}`,
    requested_by: '',
    requested_person: '',
    debited: 0n,
    begun_at: begunAt,
    now,
  })
  return refund as RefundRow
}

type PartChange = { readonly sums: Outgoing; readonly reason: string; readonly now: number }

/**
 * One that is in review without ever having been sent gets its refund, so that the deposit and the gateway's reports know of it. Returns the
 * events that the log is to have.
 */
export async function mirrorRefund(
  tx: Database,
  part: PartRow,
  { refund_id, refund_state }: RefundOfPart,
  { sums, reason, now }: PartChange,
): Promise<NewEvent[]> {
  if (part.kind !== 'return') return []
  const isInReview = part.state === 'REVIEW'
  if (refund_id === null && !isInReview) return []
  const refund =
    refund_id === null
      ? await insertReturn(tx, part, { begunAt: null, now })
      : { id: refund_id, state: refund_state as RefundState }
  const to = nextState(REFUND_MACHINE, refund.state, isInReview ? 'contradicted' : eventOf(sums))
  const stored = changed(
    await tx.one(changeRefund, {
      id: refund.id,
      from: refund.state,
      to,
      review: part.review,
      paid: sums.paid,
      returned: sums.returned,
      keptBack: sums.keptBack,
      debited: 0n,
      gatewayReference: part.gateway_reference,
      now,
    }),
    `the refund of part ${part.id}`,
  )
  return stored.state === refund.state ? [] : [await recordInTrail(tx, stored, reason, now)]
}
