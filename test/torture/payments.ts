// Deposits as operators list them, for those who refund or dispute them. A payment is picked once by each kind of worker.

import { randomInt } from 'node:crypto'
import type { Ask } from './calls.ts'
import type { Deposit } from './invariants.ts'

/** `query`: filters of the list, whose newest are looked at. undefined: none is left. */
export type PaymentPicker = (query: string) => Promise<Deposit | undefined>

export function paymentPicker(ask: Ask, mayPick: (customerId: number) => boolean): PaymentPicker {
  const picked = new Set<string>()
  return async (query) => {
    const { body } = await ask('GET', `/deposits?limit=60${query}`)
    const left = (body.items as Deposit[]).filter(
      ({ paymentId, customerId }) => !picked.has(paymentId) && mayPick(Number(customerId)),
    )
    const one = left[randomInt(Math.max(left.length, 1))]
    if (one !== undefined) picked.add(one.paymentId)
    return one
  }
}

export const pickOf = <T>(list: readonly T[]): T => list[randomInt(list.length)] as T

/** In hundredths. */
export const formatUnits = (amount: bigint) => `${amount / 100n}.${`${amount % 100n}`.padStart(2, '0')}`
