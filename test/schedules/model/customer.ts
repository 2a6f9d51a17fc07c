// What the model of the schedules keeps of one customer: cards, deposits as claims, and everything that left. It follows the
// sentences of the rules (docs/deposits.md, refunds.md, withdrawals.md, account.md) and knows no code of the service: nothing in this
// folder may import from src. Amounts are minor units, times milliseconds.

/** A card that has paid in keeps its token: another token is another card. So each is one version. */
export type Card = {
  readonly id: string
  token: string
  expiresAt: number
  /** Whose names came with the card. Without names it takes no payouts. */
  holder: 'customer' | 'another' | 'unknown'
  /** By the customer. */
  removed: boolean
  /** By an operator, because it was stolen or misused. */
  closed: boolean
  /** The account behind it, for good. */
  accountClosed: boolean
}

export type DepositState =
  | 'AUTHORISING'
  | 'CHALLENGE'
  | 'AUTHORISED'
  | 'CAPTURED'
  | 'DECLINED'
  | 'VOIDING'
  | 'VOIDED'
  | 'REVIEW'

export type DepositReview =
  | 'capture-refused'
  | 'capture-unresolved'
  | 'capture-failed'
  | 'cancel-says-captured'
  | 'cancel-unresolved'

export type Deposit = {
  /** The Idempotency-Key of its request. */
  readonly id: string
  readonly card: string
  readonly amount: number
  readonly isChallenged: boolean
  readonly askedAt: number
  state: DepositState
  review: DepositReview | null
  /** What the customer was answered; null: it did not fail. */
  fault: string | null
  captured: number
  capturedAt: number
  /** The gateway refuses for good to return it, because of the deposit and not of the card. */
  notReturnable: boolean
  /** Until when the gateway or the issuer may decide. */
  leaseUntil: number
  /** Since when its capture or its cancel is to be sent. */
  jobAt: number
}

/** What the bank of the card says about a deposit under one reference: steps that are summed in any order. */
export type Dispute = {
  readonly id: string
  readonly deposit: string
  charged: number
  /** What of it the customer has paid, and the house. */
  paid: number
  house: number
  open: boolean
  newsAt: number
}

/**
 * A refund by an operator or in the gateway's back office, or a part of a withdrawal. Some of its amount is paid, some has come back; the
 * rest is open.
 */
export type Outflow = {
  readonly id: string
  readonly kind: 'refund' | 'office' | 'return' | 'payout' | 'outside'
  /** The deposit whose claim it takes; null: winnings. */
  readonly deposit: string | null
  /** Where it goes; null: outside. */
  readonly card: string | null
  readonly withdrawal: string | null
  readonly amount: number
  readonly askedAt: number
  /** The gateway's own reference, as soon as it is known. */
  theirs: string | null
  /** What the customer has paid for it and not got back. */
  debited: number
  paid: number
  returned: number
  /** When the gateway was called first, or was about to be. */
  beganAt: number | null
  /** Called, and without any answer. */
  isCalling: boolean
  review: null | 'unresolved' | 'paid-after-return' | 'paid-twice' | 'another-amount' | 'never-sent'
  /** What a notification says that left, although it had come back. */
  said: number
  /** Of a refund: who asked; the Idempotency-Key; and whether another person must approve. */
  readonly by: string | null
  readonly key: string | null
  waitsForPerson: boolean
}

export type Withdrawal = {
  readonly id: string
  /** Of the request: whose it is, and its Idempotency-Key. */
  readonly key: string
  /** What was requested with the key. */
  readonly asked: string
  readonly card: string | null
  readonly amount: number
  readonly at: number
  /** Who asked for an excluded customer: the first of two, until approvals are void. */
  readonly by: string | null
  /** 0: the rule has approved. */
  approvals: 0 | 2
  persons: string[]
  /** Why it waits for persons: one holds it, its card has changed, or the customer owes money. */
  hold: null | 'operator' | 'card' | 'debt'
  isRefused: boolean
}

/** What one person has decided, and another must too. */
export type Proposal = { readonly subject: string; readonly terms: string; readonly by: string }

export type Settings = {
  /** Of the withdrawals of a day. */
  withdrawalsByRule: number
  /** Of the refunds of a day. */
  refundsByOne: number
  /** Of the adjustments of a day that credit. */
  adjustmentsByOne: number
  /** Of the resolutions of a day. */
  resolutionsByOne: number
  returnDays: number
  maxParts: number
  depositsOfDay: number
  refusesDepositsWithDebt: boolean
  /** The gateway can make payouts. */
  payouts: boolean
  reviewAfterMs: number
  disputeDays: number
}

export type DisputeStep = 'told' | 'charged' | 'reversed' | 'ended' | 'charged for the last time'

/** What the gateway says. */
export type Notification = {
  readonly key: string
  readonly says:
    | 'approved'
    | 'captured'
    | 'captureFailed'
    | 'cancelled'
    | 'cancelFailed'
    | 'refunded'
    | 'refundFailed'
    | 'refundReversed'
    | 'payoutPaid'
    | 'payoutReturned'
    | 'disputed'
  /** Of the deposit, if it names one. */
  readonly deposit: string | null
  /** Ours of a refund or a part, if it names one. */
  readonly outflow: string | null
  readonly theirs: string
  readonly amount: number
  readonly currency: string
  /** Why it was refused. */
  readonly refusal: string | null
  readonly step: DisputeStep | null
}

