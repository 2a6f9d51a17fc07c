// Money is text outside and whole minor units (BigInt) inside, never a float. Every currency is written with two
// decimals, as in the contract.

/** undefined: not digits with at most two decimals. */
export function parseMoney(text: string): bigint | undefined {
  const parts = /^([0-9]+)(?:\.([0-9]{1,2}))?$/.exec(text)
  if (parts === null) return undefined
  return BigInt(parts[1] as string) * 100n + BigInt((parts[2] ?? '').padEnd(2, '0'))
}

export function formatMoney(minorUnits: bigint): string {
  const sign = minorUnits < 0n ? '-' : ''
  const digits = `${minorUnits < 0n ? -minorUnits : minorUnits}`.padStart(3, '0')
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
