import { useId } from 'react'
import { utcDayText } from '../../../web/relative-time.ts'
import { stepOf } from '../../../web/ticks.ts'
import type { RecordTip } from '../answers.ts'
import { counted, signed } from '../words.ts'
import styles from './profit-curve.module.css'

type Point = { readonly day: Date; readonly profit: number }
/** `left`: the labels are left of it. */
type Scale = { readonly low: number; readonly high: number; readonly ticks: readonly number[]; readonly left: number }

const WIDTH = 600
const HEIGHT = 250
/** Half of a line of text, beside the highest and the lowest tick. */
const TOP = 14
const BOTTOM = 44
/** The dot at the end of the line, with its edge. */
const DOT = 6
/** The height of a letter on a phone, where letters are largest in units of the picture. */
const LETTER = 16
const MAX_TICKS = 5

/** The profit as it grew, day by day, from 0. `numSettled`: of all tips, of which these are the newest. */
export function ProfitCurve({ tips, numSettled }: { tips: readonly RecordTip[]; numSettled: number }) {
  const id = useId()
  const points = pointsOf(tips)
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return null
  const scale = scaleOf(points.map(({ profit }) => profit))
  return (
    <figure className={styles.curve}>
      <figcaption>
        <h2>Profit</h2>
        <p className="quiet">
          {tips.length < numSettled ? `the newest ${tips.length} of ` : ''}
          {counted(numSettled, 'settled tip')}, in points
        </p>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={`${id}-title`}>
        <title id={`${id}-title`}>
          {`${signed(last.profit)} points from ${utcDayText(first.day)} to ${utcDayText(last.day)}; ` +
            `lowest ${signed(least(points))}, highest ${signed(greatest(points))}.`}
        </title>
        <Axes scale={scale} first={first} last={last} />
        <Line points={points} scale={scale} gradient={`${id}-g`} />
      </svg>
    </figure>
  )
}

const least = (points: readonly Point[]) => Math.min(...points.map(({ profit }) => profit))
const greatest = (points: readonly Point[]) => Math.max(...points.map(({ profit }) => profit))

function pointsOf(tips: readonly RecordTip[]): Point[] {
  const points: Point[] = []
  let profit = 0
  for (const tip of tips.toReversed()) {
    profit += Number(tip.profit)
    const before = points.at(-1)
    if (before?.day.getTime() === tip.settled.getTime()) points.pop()
    points.push({ day: tip.settled, profit })
  }
  return points
}

/** From a tick to a tick. 0 is one of them. */
function scaleOf(values: readonly number[]): Scale {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)]
  const step = stepOf(Math.max(high - low, 1), MAX_TICKS)
  const [from, to] = [Math.floor(low / step), Math.max(Math.ceil(high / step), Math.floor(low / step) + 1)]
  const ticks = Array.from({ length: to - from + 1 }, (_, index) => (from + index) * step)
  const longest = Math.max(...ticks.map((tick) => tickText(tick).length))
  return { low: from * step, high: to * step, ticks, left: 8 + LETTER * longest }
}

const tickText = (tick: number) => (tick === 0 ? '0' : signed(tick, Number.isInteger(tick) ? 0 : 1))

const yOf = ({ low, high }: Scale, value: number) => TOP + ((high - value) / (high - low)) * (HEIGHT - BOTTOM - TOP)

function Axes({ scale, first, last }: { scale: Scale; first: Point; last: Point }) {
  return (
    <g>
      {scale.ticks.map((tick) => (
        <g key={tick}>
          <line
            className={tick === 0 ? styles.zero : ''}
            x1={scale.left}
            x2={WIDTH}
            y1={yOf(scale, tick)}
            y2={yOf(scale, tick)}
          />
          <text x={scale.left - 8} y={yOf(scale, tick) + 5} textAnchor="end">
            {tickText(tick)}
          </text>
        </g>
      ))}
      <text x={scale.left} y={HEIGHT - 7}>
        {utcDayText(first.day)}
      </text>
      <text x={WIDTH} y={HEIGHT - 7} textAnchor="end">
        {utcDayText(last.day)}
      </text>
    </g>
  )
}

/** In proportion to time. A record of one day is a line from 0. */
function Line({ points, scale, gradient }: { points: readonly Point[]; scale: Scale; gradient: string }) {
  const [start, end] = [points[0]?.day.getTime() ?? 0, points.at(-1)?.day.getTime() ?? 0]
  const from = scale.left + 12
  const x = (day: Date) => from + (end === start ? 1 : (day.getTime() - start) / (end - start)) * (WIDTH - DOT - from)
  const line = [`${scale.left},${yOf(scale, 0)}`, ...points.map((one) => `${x(one.day)},${yOf(scale, one.profit)}`)]
  const last = points.at(-1) as Point
  const [lastX, zero] = [x(last.day), yOf(scale, 0)]
  return (
    <g className={last.profit < 0 ? styles.loss : styles.gain}>
      <linearGradient id={gradient} x1="0" x2="0" y1="0" y2="1">
        <stop offset="0" className={styles.stopStrong} />
        <stop offset="1" className={styles.stopWeak} />
      </linearGradient>
      <polygon fill={`url(#${gradient})`} points={`${line.join(' ')} ${lastX},${zero}`} />
      <polyline points={line.join(' ')} />
      <circle cx={lastX} cy={yOf(scale, last.profit)} r={DOT - 1} />
    </g>
  )
}
