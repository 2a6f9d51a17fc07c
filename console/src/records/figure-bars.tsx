// Bars in the cells of tables, on one scale for all rows. The figures are beside them as text: the bars are hidden from
// screen readers. Positions are in per cent of the cell's width, so that dots stay round at every width.

import styles from './figure-bars.module.css'
import { type Figures, perCent, signed } from './texts.ts'

export type Scale = { low: number; high: number }

/** From the lowest to the highest value, with 0, and some room for dots at the ends. */
export function scaleOf(values: readonly number[]): Scale {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)]
  const room = (high - low || 1) * 0.04
  return { low: low - room, high: high + room }
}

export function yieldScale(records: readonly Figures[]): Scale {
  return scaleOf(
    records.flatMap(({ yieldLow, yieldHigh }) => (yieldLow === undefined ? [] : [Number(yieldLow), Number(yieldHigh)])),
  )
}

function placeOn({ low, high }: Scale, value: number): string {
  return `${((value - low) / (high - low)) * 100}%`
}

/** The yield as a dot on its interval. */
export function YieldBar({ record, scale }: { record: Figures; scale: Scale }) {
  const { yield: mean, yieldLow, yieldHigh } = record
  if (mean === undefined || yieldLow === undefined || yieldHigh === undefined) {
    return <span className="quiet">none</span>
  }
  const at = (figure: string) => placeOn(scale, Number(figure))
  return (
    <span className={styles.figureBar}>
      <span>
        <strong>{perCent(mean)}</strong>{' '}
        <span className="quiet">
          {perCent(yieldLow)} to {perCent(yieldHigh)}
        </span>
      </span>
      <svg className={lookOf(Number(yieldLow), Number(yieldHigh))} aria-hidden="true">
        <line className={styles.zero} x1={placeOn(scale, 0)} x2={placeOn(scale, 0)} y1="0" y2="100%" />
        <line className={styles.interval} x1={at(yieldLow)} x2={at(yieldHigh)} y1="50%" y2="50%" />
        <circle cx={at(mean)} cy="50%" r="6" />
      </svg>
    </span>
  )
}

/** Profit as a bar to the right of 0, or a loss to the left of it. */
export function ProfitBar({ profit, scale }: { profit: string; scale: Scale }) {
  const value = Number(profit)
  const zero = placeOn(scale, 0)
  return (
    <span className={styles.figureBar}>
      <strong>{signed(profit)}</strong>
      <svg className={lookOf(value, value)} aria-hidden="true">
        <line className={styles.profit} x1={zero} x2={placeOn(scale, value)} y1="50%" y2="50%" />
        <line className={styles.zero} x1={zero} x2={zero} y1="0" y2="100%" />
      </svg>
    </span>
  )
}

function lookOf(low: number, high: number): string | undefined {
  if (low > 0) return styles.above
  return high < 0 ? styles.below : undefined
}
