import type { DepositRow } from './store.ts'

type Booked = Pick<DepositRow, 'state' | 'review' | 'amount' | 'captured'>

/** What the ledger must show of a deposit: credited to the customer, and taken by the gateway. */
export function bookedOf({ state, review, amount, captured }: Booked): { credited: bigint; captured: bigint } {
  if (state === 'CAPTURED') return { credited: BigInt(captured), captured: BigInt(captured) }
  const isCredited = state === 'AUTHORISED' || (state === 'REVIEW' && review === 'capture-unresolved')
  return { credited: isCredited ? BigInt(amount) : 0n, captured: 0n }
}
