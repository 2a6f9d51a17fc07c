import type { RecordFigures } from '../answers.ts'
import { signed } from '../words.ts'
import styles from './record-figures.module.css'

export function Figures({ record }: { record: RecordFigures }) {
  const { profit, yield: yielded, yieldLow, yieldHigh, strikeRate, averageOdds, numWon, numLost, numVoid } = record
  const interval = yieldLow === undefined ? '' : `${signed(yieldLow, 1)} to ${signed(yieldHigh ?? 0, 1)} %`
  const figures: readonly (readonly [string, string, string])[] = [
    ['Profit', signed(profit), 'points, one on each tip'],
    ['Yield', yielded === undefined ? '–' : `${signed(yielded, 1)} %`, interval],
    ['Won', strikeRate === undefined ? '–' : `${Number(strikeRate).toFixed(0)} %`, `${numWon} of ${numWon + numLost}`],
    [
      'Odds',
      averageOdds === undefined ? '–' : Number(averageOdds).toFixed(2),
      numVoid > 0 ? `${numVoid} void` : 'on average',
    ],
  ]
  return (
    <dl className={styles.figures}>
      {figures.map(([label, value, note]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <strong className={value.startsWith('−') ? 'bad' : value.startsWith('+') ? 'good' : ''}>{value}</strong>
            <span className="quiet">{note}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}
