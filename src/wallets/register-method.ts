import type { Database } from '../platform/database/database.ts'
import { type Funding, lockMethod, markMethodRemoved, upsertMethod } from './store.ts'

type NewMethod = {
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
  readonly funding: Funding
}

/** 'taken': the id belongs to another customer's card. */
export async function registerMethod(
  database: Database,
  { id, customerId }: { id: number; customerId: number },
  method: NewMethod,
  now: number,
): Promise<'created' | 'replaced' | 'taken'> {
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
    return existing === undefined || existing.removed_at !== null ? 'created' : 'replaced'
  })
}

/** false: the customer has no such card. The row stays, because deposits refer to it. */
export async function removeMethod(database: Database, id: number, customerId: number, now: number): Promise<boolean> {
  return (await database.run(markMethodRemoved, { id, customerId, now })) === 1
}
