// Movements that the sportsbook or an operator reports, exclusions, and what else changes a balance.

import { type Customer, changeDebt, credit, isExcluded } from './customer.ts'
import { adjustedToday, decide } from './persons.ts'

export type MovementOrder = {
  readonly reference: string
  readonly kind: 'stake' | 'winnings' | 'void' | 'adjustment'
  /** Below 0: an adjustment that debits. */
  readonly amount: number
  /** null: a feed. */
  readonly by: string | null
}

export function move(customer: Customer, { reference, kind, amount, by }: MovementOrder): string {
  const terms = `${kind} ${amount}`
  const known = customer.movements.find((one) => one.reference === reference)
  if (known !== undefined) return known.terms === terms ? 'repeated' : 'refused'
  const isCredit = kind !== 'stake' && amount > 0
  const isCreated = kind === 'adjustment' && amount > 0
  if (isCreated) {
    const needsTwo = adjustedToday(customer) + amount > customer.settings.adjustmentsByOne
    if (needsTwo && by === null) return 'refused'
    const decision = decide(customer, `movement ${reference}`, { terms, by: by ?? '', needsTwo })
    if (decision !== 'decided') return decision
  }
  if (amount === 0 || (amount < 0 && kind !== 'adjustment')) return 'refused'
  if (kind === 'stake' && isExcluded(customer)) return 'refused'
  const debited = isCredit ? 0 : Math.abs(amount)
  if (debited > customer.balance) return 'refused'
  if (isCredit) credit(customer, amount)
  customer.balance -= debited
  customer.movements.push({ reference, terms, credit: isCreated ? amount : 0, at: customer.now })
  return 'applied'
}

/** Two persons: the house pays it. */
export function writeOff(customer: Customer, { amount, by }: { readonly amount: number; readonly by: string }): string {
  if (amount > customer.debt) return 'refused'
  const decision = decide(customer, 'debt-write-off', { terms: `${amount}`, by, needsTwo: true })
  if (decision === 'decided') {
    changeDebt(customer, -amount)
    customer.writtenOff += amount
  }
  return decision
}
