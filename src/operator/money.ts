// Money inside is a whole number of hundredths; on the API it is a decimal string.

/** "12", "12.5" or "12.50", as the schema has checked. */
export function toMinorUnits(amount: string): bigint {
  const [whole = '', fraction = ''] = amount.split('.')
  return BigInt(whole + fraction.padEnd(2, '0'))
}

export function toAmount(minorUnits: bigint): string {
  const digits = minorUnits.toString().padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}
