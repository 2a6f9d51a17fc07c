import type { LivePrice } from './event-shapes.ts'

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
