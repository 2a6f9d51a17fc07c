// What a deposit must keep to: checked when it begins (T1), and again when its money would be credited, because a
// customer, a card or a limit may have changed while the gateway decided (rulings R9 and R11).

import type { Context } from '../platform/context.ts'
import { DAY_MS } from '../platform/runtime/durations.ts'
import type { DepositMethod, DepositorRow, StoredDeposit } from './deposit-facts-store.ts'
import type { DepositFault } from './faults.ts'
import { isCardExpired, isUsable } from './method.ts'

/** After this many wrong cv2 in a row the gateway is not called for the card: this is how stolen cards are tested. */
const WRONG_CV2_LIMIT = 5

type Rules = {
  readonly customer: Omit<DepositorRow, 'id' | 'currency'>
  /** null: the customer has no such card, or it is closed. */
  readonly method: Omit<DepositMethod, 'id' | 'token'> | null
  readonly amount: bigint
  /** What counts against the limit of the day, with this deposit. */
  readonly deposited: bigint
  /** When the deposit begins or began: the time that the gateway takes refuses nothing. */
  readonly begunAt: number
  /** Only for a deposit that begins. */
  readonly beginning?: { readonly inFlight: boolean }
}

/** The first rule that is broken, in the order of ruling R9 (docs/contract-notes.md); null: none. */
export function brokenRule(context: Context, rules: Rules): DepositFault | null {
  const { customer, method, amount, beginning } = rules
  const { wallets } = context.config
  if (method === null || !isUsable(context, method)) return 'methodInvalid'
  const depositor = depositorFault(customer, wallets.fundsStatementVersion)
  if (depositor !== null) return depositor
  if (beginning?.inFlight) return 'stillProcessing'
  if (isCardExpired(method.expiry_date, rules.begunAt)) return 'expiryInvalid'
  if (amount === 0n || amount < BigInt(method.min_deposit)) return 'belowMinimum'
  if (amount > BigInt(method.max_deposit)) return 'aboveMaximum'
  if (rules.deposited > dailyLimit(customer, wallets.dailyDepositLimit)) return 'dailyLimitExceeded'
  // The cv2 of a deposit that was approved was right.
  if (beginning !== undefined && method.wrong_cv2 >= WRONG_CV2_LIMIT) return 'cv2Invalid'
  return null
}

/** Why the money of a stored deposit may not be credited now; null: it may. */
export function creditFault(context: Context, deposit: StoredDeposit): DepositFault | null {
  return brokenRule(context, {
    customer: deposit,
    method: deposit.card_open === 1 ? deposit : null,
    amount: BigInt(deposit.amount),
    deposited: BigInt(deposit.used),
    begunAt: deposit.created_at,
  })
}

/** Why this customer may not deposit, whatever the amount; null: they may. */
export function depositorFault(
  customer: { status: string; verified: number; funds_statement_version: number },
  currentStatement: number,
): DepositFault | null {
  if (customer.status !== 'active' || customer.verified !== 1) return 'notPermitted'
  return customer.funds_statement_version < currentStatement ? 'fundsStatementNotAccepted' : null
}

export function dailyLimit(customer: { daily_deposit_limit: string | null }, serviceLimit: bigint): bigint {
  return customer.daily_deposit_limit === null ? serviceLimit : BigInt(customer.daily_deposit_limit)
}

/** Days since 1970, in UTC. */
export function dayOf(now: number): number {
  return Math.floor(now / DAY_MS)
}
