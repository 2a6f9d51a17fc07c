import { bookedOf } from './booked.ts'
import type { DepositRow } from './store.ts'

export type OwnDepositState = 'processing' | 'challenge' | 'authorised' | 'refused' | 'void'

/** As customers read it. Authorised means credited: a deposit in manual review may be. */
export function statusOf(deposit: DepositRow): OwnDepositState {
  const { state } = deposit
  if (state === 'AUTHORISING') return 'processing'
  if (state === 'CHALLENGE') return 'challenge'
  if (state === 'DECLINED') return 'refused'
  return bookedOf(deposit).credited > 0n ? 'authorised' : 'void'
}
