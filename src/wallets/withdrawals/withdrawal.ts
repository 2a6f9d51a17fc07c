// A *withdrawal* moves money from the customer's account to one of their cards, in parts: what the card paid in goes back as refunds of
// its deposits, winnings by a payout. The amount leaves the account when it is requested; it is approved by the rule or by two persons,
// and jobs send its parts. docs/withdrawals.md has the states.

import { randomUUID } from 'node:crypto'
import { Fault } from '../../faults.ts'
import type { Actor } from '../../identity/operators/person.ts'
import type { Database } from '../../platform/database/database.ts'
import { formatMoney } from '../../platform/runtime/money.ts'
import { transfer } from '../account/ledger.ts'
import { isHeldBy } from '../cards/cards.ts'
import { allMethodsOfCustomer } from '../cards/store.ts'
import type { WalletsContext } from '../context.ts'
import { walletFault } from '../faults.ts'
import { type DepositorRow, lockDepositor } from '../limits/deposit-facts-store.ts'
import { referenceOf, requestHash } from '../payment-reference.ts'
import { needsTwoPersons } from '../policy.ts'
import { type Funds, readFunds } from '../refunds/claims.ts'
import { claimsOfCard } from '../refunds/claims-store.ts'
import { type LoopFacts, type Option, optionsOf, type PlannedPart, planParts } from './closed-loop.ts'
import { insertParts, type NewPart, newParts, type PartRow, partsOf } from './part-store.ts'
import type { WithdrawalRow } from './store.ts'
import * as sql from './store.ts'
import { enqueueParts, recordEvents, reportApprovedRequest, reportWithdrawal } from './transitions.ts'

/** What the customer reads while operators look at it. */
export const WAITS_FOR_APPROVAL = 'We check this withdrawal before we send it.'

type Terms = { readonly customerId: number; readonly methodId: number; readonly amount: bigint }
type Requester = { readonly apiKey: string } | { readonly by: Actor }

/** `by`: the operator who requests it for the customer. */
export type WithdrawalOrder = Terms & { readonly idempotencyKey: string | null } & Requester

export type Requested = {
  readonly replayed: boolean
  readonly withdrawal: WithdrawalRow
  readonly parts: readonly PartRow[]
}

/** Throws the fault of the first rule that the order breaks. */
export async function requestWithdrawal(context: WalletsContext, order: WithdrawalOrder): Promise<Requested> {
  const reference =
    'by' in order
      ? referenceOf({ ...order, apiKey: '' }, 'withdrawal by an operator')
      : referenceOf(order, 'withdrawal')
  const requested = await context.database.transaction((tx) => requestIn(tx, context, { ...order, reference }))
  if (!requested.replayed) {
    context.metrics.count('paddock_withdrawals_total', `state="${requested.withdrawal.state}"`)
  }
  return requested
}

type ReferencedOrder = WithdrawalOrder & { readonly reference: string }

async function requestIn(tx: Database, context: WalletsContext, order: ReferencedOrder): Promise<Requested> {
  const customer = (await tx.one(lockDepositor, { customerId: order.customerId })) as DepositorRow
  const { idempotencyKey } = order
  const earlier = idempotencyKey === null ? undefined : await earlierOf(tx, order, idempotencyKey)
  if (earlier !== undefined) {
    return { replayed: true, withdrawal: earlier, parts: await tx.query(partsOf, { withdrawalId: earlier.id }) }
  }
  const facts = await readLoopFacts(tx, context, customer)
  const option = await optionOrFault(tx, facts, { ...order, currency: customer.currency })
  const parts = planParts(option, order.amount)
  const planned = { customer, order, parts }
  const { withdrawnToday } = facts.funds
  const why = 'by' in order ? BY_OPERATOR : await whyTwoPersons(tx, context, planned, { ...option, withdrawnToday })
  const requested = await insertRequested(tx, context, { ...planned, why })
  const jobs = { payoutsFrom: payoutsFrom(context, option), last: 'last' } as const
  if (why === null) await enqueueParts(tx, requested.parts, jobs, facts.now)
  return { replayed: false, ...requested }
}

