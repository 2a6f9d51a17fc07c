// The amounts and the periods of a statement.

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
