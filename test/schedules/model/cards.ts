// Cards: what is registered, replaced, removed, closed, or has no account any more.

import { type Card, type Customer, cardOf, sum } from './customer.ts'
import { openOf } from './outflows.ts'
import { decide, dropProposal } from './persons.ts'
import { cardChanged } from './withdrawals.ts'

export type CardTerms = Pick<Card, 'token' | 'expiresAt' | 'holder'>

/** Another token is another card: an id that has a history, or was closed, keeps its own. What was closed does not come back under another id. */
export function putCard(customer: Customer, id: string, terms: CardTerms, by: string): string {
  const existing = cardOf(customer, id)
  const isSame = existing?.token === terms.token
  const isChanged = !isSame || existing.removed || existing.holder !== terms.holder
  if (existing !== undefined && !isSame && hasHistory(customer, existing)) return 'refused'
  const isBack = customer.cards.some((one) => one.id !== id && one.closed && one.token === terms.token)
  if (isBack && (!isSame || existing.removed)) return 'refused'
  const open = sum(customer.outflows, (one) => (one.withdrawal === null ? 0 : openOf(one)))
  const needsTwo = isChanged && open > 0 && open > customer.settings.withdrawalsByRule
  const decision = decide(customer, `card ${id}`, { terms: JSON.stringify(terms), by, needsTwo })
  if (decision !== 'decided') return decision
  dropProposal(customer, `card ${id}`)
  if (existing === undefined) {
    customer.cards.push({ id, ...terms, removed: false, closed: false, accountClosed: false })
    return 'created'
  }
  const isNew = existing.removed
  const isOther = existing.holder !== terms.holder
  // What the bank has issued anew has an account.
  if (isChanged || existing.expiresAt !== terms.expiresAt) dropProposal(customer, `account-closure ${id}`)
  Object.assign(existing, terms, { removed: false })
  if (isOther) cardChanged(customer, existing)
  return isNew ? 'created' : 'replaced'
}

function hasHistory({ deposits, withdrawals }: Customer, { id, closed }: Card): boolean {
  return closed || deposits.some(({ card }) => card === id) || withdrawals.some(({ card }) => card === id)
}

export function removeCard(customer: Customer, id: string): string {
  const card = cardOf(customer, id)
  if (card === undefined || card.removed) return 'no such card'
  card.removed = true
  cardChanged(customer, card)
  return 'done'
}

export function closeCard(customer: Customer, id: string): string {
  const card = cardOf(customer, id)
  if (card === undefined || card.removed) return 'no such card'
  card.closed = true
  cardChanged(customer, card)
  return 'done'
}

/** Two persons record it, with a note of the proof. */
export function recordClosedAccount(customer: Customer, id: string, by: string): string {
  const card = cardOf(customer, id)
  if (card === undefined) return 'no such card'
  const subject = `account-closure ${id}`
  if (card.accountClosed) {
    dropProposal(customer, subject)
    return 'recorded'
  }
  const decision = decide(customer, subject, { terms: 'closed', by, needsTwo: true })
  if (decision !== 'decided') return decision
  card.accountClosed = true
  cardChanged(customer, card)
  return 'recorded'
}
