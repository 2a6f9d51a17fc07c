// Movements that the sportsbook reports, some of them twice, and what must be true of them at the end.

import fc from 'fast-check'
import { reading } from '../../src/platform/database/database.ts'
import { Refused } from '../../src/platform/runtime/refused.ts'
import { applyMovements, type Movement } from '../../src/wallets/movements.ts'
import type { Process } from './process.ts'
import type { World } from './world.ts'

/** The terms follow from the reference. */
const MOVEMENTS = {
  bet: { kind: 'stake', amount: 700n },
  'another bet': { kind: 'stake', amount: 600n },
  winner: { kind: 'winnings', amount: 900n },
  correction: { kind: 'adjustment', amount: -200n },
} as const

export type MovementPlan = keyof typeof MOVEMENTS

export const movementPlans: fc.Arbitrary<MovementPlan[]> = fc.array(
  fc.constantFrom(...(Object.keys(MOVEMENTS) as MovementPlan[])),
  { maxLength: 4 },
)

/** `answered`: the references that were said to be applied. */
export async function playMovement(
  process: Process,
  customerId: number,
  plan: MovementPlan,
  answered: Set<string>,
): Promise<void> {
  const movement: Movement = { ...MOVEMENTS[plan], reference: `${customerId} ${plan}`, customerId, betId: null }
  const results = await process.run(({ database, now }) =>
    database.transaction((tx) => applyMovements(tx, [movement], now)),
  )
  if (results !== 'none' && !(results[0] instanceof Refused)) answered.add(movement.reference)
}

type Row = { reference: string; kind: string; amount: string }

const movementsOf = reading<{ customerId: number }, Row>('movementsOfSchedule')`
  select reference, kind, cast(amount as text) as amount from movement where customer_id = :customerId`

export async function movementViolations(world: World, customerId: number, answered: Set<string>): Promise<string[]> {
  const rows = await world.context.database.query(movementsOf, { customerId })
  const lost = [...answered].filter((reference) => !rows.some((row) => row.reference === reference))
  return lost.map((reference) => `the movement ${reference} was answered, and is not there`)
}

/** What all of them add to the balance. */
export async function movedBy(world: World, customerId: number): Promise<bigint> {
  const rows = await world.context.database.query(movementsOf, { customerId })
  return rows.reduce((sum, { kind, amount }) => sum + (kind === 'stake' ? -BigInt(amount) : BigInt(amount)), 0n)
}
