// What the ledger must say at the end of a schedule: what bank, sportsbook and disputes make of it.

import { reading } from '../../src/platform/database/database.ts'
import type { Books } from './books.ts'
import { AMOUNT } from './deposits.ts'
import { type DisputePlan, takenBack } from './disputes.ts'
import { movedBy } from './movements.ts'
import type { Played } from './played.ts'
import { returnedByBank } from './refunds.ts'
import { paidOutTo } from './withdrawals.ts'
import { paymentOf } from './world.ts'

type Stored = { balance: string; debt: string; backwards: number }

/** `backwards`: lines with an earlier time than the line before. */
const stored = reading<{ customerId: number }, Stored>('ledgerOfSchedule')`
  select
    (select cast(coalesce(sum(balance), 0) as text) from account where customer_id = :customerId and kind = 'customer') as balance,
    (select cast(coalesce(sum(balance), 0) as text) from account where customer_id = :customerId and kind = 'debt') as debt,
    (select count(*) from account a join transfer t on t.customer_account_id = a.id
      join transfer later on later.customer_account_id = a.id and later.line = t.line + 1
      where a.customer_id = :customerId and a.kind = 'customer' and later.at < t.at) as backwards`

export async function ledgerViolations(books: Books, played: Played, disputes: DisputePlan): Promise<string[]> {
  const { world, customerId } = played
  const captured = books.of('deposit').filter(({ state }) => state === 'CAPTURED')
  const disputed = captured.some(({ id }) => id === paymentOf(customerId, disputes.of)) ? takenBack(disputes) : 0n
  const taken = captured.reduce((sum, { id }) => sum + AMOUNT - returnedByBank(world, id), 0n)
  const kept = taken - disputed - paidOutTo(books, played) + movedBy(books)
  const row = (await world.context.database.one(stored, { customerId })) as Stored
  const [balance, debt] = [BigInt(row.balance), BigInt(row.debt)]
  const found: string[] = []
  if (balance + debt !== kept)
    found.push(`the balance is ${balance}, the debt ${debt}, and all that happened makes ${kept}`)
  if (balance > 0n && debt < 0n) found.push(`the debt ${debt} is not paid of the balance ${balance}`)
  if (row.backwards > 0) found.push('the times of the lines go back')
  return found
}
