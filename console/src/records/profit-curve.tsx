import { useId } from 'react'
import type { RecordCharts } from '../../../src/operator/api-types.ts'
import { stepOf } from '../../../web/ticks.ts'
import chartStyles from '../parts/chart.module.css'
import { dayText } from '../parts/dates.ts'
import { type Scale, scaleOf } from './figure-bars.tsx'
import styles from './profit-curve.module.css'
import { signed, signedNumber, tipCount } from './texts.ts'

type Day = RecordCharts['days'][number]
/** A day with its position in the picture. */
type Point = { x: number; profit: number; low: number; high: number }

const WIDTH = 1000
const HEIGHT = 100
const DAY_MS = 86_400_000
const MAX_TICKS = 7

/** The profit as it grew, with its interval as a band around it. A table contains the same numbers. */
export function ProfitCurve({ days }: { days: readonly Day[] }) {
  const id = useId()
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return null
  const points = pointsOf(days)
  const scale = scaleOf(points.flatMap(({ low, high, profit }) => [low, high, profit]))
  const ticks = ticksOf(scale)
  return (
    <figure className={chartStyles.chart}>
      <figcaption>
        <h2>Profit by day of settlement</h2>
        <p>
          <strong className={chartStyles.total}>{signed(last.profit)}</strong>{' '}
          <span className="quiet">points after {tipCount(last.num)} that won or lost</span>
        </p>
      </figcaption>
      <div className={styles.curve}>
        <svg aria-hidden="true">
          {ticks.map((tick) => (
            <text key={tick} x="100%" y={`${yOf(scale, tick)}%`}>
              {signedNumber(tick)}
            </text>
          ))}
        </svg>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-labelledby={`${id}-t ${id}-d`}
        >
          <title id={`${id}-t`}>Profit by day of settlement</title>
          <desc id={`${id}-d`}>{describe(days, first, last)}</desc>
          {ticks.map((tick) => (
            <line
              key={tick}
              className={tick === 0 ? `${chartStyles.axis} ${styles.zero}` : chartStyles.axis}
              x1="0"
              x2={WIDTH}
              y1={yOf(scale, tick)}
              y2={yOf(scale, tick)}
            />
          ))}
          <Shapes points={points} scale={scale} />
          <Columns days={days} points={points} />
        </svg>
      </div>
      <p className={`${chartStyles.axisLabels} quiet`} aria-hidden="true">
        <span>{dayText(dayBefore(first.date))}</span>
        <span>{dayText(last.date)}</span>
      </p>
      <Legend />
      <details>
        <summary>
          Show as table<span className="hidden-text">: Profit by day of settlement</span>
        </summary>
        <CurveTable days={days} />
      </details>
    </figure>
  )
}

function dayBefore(date: string): string {
  return new Date(Date.parse(date) - DAY_MS).toISOString().slice(0, 10)
}

/** From 0 on the day before the first one, in proportion to time. */
function pointsOf(days: readonly Day[]): Point[] {
  const times = days.map(({ date }) => Date.parse(date))
  const start = (times[0] as number) - DAY_MS
  const span = (times.at(-1) as number) - start
  return [
    { x: 0, profit: 0, low: 0, high: 0 },
    ...days.map(({ profit, low, high }, index) => ({
      x: (((times[index] as number) - start) / span) * WIDTH,
      profit: Number(profit),
      low: Number(low),
      high: Number(high),
    })),
  ]
}

function yOf({ low, high }: Scale, value: number): number {
  return ((high - value) / (high - low)) * HEIGHT
}

/** 0 is one of them. */
function ticksOf({ low, high }: Scale): number[] {
  const step = stepOf(high - low, MAX_TICKS)
  const from = Math.ceil(low / step)
  return Array.from({ length: Math.floor(high / step) - from + 1 }, (_, index) => (from + index) * step)
}

function Shapes({ points, scale }: { points: readonly Point[]; scale: Scale }) {
  const line = (value: (point: Point) => number, from = points) =>
    from.map((point) => `${point.x.toFixed(2)},${yOf(scale, value(point)).toFixed(2)}`).join(' ')
  const last = points.at(-1) as Point
  return (
    <>
      <polygon
        className={styles.curveBand}
        points={`${line(({ high }) => high)} ${line(({ low }) => low, points.toReversed())}`}
      />
      <polyline className={styles.curveLine} points={line(({ profit }) => profit)} />
      {/* A line without a length and with round ends: a circle would be stretched with the picture. */}
      <path className={styles.curveEnd} d={`M${last.x} ${yOf(scale, last.profit)}h0`} />
    </>
  )
}

/** The tooltip of a day is wherever it is the nearest day. */
function Columns({ days, points }: { days: readonly Day[]; points: readonly Point[] }) {
  const middle = (index: number) => ((points[index]?.x ?? WIDTH) + (points[index + 1]?.x ?? WIDTH)) / 2
  return days.map((day, index) => (
    <rect
      key={day.date}
      className={chartStyles.column}
      x={middle(index)}
      y="0"
      width={middle(index + 1) - middle(index)}
      height={HEIGHT}
    >
      <title>
        {`${dayText(day.date)}: ${signed(day.profit)} points after ${tipCount(day.num)}, ` +
          `interval ${signed(day.low)} to ${signed(day.high)}`}
      </title>
    </rect>
  ))
}

function Legend() {
  return (
    <ul className={chartStyles.legend}>
      <li>
        <svg viewBox="0 0 10 10" aria-hidden="true">
          <rect className={styles.curveKey} y="4" width="10" height="3" />
        </svg>
        Profit in points, with 1 point on each tip
      </li>
      <li>
        <svg viewBox="0 0 10 10" aria-hidden="true">
          <rect className={styles.curveBand} width="10" height="10" />
        </svg>
        90% interval: while it contains 0, luck alone may explain the profit or loss
      </li>
    </ul>
  )
}

function CurveTable({ days }: { days: readonly Day[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Day (UTC)</th>
          {['Tips', 'Profit', 'Low', 'High'].map((column) => (
            <th key={column} scope="col" className="number">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.map(({ date, num, profit, low, high }) => (
          <tr key={date}>
            <th scope="row">{date}</th>
            <td className="number">{num}</td>
            <td className="number">{signed(profit)}</td>
            <td className="number">{signed(low)}</td>
            <td className="number">{signed(high)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function describe(days: readonly Day[], first: Day, last: Day): string {
  const byProfit = days.toSorted((one, other) => Number(one.profit) - Number(other.profit))
  const [lowest, highest] = [byProfit[0] ?? first, byProfit.at(-1) ?? last]
  return (
    `${signed(last.profit)} points from ${first.date} to ${last.date}, interval ${signed(last.low)} to ${signed(last.high)}; ` +
    `lowest ${signed(lowest.profit)} on ${lowest.date}, highest ${signed(highest.profit)} on ${highest.date}.`
  )
}
