import { bookedOf } from './booked.ts'
import type { DepositRow } from './store.ts'

/** As customers read it. Authorised means credited: a deposit in manual review may be. */
export function statusOf(deposit: DepositRow): 'processing' | 'challenge' | 'authorised' | 'refused' | 'void' {
  const { state } = deposit
  if (state === 'AUTHORISING') return 'processing'
  if (state === 'CHALLENGE') return 'challenge'
  if (state === 'DECLINED') return 'refused'
  return bookedOf(deposit).credited > 0n ? 'authorised' : 'void'
}
