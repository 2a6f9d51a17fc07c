// *Movements* are what the sportsbook reports of its customers' bets: stakes, winnings, returned stakes (void) and
// adjustments. Each has the sportsbook's own reference and is applied once, whatever is sent again.
//
// A batch is one transaction: it locks the customers, reads their accounts, applies each movement in memory on what those
// before it left, and writes movements, transfers and balances with one statement each.

import { eventList, logEvents, newEvent } from '../../event-log/store.ts'
import { type Actor, whyTokenCannotDecide } from '../../identity/operators/person.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Database } from '../../platform/database/database.ts'
import { idListOf, textListOf } from '../../platform/database/row-list-store.ts'
import { formatMoney } from '../../platform/runtime/money.ts'
import { Refused } from '../../platform/runtime/refused.ts'
import { mustChange } from '../machine.ts'
import { beginOfDay, needsTwoPersons } from '../policy.ts'
import { decidedBefore, dropProposal } from '../proposals.ts'
import { type CustomerAccounts, changedRows, newLine, readAccounts } from './customer-accounts.ts'
import { movementKinds } from './event-kinds.ts'
import { debtPayment } from './ledger.ts'
import type { TransferKind, TransferRow } from './ledger-store.ts'
import { insertTransfers, transferList } from './ledger-store.ts'
import type { MovementKind, MovementRow, MovingCustomer } from './movement-store.ts'
import * as sql from './movement-store.ts'

/** The amount of an adjustment may be negative; all others are positive. */
export type Movement = {
  readonly reference: string
  readonly customerId: number
  readonly kind: MovementKind
  readonly amount: bigint
  readonly betId: number | null
}

/** `repeated`: it was applied before, with the same terms. proposed: a second person must send the same. `balance`: the customer's, after it. */
export type MovementResult = { outcome: 'applied' | 'repeated' | 'proposed'; currency: string; balance: bigint }

/** `by`: who sends them one by one, and may confirm what another person has sent; null: a feed. */
export type MovementRules = { readonly config: Config; readonly now: () => number; readonly by: Actor | null }

type Batch = {
  readonly now: number
  readonly customers: ReadonlyMap<number, MovingCustomer>
  readonly accounts: ReadonlyMap<number, CustomerAccounts>
  /** By reference: those of earlier transactions, and of this one. */
  readonly known: Map<string, Omit<MovementRow, 'reference'>>
  /** What was credited by adjustments today, by customer. */
  readonly adjusted: Map<number, bigint>
  readonly applied: { movement: Movement; currency: string; transfers: TransferRow[] }[]
}

/** Applies movements in order. A movement that is refused leaves no trace, and stops no other. */
export async function applyMovements(
  tx: Database,
  movements: readonly Movement[],
  rules: MovementRules,
): Promise<(MovementResult | Refused)[]> {
  const ids = idListOf(new Set(movements.map(({ customerId }) => customerId)))
  const customers = new Map((await tx.query(sql.lockMovingCustomers, { ids })).map((row) => [row.id, row]))
  const references = textListOf(movements.map(({ reference }) => reference))
  const known = await tx.query(sql.movementsByReference, { references })
  const credited = new Set(movements.filter(isCredit).map(({ customerId }) => customerId))
  const now = rules.now()
  const batch: Batch = {
    now,
    adjusted: await readAdjusted(tx, movements.filter(isCreditByAdjustment), now),
    customers,
    accounts: await readAccounts(tx, [...customers.values()], credited),
    known: new Map(known.map(({ reference, ...terms }) => [reference, terms])),
    applied: [],
  }
  const results: (MovementResult | Refused)[] = []
  for (const movement of movements) {
    const waits = isCreditByAdjustment(movement) ? await secondPersonFor(tx, movement, batch, rules) : null
    results.push(waits ?? resultOf(movement, batch))
  }
  await write(tx, batch)
  return results
}

const isCreditByAdjustment = ({ kind, amount }: Movement) => kind === 'adjustment' && amount > 0n

