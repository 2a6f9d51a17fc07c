// What a deposit must keep to: checked when it begins (T1), and again when its money would be credited, because a
// customer, a card or a limit may have changed while the gateway decided (rulings R9 and R11).

import type { RegisterAnswer } from '../../identity/exclusions/register.ts'
import type { Context } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { isCardExpired, isUsable, WRONG_CV2_LIMIT } from '../cards/cards.ts'
import type { DepositFault } from '../faults.ts'
import type { DepositorRow } from '../limits/deposit-facts-store.ts'
import { limitsOf, periodBounds } from '../limits/store.ts'
import type { Period } from '../periods.ts'
import { creditFacts, type DepositMethod, type LockedDeposit } from './facts-store.ts'

/** `left`: after this deposit; less than 0: it exceeds the limit. */
type OwnLimit = { readonly period: Period; readonly left: bigint }

type Rules = {
  readonly customer: Omit<DepositorRow, 'id' | 'currency' | 'first_name' | 'last_name' | 'name_changed_at'>
  /** null: the customer has no such card, or it is closed. */
  readonly method: Omit<DepositMethod, 'id' | 'token'> | null
  readonly amount: bigint
  /** What counts against the limit of the day, with this deposit. */
  readonly deposited: bigint
  /** What the customer owes, as a negative amount. */
  readonly debt: bigint
  /** The limits that the customer has set. */
  readonly ownLimits: readonly OwnLimit[]
  /** When the deposit begins or began: the time that the gateway takes refuses nothing. */
  readonly begunAt: number
  /** Only for a deposit that begins. */
  readonly beginning?: { readonly inFlight: boolean; readonly register: RegisterAnswer }
}

/** `period`: of the limit that the customer has set and the deposit exceeds. */
export type BrokenRule = { readonly fault: DepositFault; readonly period: Period | null }

/** The first rule that is broken, in the order of ruling R9 (docs/contract-notes.md); null: none. */
export function brokenRule(context: Context, rules: Rules): BrokenRule | null {
  const fault = faultOf(context, rules)
  if (fault === null) return null
  const period = fault === 'dailyLimitExceeded' ? exceededPeriod(rules) : null
  if (period !== null) context.metrics.count('paddock_limit_refusals_total', `period="${period}"`)
  return { fault, period }
}

function faultOf(context: Context, rules: Rules): DepositFault | null {
  const { customer, method, amount, beginning } = rules
  const { wallets } = context.config
  if (method === null || !isUsable(context, method)) return 'methodInvalid'
  // Also where the register of exclusions did not answer.
  if (beginning !== undefined && beginning.register !== 'clear') return 'notPermitted'
  const depositor = depositorFault(context, customer)
  if (depositor !== null) return depositor
  if (wallets.refuseDepositsWithDebt && rules.debt < 0n) return 'notPermitted'
  if (beginning?.inFlight) return 'stillProcessing'
  if (isCardExpired(method.expiry_date, rules.begunAt)) return 'expiryInvalid'
  if (amount === 0n || amount < BigInt(method.min_deposit)) return 'belowMinimum'
  if (amount > BigInt(method.max_deposit)) return 'aboveMaximum'
  const exceeds = rules.deposited > dailyLimit(customer, wallets.dailyDepositLimit)
  if (exceeds || exceededPeriod(rules) !== null) return 'dailyLimitExceeded'
  // The cv2 of a deposit that was approved was right.
  if (beginning !== undefined && method.wrong_cv2 >= WRONG_CV2_LIMIT) return 'cv2Invalid'
  return null
}

/** The period of the customer's own limit with the least left, if the deposit exceeds it. */
function exceededPeriod({ ownLimits }: Rules): Period | null {
  const [lowest] = ownLimits.toSorted((one, other) => (one.left < other.left ? -1 : 1))
  return lowest !== undefined && lowest.left < 0n ? lowest.period : null
}

type Depositor = { readonly id: number; readonly limits_prompted_at: number | null }

/**
 * The customer's row must be locked by a statement before. `amount`: that of a deposit that begins at the
 * time, and is not counted yet.
 */
export async function ownLimitsOf(
  tx: Database,
  { id: customerId, limits_prompted_at }: Depositor,
  time: number,
  amount: bigint,
): Promise<OwnLimit[]> {
  if (limits_prompted_at === null) return []
  const rows = await tx.query(limitsOf, { customerId, ...periodBounds(time) })
  return rows.map((row) => ({ period: row.period, left: BigInt(row.amount) - BigInt(row.used) - amount }))
}

/** Why the money of a stored deposit may not be credited now; null: it may. */
export async function creditFault(context: Context, tx: Database, deposit: LockedDeposit): Promise<BrokenRule | null> {
  const { customer_id: id, limits_prompted_at, created_at, day, currency } = deposit
  const facts = (await tx.one(creditFacts, { customerId: id, day, currency })) as { used: string; debt: string }
  const ownLimits = await ownLimitsOf(tx, { id, limits_prompted_at }, created_at, 0n)
  return brokenRule(context, {
    customer: deposit,
    method: deposit.card_open === 1 ? deposit : null,
    amount: BigInt(deposit.amount),
    deposited: BigInt(facts.used),
    debt: BigInt(facts.debt),
    ownLimits,
    begunAt: created_at,
  })
}

/** Why this customer may not deposit, whatever the amount; null: they may. */
export function depositorFault(
  { config, now }: Context,
  customer: { status: string; verified: number; funds_statement_version: number; play_from: number },
): DepositFault | null {
  if (customer.status !== 'active' || customer.verified !== 1 || customer.play_from > now()) return 'notPermitted'
  const isAccepted = customer.funds_statement_version >= config.wallets.fundsStatementVersion
  return isAccepted ? null : 'fundsStatementNotAccepted'
}

export function dailyLimit(customer: { daily_deposit_limit: string | null }, serviceLimit: bigint): bigint {
  return customer.daily_deposit_limit === null ? serviceLimit : BigInt(customer.daily_deposit_limit)
}
