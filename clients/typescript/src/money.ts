// Amounts are decimal texts (`12.50`), which a JavaScript number cannot hold exactly. These helpers compute in whole numbers.

type Amount = string | number

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/

function partsOf(amount: Amount): { sign: bigint; whole: string; decimals: string } {
  const [, sign, whole = '', decimals = ''] = DECIMAL.exec(String(amount)) ?? []
  if (whole === '') throw new TypeError(`${amount} is not an amount: write it like 12.50`)
  return { sign: sign === '-' ? -1n : 1n, whole, decimals }
}

/** With at least two decimals: `money(5)` is `5.00`. */
export function money(amount: Amount): string {
  return add(amount)
}

function add(...amounts: Amount[]): string {
  const parts = amounts.map(partsOf)
  const places = Math.max(2, ...parts.map(({ decimals }) => decimals.length))
  const sum = parts.reduce(
    (total, { sign, whole, decimals }) => total + sign * BigInt(whole + decimals.padEnd(places, '0')),
    0n,
  )
  const digits = String(sum < 0n ? -sum : sum).padStart(places + 1, '0')
  return `${sum < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`
}

/** The exact sum: `money.add('0.10', '0.20')` is `0.30`. */
money.add = add

/** Negative, zero or positive, for sorting. */
money.compare = (one: Amount, other: Amount): number => {
  const negative = add(other).replace(/^-?/, (sign) => (sign === '' ? '-' : ''))
  const difference = add(one, negative)
  return difference.startsWith('-') ? -1 : /[1-9]/.test(difference) ? 1 : 0
}

/** As a customer reads it: `money.format('1234.5', 'GBP', 'en-GB')` is `£1,234.50`. Without a locale: that of the machine. */
money.format = (amount: Amount, currency: string, locale?: string): string => {
  // Since ES2023 it takes decimal texts, exactly.
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(money(amount) as `${number}`)
}