/** How a notification ended; a contradiction has a name. */
export type Ending = 'applied' | 'already-applied' | 'not-ours' | `contradiction ${string}`

export type Notified = {
  readonly key: string
  readonly told: Notification
  ending: Ending
  readonly subject: string | null
  isSettled: boolean
  /** It is tried again. */
  isDue: boolean
}

export type Customer = {
  now: number
  settings: Settings
  currency: string
  isVerified: boolean
  isSelfExcluded: boolean
  /** The end of a time-out. */
  playFrom: number
  balance: number
  debt: number
  /** What the house has written off, and not got back. */
  writtenOff: number
  /** What went back to a card of money that was spent, by deposit, or by the part that took winnings; less what the house got back. */
  readonly owedFor: Map<string, number>
  readonly cards: Card[]
  readonly deposits: Deposit[]
  readonly outflows: Outflow[]
  readonly withdrawals: Withdrawal[]
  readonly disputes: Dispute[]
  proposals: Proposal[]
  readonly resolutions: { readonly amount: number; readonly at: number }[]
  readonly movements: {
    readonly reference: string
    readonly terms: string
    readonly credit: number
    readonly at: number
  }[]
  readonly notifications: Notified[]
}

export const DAY_MS = 86_400_000

export function newCustomer(settings: Settings, currency: string, now: number): Customer {
  const may = { isVerified: true, isSelfExcluded: false, playFrom: 0 }
  const money = {
    balance: 0,
    debt: 0,
    writtenOff: 0,
    owedFor: new Map(),
    deposits: [],
    outflows: [],
    withdrawals: [],
    disputes: [],
    movements: [],
  }
  return { now, settings, currency, ...may, ...money, cards: [], proposals: [], resolutions: [], notifications: [] }
}

/** Of all that changes. A structured clone takes ten times as long. */
export function copyOf(customer: Customer): Customer {
  const each = <T extends object>(entries: readonly T[]): T[] => entries.map((entry) => ({ ...entry }))
  return {
    ...customer,
    owedFor: new Map(customer.owedFor),
    cards: each(customer.cards),
    deposits: each(customer.deposits),
    outflows: each(customer.outflows),
    withdrawals: customer.withdrawals.map((one) => ({ ...one, persons: [...one.persons] })),
    disputes: each(customer.disputes),
    proposals: [...customer.proposals],
    resolutions: [...customer.resolutions],
    movements: [...customer.movements],
    notifications: each(customer.notifications),
  }
}

/** A proposal to write a debt off is about what was owed then. */
export function changeDebt(customer: Customer, change: number): void {
  if (change === 0) return
  customer.debt += change
  customer.proposals = customer.proposals.filter(({ subject }) => subject !== 'debt-write-off')
}

/** Pays the debt first. */
export function credit(customer: Customer, amount: number): void {
  const paid = Math.min(customer.debt, amount)
  changeDebt(customer, -paid)
  customer.balance += amount - paid
}

/** The house is first, if it has written off what this led to. */
export function comesBack(customer: Customer, cause: string, amount: number): void {
  const owed = customer.owedFor.get(cause) ?? 0
  const house = Math.min(amount, customer.writtenOff, owed)
  customer.writtenOff -= house
  customer.owedFor.set(cause, owed - house)
  credit(customer, amount - house)
}

/** What the balance does not cover becomes debt. */
export function debit(customer: Customer, cause: string, amount: number): void {
  const covered = Math.min(customer.balance, amount)
  customer.balance -= covered
  customer.owedFor.set(cause, (customer.owedFor.get(cause) ?? 0) + amount - covered)
  changeDebt(customer, amount - covered)
}

export function sum<T>(entries: readonly T[], amountOf: (entry: T) => number): number {
  return entries.reduce((total, entry) => total + amountOf(entry), 0)
}

export function isToday({ now }: Customer, at: number): boolean {
  return Math.floor(at / DAY_MS) === Math.floor(now / DAY_MS)
}

export function isExcluded({ isSelfExcluded, playFrom, now }: Customer): boolean {
  return isSelfExcluded || playFrom > now
}

/** May deposit, and has withdrawals approved by the rule. */
export function mayPlay(customer: Customer): boolean {
  return customer.isVerified && !isExcluded(customer)
}

export function cardOf({ cards }: Customer, id: string | null): Card | undefined {
  return cards.find((card) => card.id === id)
}

export function depositOf({ deposits }: Customer, id: string | null): Deposit | undefined {
  return deposits.find((deposit) => deposit.id === id)
}

export function withdrawalOf({ withdrawals }: Customer, part: Outflow): Withdrawal {
  const withdrawal = withdrawals.find(({ id }) => id === part.withdrawal)
  if (withdrawal === undefined) throw new Error(`the model has no withdrawal of ${part.id}`)
  return withdrawal
}
