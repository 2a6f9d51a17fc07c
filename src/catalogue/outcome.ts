import type { LivePrice } from './event-shapes.ts'
import type { OutcomeColumns } from './event-store.ts'

export function outcomeStatus(row: OutcomeColumns): string {
  return row.outcome_status === 'active' ? 'A' : 'S'
}

/** I while event, market or outcome is suspended, and for ever once settled. */
export function displayStatus(row: OutcomeColumns): string {
  return isOpen(row) ? 'A' : 'I'
}

type OutcomeState = Pick<OutcomeColumns, 'event_status' | 'market_status' | 'outcome_status' | 'settled_at' | 'result'>

/** Neither suspended at any level nor settled. */
export function isOpen({ event_status, market_status, outcome_status, settled_at, result }: OutcomeState): boolean {
  const active = [event_status, market_status, outcome_status].every((status) => status === 'active')
  return active && settled_at === null && result === null
}

/** The same odds in every notation. `num` and `den` are positive. */
export function livePrice(num: number, den: number): LivePrice {
  return {
    priceNum: num,
    priceDen: den,
    priceFrac: `${num}/${den}`,
    priceDec: decimalOdds(num, den),
    priceUS: num >= den ? Math.round((100 * num) / den) : -Math.round((100 * den) / num),
  }
}

/** 1 + num/den with two decimals, halves up. In whole numbers: 1/40 is 1.025 and must not become 1.02. */
function decimalOdds(num: number, den: number): string {
  const [n, d] = [BigInt(num), BigInt(den)]
  const hundredths = (200n * (n + d) + d) / (2n * d)
  return `${hundredths / 100n}.${`${hundredths % 100n}`.padStart(2, '0')}`
}
