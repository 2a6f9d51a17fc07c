import { useId } from 'react'
import { stepOf } from '../../../web/ticks.ts'
import chartStyles from '../parts/chart.module.css'
import styles from './day-plot.module.css'

/** One part of each bar; null: there is no value for the day. */
type Layer = { name: string; values: readonly (number | null)[] }

export type Chart = {
  title: string
  days: readonly string[]
  /** One, or several that are stacked in this order. */
  layers: Layer[]
  isStacked?: true
  /** Above the chart. */
  total: string
  /** Beside the total. */
  remark: string
  /** The total beside that of the period before. Absent: there is nothing to compare. */
  change?: { direction: 'up' | 'down' | 'same'; text: string } | undefined
  /** The whole of each day in the period before, which a line shows. Absent: not known. */
  before?: readonly (number | null)[] | undefined
  format: (value: number) => string
  /** Short, beside the axis. */
  formatTick: (value: number) => string
  /** The top of the scale, as 1 of rates; absent: what is highest. */
  top?: number
}

const WIDTH = 480
const HEIGHT = 120
const GAP = 0.25
const MIN_BAR_HEIGHT = 2
const MAX_STEPS = 4
const MAX_DAYS = 4

/** Bars between their axes, and the period before as a line. */
export function DayPlot({ chart }: { chart: Chart }) {
  const { title, days, before } = chart
  const id = useId()
  const ticks = ticksOf(chart)
  const top = ticks.at(-1) as number
  const yOf = (value: number) => HEIGHT - (value / top) * HEIGHT
  return (
    <div className={styles.plot}>
      <svg aria-hidden="true">
        {ticks.map((tick) => (
          <text key={tick} x="100%" y={`${(yOf(tick) / HEIGHT) * 100}%`}>
            {chart.formatTick(tick)}
          </text>
        ))}
      </svg>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={`${id}-t ${id}-d`} preserveAspectRatio="none">
        <title id={`${id}-t`}>{title} per day</title>
        <desc id={`${id}-d`}>{describe(chart)}</desc>
        {ticks.map((tick) => (
          <line key={tick} className={chartStyles.axis} x1="0" x2={WIDTH} y1={yOf(tick)} y2={yOf(tick)} />
        ))}
        <Bars chart={chart} top={top} />
        {before !== undefined && <polyline className={styles.before} points={lineOf(before, days.length, yOf)} />}
      </svg>
      <svg className={styles.days} aria-hidden="true">
        {daysToName(days.length).map((index) => (
          <text key={index} x={`${((index + 0.5) / days.length) * 100}%`} y="50%">
            {shortDay(days[index])}
          </text>
        ))}
      </svg>
    </div>
  )
}

/** From 0. Rates end at 100%, others at the first tick that no bar and no line exceeds. */
function ticksOf({ days, layers, before = [], top }: Chart): number[] {
  const highest = top ?? Math.max(1, ...days.map((_, day) => heightOf(layers, day)), ...before.map((one) => one ?? 0))
  const step = top === undefined ? Math.max(1, stepOf(highest, MAX_STEPS)) : stepOf(top, MAX_STEPS)
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, index) => index * step)
}

/** Through the middle of each day that has a value. */
function lineOf(values: readonly (number | null)[], days: number, yOf: (value: number) => number): string {
  const points = values.flatMap((value, day) =>
    value === null ? [] : [`${((day + 0.5) * WIDTH) / days},${yOf(value).toFixed(2)}`],
  )
  return points.join(' ')
}

/** The first, the last, and some between them at equal distances. */
function daysToName(days: number): number[] {
  const count = Math.min(MAX_DAYS, days)
  return [...new Set(Array.from({ length: count }, (_, index) => Math.round((index * (days - 1)) / (count - 1 || 1))))]
}

function Bars({ chart: { days, layers, isStacked, format, before }, top }: { chart: Chart; top: number }) {
  const step = WIDTH / days.length
  return days.map((day, index) => {
    let y = HEIGHT
    const earlier = before?.[index]
    return (
      <g key={day}>
        {layers.map(({ name, values }, layer) => {
          const value = values[index] ?? 0
          const height = value === 0 ? 0 : Math.max(MIN_BAR_HEIGHT, (value / top) * HEIGHT)
          y -= height
          const place = { x: index * step + (step * GAP) / 2, y, width: step * (1 - GAP), height }
          return <rect key={name} data-bar={isStacked ? colourOf(layer) : ''} {...place} />
        })}
        {/* The whole column has the tooltip, also above a low bar. */}
        <rect className={chartStyles.column} x={index * step} y="0" width={step} height={HEIGHT}>
          <title>
            {`${shortDay(day)}: ${dayText(layers, index, format)}` +
              (typeof earlier === 'number' ? `; ${days.length} days before: ${format(earlier)}` : '')}
          </title>
        </rect>
      </g>
    )
  })
}

/** chart.module.css defines six. */
export function colourOf(layer: number): number {
  return layer % 6
}

function heightOf(layers: Chart['layers'], day: number): number {
  return layers.reduce((sum, { values }) => sum + (values[day] ?? 0), 0)
}

function dayText(layers: Chart['layers'], day: number, format: Chart['format']): string {
  if (layers.length === 1) return valueText(layers[0]?.values[day], format)
  const some = layers.filter(({ values }) => (values[day] ?? 0) > 0)
  return some.map(({ name, values }) => `${name} ${valueText(values[day], format)}`).join(', ') || format(0)
}

export function valueText(value: number | null | undefined, format: Chart['format']): string {
  return value === null || value === undefined ? 'none' : format(value)
}

function describe({ days, layers, total, format }: Chart): string {
  const heights = days.map((_, day) => heightOf(layers, day))
  const most = Math.max(...heights)
  if (most === 0) return `None from ${days[0]} to ${days.at(-1)}.`
  return `${total} from ${days[0]} to ${days.at(-1)}; peak on ${days[heights.indexOf(most)]}: ${format(most)}.`
}

const dayAndMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

function shortDay(day: string | undefined): string {
  return day === undefined ? '' : dayAndMonth.format(new Date(day))
}
