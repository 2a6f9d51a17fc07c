import type { Database } from '../database/database.ts'
import { lockMethod, removeMethod, upsertMethod } from './store.ts'

export type NewMethod = {
  readonly type: string
  readonly token: string
  readonly minDeposit: bigint
  readonly maxDeposit: bigint
  /** First 6 and last 4 digits, the rest masked by `*`. */
  readonly cardNumber: string
  readonly issueDate: string | null
  readonly expiryDate: string
  readonly country: string
  readonly scheme: string
  readonly funding: 'debit' | 'credit' | 'prepaid' | 'unknown'
}

/** Registers a card or replaces it. 'taken': the id is another customer's. */
export async function putMethod(
  database: Database,
  { id, customerId }: { id: number; customerId: number },
  method: NewMethod,
  now: number,
): Promise<'made' | 'changed' | 'taken'> {
  return database.transaction(async (tx) => {
    const existing = await tx.one(lockMethod, { id })
    const written = await tx.run(upsertMethod, {
      id,
      customerId,
      type: method.type,
      token: method.token,
      minDeposit: method.minDeposit,
      maxDeposit: method.maxDeposit,
      cardNumber: method.cardNumber,
      issueDate: method.issueDate,
      expiryDate: method.expiryDate,
      country: method.country,
      scheme: method.scheme,
      funding: method.funding,
      now,
    })
    if (written === 0) return 'taken'
    return existing === undefined || existing.removed_at !== null ? 'made' : 'changed'
  })
}

/** false: the customer has no such method. Its deposits still name it. */
export async function dropMethod(database: Database, id: number, customerId: number, now: number): Promise<boolean> {
  return (await database.run(removeMethod, { id, customerId, now })) === 1
}
