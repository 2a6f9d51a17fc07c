import { useId } from 'react'
import chartStyles from '../parts/chart.module.css'
import styles from './day-chart.module.css'

const WIDTH = 480
const HEIGHT = 120
const GAP = 0.25
const MIN_BAR_HEIGHT = 2
const HEADROOM = 6

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
  format: (value: number) => string
  /** The top of the scale; absent: the highest bar. */
  top?: number
}

const dayAndMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Drawn, because fonts may lack arrows. The text beside it says the same. */
const ARROWS = { up: 'M5 1 L9 9 L1 9 Z', down: 'M5 9 L9 1 L1 1 Z', same: 'M1 3 H9 V4.5 H1 Z M1 6 H9 V7.5 H1 Z' }

/** One bar per day. A table contains the same numbers, for readers who cannot see bars or want to copy them. */
export function DayChart({ chart }: { chart: Chart }) {
  const { title, days, layers, isStacked, total, remark, change } = chart
  const id = useId()
  return (
    <figure className={chartStyles.chart}>
      <figcaption>
        <h3>{title}</h3>
        <p>
          <strong className={chartStyles.total}>{total}</strong> <span className="quiet">{remark}</span>
        </p>
        {change && (
          <p className={styles.change}>
            <svg viewBox="0 0 10 10" aria-hidden="true">
              <path d={ARROWS[change.direction]} />
            </svg>
            {change.text}
          </p>
        )}
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={`${id}-t ${id}-d`} preserveAspectRatio="none">
        <title id={`${id}-t`}>{title} per day</title>
        <desc id={`${id}-d`}>{describe(chart)}</desc>
        <line className={chartStyles.axis} x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
        <Bars chart={chart} />
      </svg>
      <p className={`${chartStyles.axisLabels} quiet`} aria-hidden="true">
        <span>{shortDay(days[0])}</span>
        <span>{shortDay(days.at(-1))}</span>
      </p>
      {isStacked && layers.length > 0 && <Legend chart={chart} />}
      <details>
        <summary>
          Show as table<span className="hidden-text">: {title}</span>
        </summary>
        <DayTable chart={chart} />
      </details>
    </figure>
  )
}

function Bars({ chart: { days, layers, isStacked, format, top } }: { chart: Chart }) {
  const scale = (top ?? Math.max(...days.map((_, day) => heightOf(layers, day)), 1)) || 1
  const step = WIDTH / days.length
  return days.map((day, index) => {
    let y = HEIGHT
    return (
      <g key={day}>
        {layers.map(({ name, values }, layer) => {
          const value = values[index] ?? 0
          const height = value === 0 ? 0 : Math.max(MIN_BAR_HEIGHT, (value / scale) * (HEIGHT - HEADROOM))
          y -= height
          const place = { x: index * step + (step * GAP) / 2, y, width: step * (1 - GAP), height }
          return <rect key={name} data-bar={isStacked ? colourOf(layer) : ''} {...place} />
        })}
        {/* The whole column has the tooltip, also above a low bar. */}
        <rect className={chartStyles.column} x={index * step} y="0" width={step} height={HEIGHT}>
          <title>{`${shortDay(day)}: ${dayText(layers, index, format)}`}</title>
        </rect>
      </g>
    )
  })
}

/** chart.module.css defines six. */
function colourOf(layer: number): number {
  return layer % 6
}

function Legend({ chart: { layers, format } }: { chart: Chart }) {
  return (
    <ul className={chartStyles.legend}>
      {layers.map(({ name, values }, layer) => (
        <li key={name}>
          <svg viewBox="0 0 10 10" aria-hidden="true">
            <rect data-bar={colourOf(layer)} width="10" height="10" />
          </svg>
          {name} <strong>{format(values.reduce<number>((sum, value) => sum + (value ?? 0), 0))}</strong>
        </li>
      ))}
    </ul>
  )
}

function DayTable({ chart: { title, days, layers, isStacked, format } }: { chart: Chart }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Day (UTC)</th>
          {layers.map(({ name }) => (
            <th key={name} scope="col" className="number">
              {isStacked ? name : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.map((day, index) => (
          <tr key={day}>
            <th scope="row">{day}</th>
            {layers.map(({ name, values }) => (
              <td key={name} className="number">
                {valueText(values[index], format)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function heightOf(layers: Layer[], day: number): number {
  return layers.reduce((sum, { values }) => sum + (values[day] ?? 0), 0)
}

function dayText(layers: Layer[], day: number, format: Chart['format']): string {
  if (layers.length === 1) return valueText(layers[0]?.values[day], format)
  const some = layers.filter(({ values }) => (values[day] ?? 0) > 0)
  return some.map(({ name, values }) => `${name} ${valueText(values[day], format)}`).join(', ') || format(0)
}

function valueText(value: number | null | undefined, format: Chart['format']): string {
  return value === null || value === undefined ? 'none' : format(value)
}

function describe({ days, layers, total, format }: Chart): string {
  const heights = days.map((_, day) => heightOf(layers, day))
  const most = Math.max(...heights)
  if (most === 0) return `None from ${days[0]} to ${days.at(-1)}.`
  return `${total} from ${days[0]} to ${days.at(-1)}; peak on ${days[heights.indexOf(most)]}: ${format(most)}.`
}

function shortDay(day: string | undefined): string {
  return day === undefined ? '' : dayAndMonth.format(new Date(day))
}
