// A *customer* is an account of the sportsbook, told to the service by the operator.

import type { Database } from '../database/database.ts'
import { hashPassword } from '../sessions/password.ts'
import { customerById, lockCustomer, upsertCustomer } from './store.ts'

export const CUSTOMER_STATUSES = ['active', 'suspended', 'closed', 'self-excluded'] as const
export type CustomerStatus = (typeof CUSTOMER_STATUSES)[number]

export type CustomerInput = {
  username?: string
  password?: string
  status?: CustomerStatus
  verified?: boolean
  currency?: string
  /** Minor units; absent: the service's default limit. */
  dailyDepositLimit?: bigint
  fundsStatementVersion?: number
}

/** The statement that customers accept by default; wallets compare with the current one. */
export const CURRENT_FUNDS_STATEMENT = 1

/** Makes or replaces a customer. A user name that another customer has throws UniqueViolation. */
export async function putCustomer(
  database: Database,
  id: number,
  input: CustomerInput,
  now: number,
): Promise<'made' | 'changed'> {
  const passwordHash = input.password === undefined ? null : await hashPassword(input.password)
  return database.transaction(async (transaction) => {
    const existing = await transaction.one(lockCustomer, [id])
    await transaction.run(upsertCustomer, [
      id,
      input.username ?? null,
      passwordHash,
      input.status ?? 'active',
      input.verified === false ? 0 : 1,
      input.currency ?? 'GBP',
      input.dailyDepositLimit === undefined ? null : input.dailyDepositLimit.toString(),
      input.fundsStatementVersion ?? CURRENT_FUNDS_STATEMENT,
      now,
    ])
    return existing === undefined ? 'made' : 'changed'
  })
}

export function findCustomer(database: Database, id: number) {
  return database.one(customerById, [id])
}