async function readAdjusted(tx: Database, credits: readonly Movement[], now: number): Promise<Map<number, bigint>> {
  if (credits.length === 0) return new Map()
  const ids = idListOf(new Set(credits.map(({ customerId }) => customerId)))
  const rows = await tx.query(sql.adjustedSince, { ids, since: beginOfDay(now) })
  return new Map(rows.map(({ customer_id, adjusted }) => [customer_id, BigInt(adjusted)]))
}

/** One person creates no money beyond the sum of a day: null where none is needed, or where this is the second. */
async function secondPersonFor(
  tx: Database,
  movement: Movement,
  batch: Batch,
  { config, by }: MovementRules,
): Promise<MovementResult | Refused | null> {
  const { reference, customerId, amount } = movement
  const accounts = batch.accounts.get(customerId)
  const isErased = batch.customers.get(customerId)?.erased_at != null
  if (batch.known.has(reference) || accounts === undefined || isErased) return null
  // A feed comes with a token.
  const cannotDecide = by === null ? whyTokenCannotDecide(config, false) : by.cannotDecide
  if (cannotDecide) return new Refused('conflict', cannotDecide)
  const sum = (batch.adjusted.get(customerId) ?? 0n) + amount
  if (!needsTwoPersons(config, 'adjustment', sum)) {
    batch.adjusted.set(customerId, sum)
    return null
  }
  if (by === null) {
    const text = `Adjustments of ${formatMoney(sum)} for customer ${customerId} in a day need two persons: send this one with POST /operator/v1/movements.`
    return new Refused('conflict', text)
  }
  const ofBet = movement.betId === null ? '' : `, bet ${movement.betId}`
  const terms = `adjustment ${formatMoney(amount)} ${accounts.stored.currency} of customer ${customerId}${ofBet}`
  try {
    const first = await decidedBefore(
      tx,
      { subject: `movement ${reference}`, customerId, terms, note: '', by },
      batch.now,
    )
    if (first === null) return { outcome: 'proposed', currency: accounts.stored.currency, balance: accounts.balance }
  } catch (error) {
    if (error instanceof Refused) return error
    throw error
  }
  batch.adjusted.set(customerId, sum)
  return null
}

function resultOf(movement: Movement, batch: Batch): MovementResult | Refused {
  try {
    return apply(movement, batch)
  } catch (error) {
    if (error instanceof Refused) return error
    throw error
  }
}

function apply(movement: Movement, batch: Batch): MovementResult {
  const { reference, customerId, kind, amount } = movement
  refuseWrongAmount(movement)
  const customer = batch.customers.get(customerId)
  if (customer === undefined)
    throw new Refused(
      'unknown',
      `There is no customer ${customerId}. Create it with PUT /operator/v1/customers/${customerId}.`,
    )
  const accounts = batch.accounts.get(customerId)
  const { currency } = customer
  if (isRepeated(movement, batch.known.get(reference)))
    return { outcome: 'repeated', currency, balance: accounts?.balance ?? 0n }
  refuseErased(customer)
  if (kind === 'stake') refuseExcluded(customer, batch.now)
  if (accounts === undefined || accounts.balance + changeOf(movement) < 0n) throw beyondBalance(movement, accounts)
  const line = (transferKind: TransferKind, of: bigint) =>
    newLine(accounts, { kind: transferKind, amount: of, currency }, batch.now)
  const transfers = [line(transferKindOf(movement), amount < 0n ? -amount : amount)]
  const paid = isCredit(movement) ? debtPayment(accounts) : 0n
  if (paid > 0n) transfers.push(line('debt_payment', paid))
  batch.known.set(reference, termsOf(movement))
  batch.applied.push({ movement, currency, transfers })
  return { outcome: 'applied', currency, balance: accounts.balance }
}

function isCredit({ kind, amount }: Movement): boolean {
  return kind !== 'stake' && amount > 0n
}

function changeOf({ kind, amount }: Movement): bigint {
  return kind === 'stake' ? -amount : amount
}

function transferKindOf({ kind, amount }: Movement): TransferKind {
  return amount < 0n ? 'adjustment_debit' : kind
}

