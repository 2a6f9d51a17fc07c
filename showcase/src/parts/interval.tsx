// The interval in which a yield lies, as a line on a scale that several records share.

import { signed } from '../words.ts'
import styles from './interval.module.css'

type Figures = {
  readonly yield?: string | undefined
  readonly yieldLow?: string | undefined
  readonly yieldHigh?: string | undefined
}
export type Scale = { readonly low: number; readonly high: number }

/** From the lowest end to the highest one, with 0. */
export function scaleOf(records: readonly Figures[]): Scale {
  const ends = records.flatMap(({ yieldLow, yieldHigh }) => [Number(yieldLow ?? 0), Number(yieldHigh ?? 0)])
  return { low: Math.min(0, ...ends), high: Math.max(0, ...ends) }
}

export function Interval({ record, scale: { low, high } }: { record: Figures; scale: Scale }) {
  const { yield: middle, yieldLow, yieldHigh } = record
  if (middle === undefined || yieldLow === undefined || yieldHigh === undefined || low === high) return null
  const at = (value: string | number) => `${((Number(value) - low) / (high - low)) * 100}%`
  const width = `${((Number(yieldHigh) - Number(yieldLow)) / (high - low)) * 100}%`
  const text = `Yield ${signed(middle, 1)} %, likely ${signed(yieldLow, 1)} to ${signed(yieldHigh, 1)} %`
  return (
    <span className={styles.interval} role="img" aria-label={text} title={text}>
      <span className={styles.zero} style={{ left: at(0) }} />
      <span
        className={`${styles.line} ${Number(yieldLow) > 0 ? styles.sure : ''}`}
        style={{ left: at(yieldLow), width }}
      />
      <span className={styles.dot} style={{ left: at(middle) }} />
    </span>
  )
}
