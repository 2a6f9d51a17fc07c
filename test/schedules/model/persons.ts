// Principle 10: what one person may decide, and what waits for another one.

import { type Customer, isToday, sum } from './customer.ts'

type Decision = { readonly terms: string; readonly by: string; readonly needsTwo: boolean }

/** decided: no other person is needed, or another one has proposed the same. refused: the same person decides again. */
export function decide(
  customer: Customer,
  subject: string,
  { terms, by, needsTwo }: Decision,
): 'decided' | 'proposed' | 'refused' {
  if (!needsTwo) return 'decided'
  const proposal = customer.proposals.find((one) => one.subject === subject)
  if (proposal?.terms === terms) {
    if (proposal.by === by) return 'refused'
    dropProposal(customer, subject)
    return 'decided'
  }
  dropProposal(customer, subject)
  customer.proposals.push({ subject, terms, by })
  return 'proposed'
}

/** What was decided about has changed since. */
export function dropProposal(customer: Customer, subject: string): void {
  customer.proposals = customer.proposals.filter((one) => one.subject !== subject)
}

/** By the sum of a customer and a day; what came back does not count. */
export function refundedToday(customer: Customer): number {
  const refunds = customer.outflows.filter(({ kind, askedAt }) => kind === 'refund' && isToday(customer, askedAt))
  return sum(refunds, ({ amount, returned }) => amount - returned)
}

/** Of reviews, by one or two persons; by the sum too. */
export function resolve(
  customer: Customer,
  subject: string,
  { amount, terms, by }: { readonly amount: number; readonly terms: string; readonly by: string },
): 'decided' | 'proposed' | 'refused' {
  const today = sum(customer.resolutions, (one) => (isToday(customer, one.at) ? one.amount : 0))
  const needsTwo = today + amount > customer.settings.resolutionsByOne
  const decision = decide(customer, subject, { terms, by, needsTwo })
  if (decision === 'decided') customer.resolutions.push({ amount, at: customer.now })
  return decision
}

export function withdrawnToday(customer: Customer): number {
  const parts = customer.outflows.filter((one) => one.withdrawal !== null && isToday(customer, one.askedAt))
  return sum(parts, ({ amount, returned }) => amount - returned)
}

export function adjustedToday(customer: Customer): number {
  return sum(customer.movements, ({ credit, at }) => (isToday(customer, at) ? credit : 0))
}
