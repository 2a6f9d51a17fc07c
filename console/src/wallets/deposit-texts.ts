// Deposits in words, and the filters of their list as the address holds them and the API takes them.

import type { Deposit, DepositQuery } from '../../../src/operator/api-types.ts'
import { linkTo } from '../../../web/route.ts'
import { sentenceCase } from '../parts/sentence-case.ts'

type Reason = NonNullable<DepositQuery['reason']>

/** For the choice of a filter. Why a deposit failed comes with it, in words. */
const REASONS: Record<Reason, string> = {
  '24001': '24001 invalid payment method',
  '24002': '24002 below the card’s minimum',
  '24003': '24003 above the card’s maximum',
  '24004': '24004 customer may not deposit',
  '24005': '24005 authorisation failed',
  '24006': '24006 invalid card number',
  '24007': '24007 insufficient funds',
  '24008': '24008 daily limit',
  '24009': '24009 invalid CV2',
  '24010': '24010 invalid expiry date',
  '24015': '24015 funds statement not accepted',
  'capture-refused': 'capture refused',
  'capture-unresolved': 'capture without a result',
  'capture-failed': 'capture returned later',
  'cancel-says-captured': 'voided, but captured',
  'cancel-unresolved': 'cancel without a result',
}

const STATES: readonly Deposit['state'][] = [
  'AUTHORISING',
  'CHALLENGE',
  'AUTHORISED',
  'CAPTURED',
  'DECLINED',
  'VOIDING',
  'VOIDED',
  'REVIEW',
]

const ANY = { value: '', label: 'Any' }
export const STATE_OPTIONS = [ANY, ...STATES.map((state) => ({ value: state, label: sentenceCase(state) }))]
export const REASON_OPTIONS = [ANY, ...Object.entries(REASONS).map(([value, label]) => ({ value, label }))]

// ---- Filters

const NAMES = [
  'from',
  'to',
  'state',
  'customerId',
  'minAmount',
  'maxAmount',
  'currency',
  'reason',
  'lastFour',
  'paymentMethodId',
] as const satisfies (keyof DepositQuery)[]
export type DepositFilters = Record<(typeof NAMES)[number], string>

/** Unknown values stay: the server explains what is wrong with them. */
export function depositFiltersOf(query: URLSearchParams): DepositFilters {
  return Object.fromEntries(NAMES.map((name) => [name, (query.get(name) ?? '').trim()])) as DepositFilters
}

/** With its question mark; '' without filters. */
function depositQuery(filters: Partial<DepositFilters>): string {
  const given = Object.entries(filters)
    .map(([name, value]) => [name, value.trim()])
    .filter(([, value]) => value !== '')
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}

export function depositsLink(filters: Partial<DepositFilters>): string {
  return linkTo('deposits') + depositQuery(filters)
}

// ---- Totals

const money = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** The money of these is, or will be, the customer's. */
const DEPOSITED: readonly Deposit['state'][] = ['AUTHORISED', 'CAPTURED']

/** "60.00 GBP deposited", by currency. In whole pennies: sums of decimal fractions would be off. */
export function totalsText(items: readonly Pick<Deposit, 'amount' | 'currency' | 'state'>[]): string {
  const pennies = new Map<string, number>()
  for (const { amount, currency, state } of items) {
    if (!DEPOSITED.includes(state)) continue
    pennies.set(currency, (pennies.get(currency) ?? 0) + Math.round(Number(amount) * 100))
  }
  if (pennies.size === 0) return 'nothing deposited'
  return `${[...pennies].map(([currency, sum]) => `${money.format(sum / 100)} ${currency}`).join(', ')} deposited`
}
