// The filters of deposits as the address holds them and the API takes them.

import type { Deposit, DepositQuery } from '../../../src/operator/api-types.ts'
import { linkTo } from '../../../web/route.ts'
import { DEPOSIT_REASONS, DEPOSIT_STATES } from '../../../web/words/deposits.ts'
import type { FilterField } from '../parts/filter-bar.tsx'
import { moneyText } from '../parts/numbers.ts'
import { sentenceCase } from '../parts/sentence-case.ts'

const ANY = { value: '', label: 'Any' }
const optionsOf = (words: Readonly<Record<string, string>>) => [
  ANY,
  ...Object.entries(words).map(([value, label]) => ({ value, label: sentenceCase(label) })),
]

export const DEPOSIT_FILTERS: readonly FilterField<keyof DepositFilters>[] = [
  { name: 'from', label: 'From', type: 'date' },
  { name: 'to', label: 'To', type: 'date' },
  { name: 'state', label: 'State', options: optionsOf(DEPOSIT_STATES) },
  { name: 'customerId', label: 'Customer ID', inputMode: 'numeric' },
  { name: 'minAmount', label: 'Lowest amount', inputMode: 'decimal' },
  { name: 'maxAmount', label: 'Highest amount', inputMode: 'decimal' },
  { name: 'currency', label: 'Currency', maxLength: 3 },
  { name: 'reason', label: 'Reason', options: optionsOf(DEPOSIT_REASONS) },
  { name: 'lastFour', label: 'Card, last four digits', inputMode: 'numeric', maxLength: 4 },
  { name: 'paymentMethodId', label: 'Payment method ID', inputMode: 'numeric' },
]

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
  return `${[...pennies].map(([currency, sum]) => `${moneyText(sum / 100)} ${currency}`).join(', ')} deposited`
}
