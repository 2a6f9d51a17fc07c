// Numbers as text: "1,234", "1,234.50". What is typed or copied has no separators.

const count = new Intl.NumberFormat('en-GB')
const money = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

export const countText = (value: number): string => count.format(value)
export const moneyText = (value: number): string => money.format(value)

/** Formats an amount of an answer: "1234.50". '' stays empty. */
export const amountText = (amount: string): string => (amount === '' ? '' : money.format(Number(amount)))
