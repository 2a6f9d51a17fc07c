// A debt that two persons write off: the house pays it.

import type { Actor } from '../../identity/operators/person.ts'
import { formatMoney } from '../../platform/runtime/money.ts'
import { Refused } from '../../platform/runtime/refused.ts'
import { balancesOf, transfer } from '../account/ledger.ts'
import type { WalletsContext } from '../context.ts'
import { lockDepositor } from '../limits/deposit-facts-store.ts'
import { decidedBefore } from '../proposals.ts'
import { insertWriteOff } from './store.ts'

type WriteOff = { readonly customerId: number; readonly amount: bigint; readonly note: string; readonly by: Actor }

export async function writeOffDebt(context: WalletsContext, order: WriteOff): Promise<'written off' | 'proposed'> {
  const { customerId, amount, note, by } = order
  return context.database.transaction(async (tx) => {
    const customer = await tx.one(lockDepositor, { customerId })
    if (customer === undefined) throw new Refused('unknown', `There is no customer ${customerId}.`)
    const { currency } = customer
    const { debt } = await balancesOf(tx, customerId, currency)
    if (amount > debt) throw new Refused('conflict', `The customer owes ${formatMoney(debt)}.`)
    const now = context.now()
    const terms = `${formatMoney(amount)} ${currency}`
    const subject = `debt-write-off ${customerId}` as const
    const first = await decidedBefore(tx, { subject, customerId, terms, note, by }, now)
    if (first === null) return 'proposed'
    const row = { customerId, currency, amount, note, by: first.by.name, again: by.name, now }
    const { id } = (await tx.one(insertWriteOff, row)) as { id: number }
    const source = { write_off_id: id }
    await transfer(tx, [{ kind: 'debt_written_off', source, customerId, currency, amount }], now)
    return 'written off'
  })
}
