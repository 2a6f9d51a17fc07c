import type { RecordCharts } from '../../../src/operator/api-types.ts'
import styles from './figures.module.css'
import { daysText, perCent, signed } from './texts.ts'

type Record = RecordCharts['record']
type Figure = { name: string; value: string; meaning: string }

/** The figures of a record, each with what it means. */
export function RecordFigures({ record }: { record: Record }) {
  return (
    <dl className={styles.figures}>
      {[...results(record), ...prices(record), ...sample(record)].map(({ name, value, meaning }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <strong>{value}</strong>
          </dd>
          <dd className="hint">{meaning}</dd>
        </div>
      ))}
    </dl>
  )
}

function results({ profit, staked, strikeRate, numWon, numLost, ...record }: Record): Figure[] {
  const { yield: mean, yieldLow = '', yieldHigh = '' } = record
  return [
    { name: 'Profit', value: `${signed(profit)} points`, meaning: `Return minus stake, of ${staked} points staked.` },
    mean === undefined
      ? { name: 'Yield', value: 'none', meaning: 'Nothing was staked.' }
      : {
          name: 'Yield',
          value: perCent(mean),
          meaning: `Profit / staked. 90% interval: ${perCent(yieldLow)} to ${perCent(yieldHigh)}.`,
        },
    {
      name: 'Strike rate',
      value: strikeRate === undefined ? 'none' : `${strikeRate}%`,
      meaning: `${numWon} won, ${numLost} lost. Won: with a profit.`,
    },
  ]
}

function prices({ averageOdds, closing }: Record): Figure[] {
  return [
    {
      name: 'Average odds',
      value: averageOdds ?? 'none',
      meaning: 'Decimal. The lower of the bet’s and the catalogue’s price when the tip was made.',
    },
    closing === undefined
      ? { name: 'Closing value', value: 'none', meaning: 'No tip with a closing price.' }
      : {
          name: 'Closing value',
          value: perCent(closing.average),
          meaning: `Price / closing price − 1, mean of ${closing.num} tips; ${closing.beaten} were above 0. Not used for ranks.`,
        },
  ]
}

function sample({ streak, longestLosing = 0, ...record }: Record): Figure[] {
  const { numSettled, numVoid, numOpen, numWithdrawn } = record
  return [
    {
      name: 'Settled tips',
      value: String(numSettled),
      meaning: `${daysText(record)}. ${numVoid}\u00a0void, ${numOpen}\u00a0open.`,
    },
    {
      name: 'Withdrawn or removed',
      value: String(numWithdrawn),
      meaning: 'Withdrawn by the author or removed by a moderator. They stay in all figures.',
    },
    streak === undefined
      ? { name: 'Streak', value: 'none', meaning: 'No tip won or lost.' }
      : {
          name: 'Streak',
          value: `${streak.length} ${streak.type === 'W' ? 'won' : 'lost'}`,
          meaning: `Longest losing streak: ${longestLosing}.`,
        },
  ]
}
