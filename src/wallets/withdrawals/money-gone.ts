// Money of a deposit that has gone, or may go: a dispute, a refund of the back office, a capture that failed. Parts and refunds
// of it that wait come back first; then the customer is debited; and while there is a debt, what waits of other deposits needs two persons again.

import type { Database } from '../../platform/database/database.ts'
import { balancesOf } from '../account/ledger.ts'
import type { DepositRow } from '../deposits/store.ts'
import { waitingRefunds } from '../refunds/store.ts'
import { bookOpen } from '../refunds/transitions.ts'
import { returnWaiting } from './parts.ts'
import type { WithdrawalRow } from './store.ts'
import * as sql from './store.ts'
import { voidApprovals } from './transitions.ts'

type Gone = Pick<DepositRow, 'id' | 'customer_id' | 'currency'>

/** `work` debits. Customer and deposit are locked. Parts and refunds whose call began are left alone. */
export async function withMoneyGone<Result>(
  tx: Database,
  deposit: Gone,
  { reason, now }: { readonly reason: string; readonly now: number },
  work: () => Promise<Result>,
): Promise<Result> {
  const report = { gatewayReference: null, reason, now }
  for (const refund of await tx.query(waitingRefunds, { depositId: deposit.id })) {
    await bookOpen(tx, refund, 'returned', report)
  }
  for (const { id } of await tx.query(sql.waitingOfDeposit, { depositId: deposit.id })) {
    const withdrawal = (await tx.one(sql.lockWithdrawal, { id })) as WithdrawalRow
    const isOfDeposit = ({ deposit_id }: { deposit_id: string | null }) => deposit_id === deposit.id
    await returnWaiting(tx, withdrawal, isOfDeposit, report)
  }
  const result = await work()
  await holdWhileDebt(tx, deposit, now)
  return result
}

const OWES = 'There is an amount to be settled on your account. We check this withdrawal before we send it.'

/** What waits needs two persons again while the customer owes money. */
export async function holdWhileDebt(
  tx: Database,
  { customer_id: customerId, currency }: Pick<Gone, 'customer_id' | 'currency'>,
  now: number,
): Promise<void> {
  const { debt } = await balancesOf(tx, customerId, currency)
  if (debt === 0n) return
  for (const { id } of await tx.query(sql.waitingOfCustomer, { customerId })) {
    const withdrawal = (await tx.one(sql.lockWithdrawal, { id })) as WithdrawalRow
    if (withdrawal.hold === 'debt') continue
    await voidApprovals(tx, withdrawal, { hold: 'debt', reason: OWES }, now)
  }
}
