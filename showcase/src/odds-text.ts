// Prices in each notation. Every price on the screen is written by `oddsText`.

export const ODDS_FORMATS = [
  { value: 'fraction', label: 'Fractions' },
  { value: 'decimal', label: 'Decimals' },
  { value: 'american', label: 'American' },
] as const
export type OddsFormat = (typeof ODDS_FORMATS)[number]['value']

/** An average has no fraction. */
export type Odds = { readonly priceFrac?: string | undefined; readonly priceDec?: string | undefined }

/** SP: a starting price that is not known yet. */
export function oddsText({ priceFrac, priceDec }: Odds, format: OddsFormat): string {
  const [num, den] = priceFrac?.split('/').map(Number) ?? [Math.round((Number(priceDec) - 1) * 100), 100]
  if (num === undefined || den === undefined || Number.isNaN(num / den)) return 'SP'
  if (format === 'american') return americanText(num, den)
  return format === 'fraction' && priceFrac !== undefined ? priceFrac : (priceDec ?? decimalText(num, den))
}

/** In whole numbers, halves up: 1/40 is 1.025 and must not become 1.02. */
function decimalText(num: number, den: number): string {
  return (Math.floor((200 * (num + den) + den) / (2 * den)) / 100).toFixed(2)
}

/** What 100 win, or what must be staked to win 100. */
function americanText(num: number, den: number): string {
  return num >= den ? `+${Math.round((100 * num) / den)}` : `−${Math.round((100 * den) / num)}`
}
