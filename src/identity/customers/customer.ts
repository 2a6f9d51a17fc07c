// A *customer* is an account of the sportsbook, registered by the operator.

import type { Database } from '../../platform/database/database.ts'
import { Refused } from '../../platform/runtime/refused.ts'
import { refuseWhileExcluded } from '../exclusions/exclusion.ts'
import { hashPassword, verifyPassword } from '../sessions/password.ts'
import { deleteSessionsOf } from '../sessions/store.ts'
import type { CustomerStatus } from './status.ts'
import * as sql from './store.ts'

/** Only `reinstateCustomer` ends these: an old feed line must not reactivate a closed or self-excluded customer. */
const LOCKED_STATUSES: readonly string[] = ['closed', 'self-excluded'] satisfies CustomerStatus[]

/** A missing field keeps its value; for a new customer it takes its default. */
export type CustomerInput = {
  username?: string
  password?: string
  status?: CustomerStatus
  /** Why the status is set. A status that changes without one has none. */
  statusReason?: string
  verified?: boolean
  currency?: string
  /** Minor units; null: the service's limit. */
  dailyDepositLimit?: bigint | null
  fundsStatementVersion?: number
  /** The name on record, to compare with a card's holder; null: not known. */
  firstName?: string | null
  lastName?: string | null
  /** The version that a new customer has accepted, unless fundsStatementVersion is given. */
  currentFundsStatement?: number
}

const CURRENT_FUNDS_STATEMENT = 1

/**
 * Creates or changes a customer. A user name that another customer has throws UniqueViolation. A new password, and every
 * status but active, ends all sessions.
 */
export async function putCustomer(
  database: Database,
  id: number,
  input: CustomerInput,
  now: number,
): Promise<'created' | 'changed'> {
  // Before the transaction, which would otherwise hold its locks while hashing.
  const passwordHash = await newPasswordHash(database, id, input.password)
  return database.transaction(async (transaction) => {
    const known = await transaction.one(sql.lockCustomer, { id })
    const changes = changesOf(id, input, passwordHash)
    if (known === undefined && (await createCustomer(transaction, input, changes, now))) return 'created'
    const customer = known ?? ((await transaction.one(sql.lockCustomer, { id })) as sql.LockedCustomer)
    refuseErased(id, customer)
    refuseReactivation(id, customer, input.status)
    await refuseOtherCurrency(transaction, customer, input)
    const nameChanged = Number(await changesName(transaction, customer, input))
    await transaction.run(sql.updateCustomer, {
      ...changes,
      statusReason: input.statusReason ?? null,
      nameChanged,
      now,
    })
    const keepsSessions = passwordHash === null && (input.status ?? 'active') === 'active'
    if (!keepsSessions) await transaction.run(deleteSessionsOf, { customerId: id })
    return 'changed'
  })
}

/**
 * Whether persons must compare the name with the holder of a card before winnings go there: another name, or the first one beside money. Who
 * changes it to a holder's would else decide alone where the money goes.
 */
async function changesName(
  transaction: Database,
  { id, first_name, last_name }: sql.LockedCustomer,
  { firstName = first_name, lastName = last_name }: CustomerInput,
): Promise<boolean> {
  if (firstName === first_name && lastName === last_name) return false
  if (first_name !== null || last_name !== null) return true
  return (await transaction.one(sql.hasMoney, { id }))?.has === 1
}

/** null: the password is unchanged. A feed that repeats passwords must not end everybody's sessions. */
async function newPasswordHash(database: Database, id: number, password: string | undefined): Promise<string | null> {
  if (password === undefined) return null
  const stored = await database.one(sql.passwordHashOf, { id })
  const same = stored?.password_hash != null && (await verifyPassword(password, stored.password_hash))
  return same ? null : hashPassword(password)
}

/** false: another request created it meanwhile. */
async function createCustomer(
  transaction: Database,
  { currentFundsStatement = CURRENT_FUNDS_STATEMENT }: CustomerInput,
  { limitGiven: _, firstNameGiven: __, lastNameGiven: ___, ...given }: ReturnType<typeof changesOf>,
  now: number,
): Promise<boolean> {
  return (await transaction.run(sql.insertCustomer, { ...given, currentFundsStatement, now })) === 1
}

/** A feed that is sent again must not restore erased data. */
export function refuseErased(id: number, { erased_at }: Pick<sql.LockedCustomer, 'erased_at'>): void {
  if (erased_at === null) return
  throw new Refused(
    'conflict',
    `The personal data of customer ${id} was erased. POST /operator/v1/customers/${id}/reinstatement, with a reason, takes the customer back.`,
  )
}

function refuseReactivation(id: number, { status }: sql.LockedCustomer, wanted: CustomerStatus | undefined): void {
  if (wanted === undefined || !LOCKED_STATUSES.includes(status) || LOCKED_STATUSES.includes(wanted)) return
  throw new Refused(
    'conflict',
    `Customer ${id} is ${status}. Only POST /operator/v1/customers/${id}/reinstatement, with a reason, ends that.`,
  )
}

/** The first deposit, limit or movement fixes the currency of an account for ever. */
async function refuseOtherCurrency(
  transaction: Database,
  { id, currency, daily_deposit_limit }: sql.LockedCustomer,
  wanted: CustomerInput,
): Promise<void> {
  if (wanted.currency === undefined || wanted.currency === currency) return
  if ((await transaction.one(sql.currencyUse, { id }))?.used === 1) {
    const text = `Customer ${id} has deposits, movements or limits in ${currency}, and an account keeps its currency: register ${wanted.currency} with another customer id.`
    throw new Refused('conflict', text)
  }
  if (daily_deposit_limit !== null && wanted.dailyDepositLimit === undefined) {
    const text = `The daily deposit limit of customer ${id} is in ${currency}: send dailyDepositLimit in ${wanted.currency} with the currency.`
    throw new Refused('conflict', text)
  }
}

function changesOf(id: number, input: CustomerInput, passwordHash: string | null) {
  const { username, status, verified, currency, dailyDepositLimit, fundsStatementVersion, firstName, lastName } = input
  return {
    id,
    username: username ?? null,
    passwordHash,
    status: status ?? null,
    verified: verified === undefined ? null : Number(verified),
    currency: currency ?? null,
    limitGiven: Number(dailyDepositLimit !== undefined),
    dailyDepositLimit: dailyDepositLimit?.toString() ?? null,
    fundsStatementVersion: fundsStatementVersion ?? null,
    firstNameGiven: Number(firstName !== undefined),
    firstName: firstName ?? null,
    lastNameGiven: Number(lastName !== undefined),
    lastName: lastName ?? null,
  }
}

/** Makes a closed or self-excluded customer active again, also one who was erased. Returns the status before; undefined: no such customer. */
export async function reinstateCustomer(
  database: Database,
  id: number,
  { reason, now }: { reason: string; now: number },
): Promise<string | undefined> {
  return database.transaction(async (transaction) => {
    const customer = await transaction.one(sql.lockCustomer, { id })
    if (customer === undefined) return undefined
    if (!LOCKED_STATUSES.includes(customer.status)) {
      throw new Refused('conflict', `Customer ${id} is ${customer.status}, neither closed nor self-excluded.`)
    }
    refuseWhileExcluded(id, customer, now)
    await transaction.run(sql.reinstate, { id, reason, now })
    return customer.status
  })
}

export function findCustomer(database: Database, id: number) {
  return database.one(sql.customerById, { id })
}