/** A card that is new waits with payouts. */
function payoutsFrom({ config }: WalletsContext, { card }: Option): number {
  return card.changed_at + config.wallets.payoutDelayMs
}

/** The same key with the same request gets the same withdrawal: its reference is derived from the key. */
async function earlierOf(
  tx: Database,
  order: ReferencedOrder,
  idempotencyKey: string,
): Promise<WithdrawalRow | undefined> {
  const { reference, customerId } = order
  const apiKey = 'apiKey' in order ? order.apiKey : null
  const uses = (await tx.one(sql.usesOfKey, { reference, customerId, apiKey, idempotencyKey })) as sql.UsesOfKey
  if (uses.withdrawal_id === null) {
    if (uses.deposit_id !== null) throw new Fault('walletInvalid', 'Idempotency-Key')
    return undefined
  }
  const earlier = (await tx.one(sql.withdrawalById, { id: uses.withdrawal_id })) as WithdrawalRow
  const same =
    earlier.request_hash === null
      ? BigInt(earlier.amount) === order.amount && earlier.payment_method_id === order.methodId
      : earlier.request_hash === hashOf(order)
  if (!same) throw new Fault('walletInvalid', 'Idempotency-Key')
  return earlier
}

const hashOf = ({ amount, methodId }: Terms) => requestHash('makeWithdrawal', amount, methodId)

/** Reads the facts in statements of their own, which see what others committed while this one waited for the customer's lock. */
export async function readLoopFacts(
  database: Database,
  { gateways, config, now }: WalletsContext,
  { id: customerId, currency }: Pick<DepositorRow, 'id' | 'currency'>,
  replanned = 0n,
): Promise<LoopFacts> {
  const at = now()
  const funds = await readFunds(database, { customerId, currency, now: at }, replanned)
  const cards = await database.query(allMethodsOfCustomer, { customerId })
  const { returnWithinMs, maxWithdrawalParts: maxParts } = config.wallets
  return { funds, cards, paysOut: gateways.current.paysOut, returnWithinMs, maxParts, now: at }
}

async function optionOrFault(
  tx: Database,
  facts: LoopFacts,
  { methodId, amount, currency }: Terms & { readonly currency: string },
): Promise<Option> {
  const option = optionsOf(facts).find(({ card }) => card.id === methodId)
  if (option === undefined) throw walletFault('notWithdrawable')
  const isGone = option.card.removed_at !== null || option.card.closed_at !== null
  if (isGone && (await tx.one(claimsOfCard, { methodId, currency }))?.has_claim !== 1)
    throw walletFault('notWithdrawable')
  if (amount === 0n) throw walletFault('nothingWithdrawn')
  if (amount > facts.funds.balance) throw walletFault('insufficientFunds')
  if (amount > option.max) throw walletFault('aboveOption')
  return option
}

type Planned = {
  readonly customer: DepositorRow
  readonly order: ReferencedOrder
  readonly parts: readonly PlannedPart[]
}

const BY_OPERATOR = 'an operator requested it'

