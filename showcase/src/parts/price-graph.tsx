import { useId } from 'react'
import { useTicking } from '../../../web/clock.ts'
import { stepOf } from '../../../web/ticks.ts'
import { clockText } from '../words.ts'
import styles from './price-graph.module.css'

/** `chance`: implied by the price, in per cent; null: there was no price. */
export type Point = { readonly at: number; readonly chance: number | null }
export type Series = { readonly id: number; readonly name: string; readonly points: readonly Point[] }

const WIDTH = 600
const HEIGHT = 200
const LEFT = 44
const RIGHT = 12
const BOTTOM = 26
const TOP = 8
const MAX_TICKS = 4
const MINUTE_MS = 60_000

const COLOURS = [styles.first, styles.second, styles.third, styles.fourth, styles.fifth, styles.sixth]

/** The colour of the line and of what stands for it elsewhere. */
export const colourOf = (index: number): string => COLOURS[index % COLOURS.length] ?? ''

type GraphProps = {
  label: string
  series: readonly Series[] /** undefined: until now, as it passes. */
  end?: number | undefined
}

/** The prices of a market as chances, from the first that is known: a step where one changed. */
export function PriceGraph({ label, series, end }: GraphProps) {
  const id = useId()
  const now = useTicking((time) => end ?? Math.floor(time / MINUTE_MS) * MINUTE_MS)
  const times = series.flatMap(({ points }) => points.map(({ at }) => at))
  if (times.length === 0) return null
  const [from, to] = [Math.min(...times), Math.max(now, ...times)]
  const scale = scaleOf(series.flatMap(({ points }) => points.flatMap(({ chance }) => chance ?? [])))
  const x = (at: number) => LEFT + (to === from ? 0 : (at - from) / (to - from)) * (WIDTH - LEFT - RIGHT)
  const y = (chance: number) => TOP + ((scale.high - chance) / (scale.high - scale.low)) * (HEIGHT - BOTTOM - TOP)
  return (
    <svg className={styles.graph} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={id}>
      <title id={id}>{`${label}: ${series.map(spoken).join('; ')}`}</title>
      {scale.ticks.map((tick) => (
        <g key={tick}>
          <line x1={LEFT} x2={WIDTH} y1={y(tick)} y2={y(tick)} />
          <text x={LEFT - 6} y={y(tick) + 4} textAnchor="end">{`${tick} %`}</text>
        </g>
      ))}
      <text x={LEFT} y={HEIGHT - 4}>
        {clockText(new Date(from))}
      </text>
      <text x={WIDTH - RIGHT} y={HEIGHT - 4} textAnchor="end">
        {end === undefined ? 'now' : clockText(new Date(to))}
      </text>
      {series.map(({ id: key, points }, index) => (
        <g key={key} className={colourOf(index)}>
          <path d={stepsOf(points, { x, y, to })} />
          <End points={points} x={x(to)} y={y} />
        </g>
      ))}
    </svg>
  )
}

function End({ points, x, y }: { points: readonly Point[]; x: number; y(chance: number): number }) {
  const chance = points.at(-1)?.chance ?? null
  return chance === null ? null : <circle cx={x} cy={y(chance)} r="5" />
}

type Axes = { x(at: number): number; y(chance: number): number; to: number }

/** Level until the next change. Broken where there was no price. */
function stepsOf(points: readonly Point[], { x, y, to }: Axes): string {
  let path = ''
  for (const [index, { at, chance }] of points.entries()) {
    if (chance === null) continue
    const isJoined = (points[index - 1]?.chance ?? null) !== null
    path += isJoined ? `V${y(chance)}` : `M${x(at)} ${y(chance)}`
    path += `H${x(points[index + 1]?.at ?? to)}`
  }
  return path
}

function spoken({ name, points }: Series): string {
  const [first, last] = [points[0]?.chance ?? null, points.at(-1)?.chance ?? null]
  if (first === null || last === null) return `${name} without a price`
  return first === last ? `${name} ${first.toFixed(0)} %` : `${name} from ${first.toFixed(0)} % to ${last.toFixed(0)} %`
}

/** From a tick to a tick, 10 points at least, so that a small move looks small. */
function scaleOf(chances: readonly number[]) {
  const [least, most] = [Math.min(...chances, 100), Math.max(...chances, 0)]
  const step = Math.max(5, stepOf(Math.max(most - least, 10), MAX_TICKS))
  const from = Math.max(0, Math.floor(least / step))
  const to = Math.max(from + 1, Math.ceil(most / step))
  const ticks = Array.from({ length: to - from + 1 }, (_, index) => (from + index) * step)
  return { low: from * step, high: to * step, ticks }
}
