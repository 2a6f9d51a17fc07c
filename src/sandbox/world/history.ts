// What makes the sandbox look lived in, beside the people and their tips: 90 days of money, tips on what comes next, portraits.

import type { SandboxContext } from '../context.ts'
import { registerCards } from './cards.ts'
import { SANDBOX_NAMES, SANDBOX_PROFILES } from './customers.ts'
import { seedMoney } from './money.ts'
import { MONEY } from './money-plan.ts'
import { seedPortraits } from './portraits.ts'
import { NEW_TIPSTERS } from './tipsters.ts'
import { seedUpcoming } from './upcoming.ts'

/** Customers who have not uploaded a picture. */
const WITHOUT_PORTRAIT: readonly number[] = [4, 9, 15, 17, 102]

/** Every step can be repeated. `start`: when the customers were registered. */
export async function seedHistory(context: SandboxContext, start: number): Promise<void> {
  await registerCards(context.database, { cards: MONEY.cards, names: SANDBOX_NAMES }, start)
  await seedMoney(context)
  await seedUpcoming(context)
  const everybody = [...SANDBOX_PROFILES.map((_, index) => index + 1), ...NEW_TIPSTERS]
  const withPortrait = everybody.filter((id) => !WITHOUT_PORTRAIT.includes(id))
  await seedPortraits(context, withPortrait, start)
}
