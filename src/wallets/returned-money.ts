// Money that the gateway has returned to a card, whether we like it or not: the customer's balance pays as far as it goes, and
// the rest is their debt, which their next credits pay first (ledger.ts).

import type { Database } from '../platform/database/database.ts'
import { expectedTransfers } from './expected-transfers.ts'
import { balanceOf, type NewTransfer, transfer } from './ledger.ts'
import type { DepositRow } from './store.ts'

type Returned = Omit<NewTransfer, 'kind'>
type Kinds = { readonly balance: 'refund' | 'chargeback'; readonly debt: 'refund_debt' | 'chargeback_debt' }

/** The customer's row is locked. */
export async function debitReturned(tx: Database, returned: Returned, kinds: Kinds, now: number): Promise<void> {
  const { customerId, currency, amount } = returned
  const balance = await balanceOf(tx, customerId, currency)
  const paid = balance < amount ? balance : amount
  const transfers: NewTransfer[] = []
  if (paid > 0n) transfers.push({ ...returned, kind: kinds.balance, amount: paid })
  if (paid < amount) transfers.push({ ...returned, kind: kinds.debt, amount: amount - paid })
  await transfer(tx, transfers, now)
}

/**
 * Only money that was captured can have been returned. What is told before waits for the capture (the job *settle*), and
 * of a deposit that failed nothing was credited, so that nothing is debited.
 */
export function wasCaptured({ state, review }: Pick<DepositRow, 'state' | 'review'>): boolean {
  return expectedTransfers(state, review).captures === 1
}
