// The lines of a statement in words for its customer.

/** By the types of the API. */
const TITLES: Readonly<Record<string, string>> = {
  deposit: 'Deposit',
  'deposit-reversed': 'Deposit taken back by your bank',
  'capture-short': 'Deposit of which your bank paid less',
  stake: 'Stake',
  winnings: 'Winnings',
  void: 'Stake returned',
  adjustment: 'Adjustment',
  refund: 'Refund to your card',
  'refund-failed': 'Refund that came back',
  chargeback: 'Taken back by your bank',
  'chargeback-reversed': 'Returned by your bank',
  withdrawal: 'Withdrawal',
  'part-back': 'Withdrawal that was not paid',
  'return-back': 'Withdrawal that came back',
  'payout-back': 'Withdrawal that came back',
  'outside-back': 'Withdrawal that came back',
  'part-again': 'Withdrawal, paid after all',
  'withdrawal-returned': 'Withdrawal that was not paid',
  'withdrawal-resumed': 'Withdrawal, paid after all',
  'payout-reversed': 'Withdrawal that came back',
  'debt-payment': 'Paid off what you owed',
  'written-off-repaid': 'Returned to us: we had written it off',
  'erased-credit': 'Kept by us: the account was erased',
}

export const lineTitle = (type: string): string => TITLES[type] ?? type

/** +£20.00 or −£5.00, with a true minus sign. */
export function signedPounds(amount: string): string {
  return amount.startsWith('-') ? `−£${amount.slice(1)}` : `+£${amount}`
}

/** What a debt makes negative: net deposits. */
export const pounds = (amount: string): string => (amount.startsWith('-') ? signedPounds(amount) : `£${amount}`)

export const PERIODS = [
  { value: 'month', label: 'This month' },
  { value: 'quarter', label: '3 months' },
  { value: 'year', label: '1 year' },
] as const
export type Period = (typeof PERIODS)[number]['value']

/** The first UTC day; undefined: what the service answers without one, three months. */
export function firstDay(period: Period, now = new Date()): string | undefined {
  if (period === 'quarter') return undefined
  const isMonth = period === 'month'
  const first = isMonth
    ? Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)
    : Date.UTC(now.getUTCFullYear() - 1, now.getUTCMonth(), now.getUTCDate())
  return new Date(first).toISOString().slice(0, 10)
}
