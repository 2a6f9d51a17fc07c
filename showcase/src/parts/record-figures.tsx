import { utcDayText } from '../../../web/relative-time.ts'
import type { RecordFigures } from '../answers.ts'
import { OddsText } from '../odds.tsx'
import { pointsText } from '../settlement-words.ts'
import { counted, signed } from '../words.ts'
import styles from './record-figures.module.css'

export function Figures({ record }: { record: RecordFigures }) {
  const {
    profit,
    staked,
    yield: yielded,
    yieldLow,
    yieldHigh,
    strikeRate,
    averageOdds,
    numWon,
    numLost,
    numVoid,
  } = record
  const interval = yieldLow === undefined ? '' : `likely ${signed(yieldLow, 1)} to ${signed(yieldHigh ?? 0, 1)} %`
  return (
    <>
      <dl className={styles.figures}>
        <Figure label="Profit" value={signed(profit)} note={`points from ${pointsText(staked)} staked`} />
        <Figure label="Yield" value={yielded === undefined ? '–' : `${signed(yielded, 1)} %`} note={interval} />
        <Figure
          label="Won"
          value={strikeRate === undefined ? '–' : `${Number(strikeRate).toFixed(0)} %`}
          note={`${numWon} of ${counted(numWon + numLost, 'tip')} made a profit${numVoid > 0 ? `, ${numVoid} void` : ''}`}
        />
        <div>
          <dt>Odds</dt>
          <dd>
            <strong>{averageOdds === undefined ? '–' : <OddsText odds={{ priceDec: averageOdds }} />}</strong>
            <span className="quiet">on average</span>
          </dd>
        </div>
      </dl>
      <Caveats record={record} />
    </>
  )
}

function Figure({ label, value, note }: { label: string; value: string; note: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <strong className={value.startsWith('−') ? 'bad' : value.startsWith('+') ? 'good' : ''}>{value}</strong>
        <span className="quiet">{note}</span>
      </dd>
    </div>
  )
}

/** The least that a ranking of 7 or 30 days requires. */
const SMALL_SAMPLE = 20

/** What the figures do not show by themselves. */
function Caveats({ record }: { record: RecordFigures }) {
  const { numSettled, numWon, numLost, numWithdrawn, from, to } = record
  const numCounted = numWon + numLost
  return (
    <ul className={styles.caveats}>
      {numCounted > 0 && numCounted < SMALL_SAMPLE && (
        <li className={styles.warning}>
          <strong>Small sample.</strong> {counted(numCounted, 'tip')} that won or lost: luck may be all of it.
        </li>
      )}
      {numWithdrawn > 0 && (
        <li className={styles.warning}>
          <strong>
            {numWithdrawn} of {counted(numSettled, 'settled tip')} {numWithdrawn === 1 ? 'was' : 'were'} withdrawn.
          </strong>{' '}
          They count in every figure.
        </li>
      )}
      {from !== undefined && to !== undefined && (
        <li className="quiet">
          {counted(numSettled, 'tip')} settled {period(from, to)} (days in UTC), losers included.
        </li>
      )}
    </ul>
  )
}

function period(from: Date, to: Date): string {
  const [first, last] = [utcDayText(from), utcDayText(to)]
  return first === last ? `on ${first}` : `from ${first} to ${last}`
}