function termsOf({ customerId, kind, amount, betId }: Movement): Omit<MovementRow, 'reference'> {
  return { customer_id: customerId, kind, amount: `${amount}`, bet_id: betId }
}

function isRepeated(movement: Movement, known: Omit<MovementRow, 'reference'> | undefined): boolean {
  if (known === undefined) return false
  const terms = termsOf(movement)
  if (Object.entries(terms).every(([name, value]) => known[name as keyof typeof known] === value)) return true
  const { kind, amount, customer_id, bet_id } = known
  const ofBet = bet_id === null ? '' : `, bet ${bet_id}`
  throw new Refused(
    'conflict',
    `Movement ${movement.reference} was applied with other terms: ${kind} ${formatMoney(BigInt(amount))} of customer ${customer_id}${ofBet}. Send another reference.`,
  )
}

function refuseWrongAmount({ kind, amount }: Movement): void {
  if (amount === 0n) throw new Refused('invalid', 'The amount is 0. Send a movement of some money, or none.')
  if (amount < 0n && kind !== 'adjustment')
    throw new Refused('invalid', `The amount of a ${kind} is negative. Only an adjustment can be.`)
}

function refuseErased({ id, erased_at }: MovingCustomer): void {
  if (erased_at === null) return
  const text = `The personal data of customer ${id} was erased: what they stake or win is the house’s. POST /operator/v1/customers/${id}/reinstatement, with a reason, takes the customer back.`
  throw new Refused('conflict', text)
}

/** Bets placed before are settled: winnings, voids and adjustments apply. */
function refuseExcluded({ id, status, play_from }: MovingCustomer, now: number): void {
  if (play_from <= now && status !== 'self-excluded') return
  throw new Refused('invalid', `Customer ${id} is excluded and cannot stake. Void the bet.`)
}

function beyondBalance({ customerId, amount }: Movement, accounts: CustomerAccounts | undefined): Refused {
  const [sum, balance] = [formatMoney(amount < 0n ? -amount : amount), formatMoney(accounts?.balance ?? 0n)]
  return new Refused('invalid', `${sum} is more than the balance of customer ${customerId}, which is ${balance}.`)
}

async function write(tx: Database, { applied, accounts, now }: Batch): Promise<void> {
  if (applied.length === 0) return
  const rows = applied.map(({ movement, currency, transfers }) => {
    const at = transfers[0]?.at ?? now
    return { reference: movement.reference, ...termsOf(movement), currency, at }
  })
  const inserted = await tx.query(sql.insertMovements, { rows: sql.movements.of(rows) })
  const ids = new Map(inserted.map(({ id, reference }) => [reference, id]))
  const transfers = applied.flatMap(({ movement, transfers }) =>
    transfers.map((row) => ({ ...row, movement_id: ids.get(movement.reference) ?? null })),
  )
  await tx.run(insertTransfers, { rows: transferList.of(transfers) })
  const changed = [...accounts.values()].flatMap((one) => changedRows(one))
  const balances = await tx.run(sql.setBalances, { rows: sql.balanceList.of(changed) })
  mustChange(balances, 'a batch of movements', changed.length)
  const paidDebts = applied.filter((one) => one.transfers.some(({ kind }) => kind === 'debt_payment'))
  for (const customerId of new Set(paidDebts.map(({ movement }) => movement.customerId))) {
    await dropProposal(tx, `debt-write-off ${customerId}`)
  }
  await tx.run(logEvents, { rows: eventList.of(applied.map((one) => eventOf(one))) })
}

function eventOf({ movement, currency, transfers }: Batch['applied'][number]) {
  const { reference, customerId, kind, amount, betId } = movement
  const last = transfers.at(-1) as TransferRow
  const data = {
    reference,
    amount: formatMoney(amount),
    currency,
    betId: betId === null ? null : `${betId}`,
    balance: formatMoney(BigInt(last.balance_after ?? '0')),
  }
  return newEvent(movementKinds, `movement.${kind}`, { id: customerId, customerId, data, now: last.at })
}
