// A customer who is no longer allowed to play, from some moment on.

import fc from 'fast-check'
import { putCustomer } from '../../src/identity/customers/customer.ts'
import { excludeCustomer } from '../../src/wallets/exclusions.ts'
import { type Books, isCaptured, isUncaptured, readBooks } from './books.ts'
import type { Played } from './played.ts'
import type { Process } from './process.ts'

export type Exclusion = 'unverified' | 'self-excluded' | 'time-out' | 'none'

export const exclusions: fc.Arbitrary<Exclusion> = fc.constantFrom(
  'none',
  'none',
  'none',
  'unverified',
  'self-excluded',
  'time-out',
)

/** Longer than a schedule. */
const TIME_OUT_MS = 40 * 86_400_000

export async function playExclusion(process: Process, played: Played, exclusion: Exclusion): Promise<void> {
  const { world, customerId } = played
  await process.run(
    async (context) => {
      const now = context.now()
      if (exclusion === 'time-out')
        return excludeCustomer(context, customerId, 'time-out', (begins) => begins + TIME_OUT_MS)
      if (exclusion === 'unverified') return putCustomer(context.database, customerId, { verified: false }, now)
      return putCustomer(context.database, customerId, { status: 'self-excluded' }, now)
    },
    async () => {
      const credited = (await readBooks(world, customerId, world.clock.now))
        .of('deposit')
        .filter((row) => isCaptured(row) || isUncaptured(row))
      played.creditedBefore = new Set(credited.map(({ id }) => id))
    },
  )
}

export function exclusionViolations(books: Books, { creditedBefore }: Played): string[] {
  const later = books.of('deposit').filter(({ id, state }) => state === 'CAPTURED' && creditedBefore?.has(id) === false)
  return later.map(({ id }) => `the deposit ${id} was credited after the customer was excluded`)
}
