const WITHOUT_DECIMALS = new Set('CVE DJF GNF IDR JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' '))
const THREE_DECIMALS = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '))

/** Our two decimals in Adyen's minor units of the currency; null where the amount has no such form. */
export function adyenUnits(amount: bigint, currency: string): number | null {
  if (THREE_DECIMALS.has(currency)) return exact(amount * 10n)
  if (!WITHOUT_DECIMALS.has(currency)) return exact(amount)
  return amount % 100n === 0n ? exact(amount / 100n) : null
}

/** Adyen's minor units in our two decimals; null where the amount has no such form. */
export function fromAdyenUnits(value: unknown, currency: string): bigint | null {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) return null
  if (WITHOUT_DECIMALS.has(currency)) return BigInt(value) * 100n
  if (!THREE_DECIMALS.has(currency)) return BigInt(value)
  return value % 10 === 0 ? BigInt(value) / 10n : null
}

/** Adyen's amounts are JSON numbers: only whole ones that a double holds exactly. */
function exact(value: bigint): number | null {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : null
}