/** Why two persons must approve it, in words for operators; null: the rule does. */
async function whyTwoPersons(
  tx: Database,
  { config, now }: WalletsContext,
  { customer, parts, order }: Planned,
  { card, withdrawnToday }: Pick<Option, 'card'> & Pick<Funds, 'withdrawnToday'>,
): Promise<string | null> {
  const mayPlay = customer.status === 'active' && customer.verified === 1 && customer.play_from <= now()
  if (!mayPlay) return 'the customer is not active and verified, or has excluded themselves'
  if (card.closed_at !== null) return 'the card was closed by an operator'
  if (card.reopened_at !== null) return 'the card was closed by an operator, and reopened'
  if (parts.some(({ isFreed }) => isFreed)) return 'it takes what another card paid in and cannot take back'
  if (parts.some(({ kind }) => kind === 'payout')) {
    const paidIn = await tx.one(claimsOfCard, { methodId: card.id, currency: customer.currency })
    if (paidIn?.has_paid_in !== 1) return 'winnings go to a card without a captured deposit'
    if (!isHeldBy(card, customer)) return 'winnings go to a card whose holder is not the customer on record'
    if (await isNameUnchecked(tx, customer))
      return 'the customer’s name on record has changed since persons compared it'
  }
  const sum = withdrawnToday + order.amount
  return needsTwoPersons(config, 'withdrawal', sum) ? `withdrawals of the day add up to ${formatMoney(sum)}` : null
}

/** Nobody decides alone, by changing the name on record, whose card takes winnings. */
async function isNameUnchecked(
  tx: Database,
  { id: customerId, name_changed_at: since }: DepositorRow,
): Promise<boolean> {
  return since !== null && (await tx.one(sql.payoutApprovedSince, { customerId, since })) === undefined
}

async function insertRequested(
  tx: Database,
  { gateways, now: clock }: WalletsContext,
  { customer, order, parts: planned, why }: Planned & { readonly why: string | null },
): Promise<Omit<Requested, 'replayed'>> {
  const now = clock()
  const by = 'by' in order ? order.by : null
  const { id: customerId, currency } = customer
  const withdrawal = (await tx.one(sql.insertWithdrawal, {
    reference: order.reference,
    customer_id: customerId,
    api_key: 'by' in order ? null : order.apiKey,
    idempotency_key: order.idempotencyKey,
    request_hash: hashOf(order),
    payment_method_id: order.methodId,
    gateway: gateways.current.name,
    amount: order.amount,
    currency,
    state: why === null ? 'APPROVED' : 'REQUESTED',
    approvals: why === null ? 0 : 2,
    requested_by: by?.name ?? null,
    requested_person: by?.person ?? null,
    hold_reason: why === null ? null : WAITS_FOR_APPROVAL,
    now,
  })) as WithdrawalRow
  const parts = await insertPlanned(tx, withdrawal, planned, now)
  const terms = { source: { withdrawal_id: withdrawal.id }, customerId, currency, amount: order.amount }
  await transfer(tx, [{ ...terms, kind: 'withdrawal' }], now)
  const detail = by?.name ?? ''
  if (why === null) await reportApprovedRequest(tx, withdrawal, detail, now)
  else {
    await reportWithdrawal(tx, withdrawal, { event: 'requested', detail }, now)
    await recordEvents(tx, withdrawal.id, [{ event: 'needs two persons', detail: why }], now)
  }
  return { withdrawal, parts }
}

/** Returns them in the order in which they are taken. */
export async function insertPlanned(
  tx: Database,
  withdrawal: WithdrawalRow,
  parts: readonly (Omit<PlannedPart, 'kind'> & { readonly kind: PlannedPart['kind'] | 'outside' })[],
  now: number,
): Promise<PartRow[]> {
  const rows = parts.map(
    ({ kind, depositId, isFreed, amount, gateway }): NewPart => ({
      withdrawal_id: withdrawal.id,
      customer_id: withdrawal.customer_id,
      kind,
      deposit_id: depositId,
      freed: isFreed ? 1 : 0,
      amount: `${amount}`,
      currency: withdrawal.currency,
      paid: '0',
      returned: '0',
      kept_back: '0',
      state: 'WAITING',
      review: null,
      reference: randomUUID(),
      gateway: gateway ?? withdrawal.gateway,
      gateway_reference: null,
      begun_at: null,
      created_at: now,
      changed_at: now,
    }),
  )
  const inserted = await tx.query(insertParts, { rows: newParts.of(rows) })
  return inserted.sort((one, other) => one.id - other.id)
}
