import { useId } from 'react'

const WIDTH = 480
const HEIGHT = 120
const GAP = 0.25
const LEAST_BAR = 2
const ROOM_ABOVE = 6

export type Series = { name: string; title: string; counts: number[] }

const dayAndMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const number = new Intl.NumberFormat('en-GB')

type ChartProps = { days: string[]; series: Series }

/** One bar for each day. The same numbers stand in a table, for those who cannot see bars or want to copy them. */
export function DayChart({ days, series }: ChartProps) {
  const id = useId()
  const total = series.counts.reduce((sum, count) => sum + count, 0)
  const most = Math.max(...series.counts, 0)
  return (
    <figure className="chart">
      <figcaption>
        <h2>{series.title}</h2>
        <p>
          <strong className="total">{number.format(total)}</strong>{' '}
          <span className="quiet">
            in {days.length} days{most > 0 && `, at most ${number.format(most)} a day`}
          </span>
        </p>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={`${id}-t ${id}-d`} preserveAspectRatio="none">
        <title id={`${id}-t`}>{series.title} per day</title>
        <desc id={`${id}-d`}>{describe(days, series.counts, total)}</desc>
        <line className="axis" x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
        <Bars days={days} series={series} />
      </svg>
      <p className="axis-labels quiet" aria-hidden="true">
        <span>{shortDay(days[0])}</span>
        <span>{shortDay(days.at(-1))}</span>
      </p>
      <details>
        <summary>
          As a table<span className="hidden-text">: {series.title}</span>
        </summary>
        <DayTable days={days} series={series} />
      </details>
    </figure>
  )
}

function Bars({ days, series: { counts } }: ChartProps) {
  const most = Math.max(...counts, 1)
  const step = WIDTH / days.length
  return days.map((day, index) => {
    const count = counts[index] ?? 0
    const height = count === 0 ? 0 : Math.max(LEAST_BAR, (count / most) * (HEIGHT - ROOM_ABOVE))
    return (
      <g key={day}>
        <rect
          className="bar"
          x={index * step + (step * GAP) / 2}
          y={HEIGHT - height}
          width={step * (1 - GAP)}
          height={height}
        />
        {/* The whole column can be pointed at, also where the bar is low. */}
        <rect className="column" x={index * step} y="0" width={step} height={HEIGHT}>
          <title>{`${shortDay(day)}: ${number.format(count)}`}</title>
        </rect>
      </g>
    )
  })
}

function DayTable({ days, series }: ChartProps) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Day (UTC)</th>
          <th scope="col" className="number">
            {series.title}
          </th>
        </tr>
      </thead>
      <tbody>
        {days.map((day, index) => (
          <tr key={day}>
            <th scope="row">{day}</th>
            <td className="number">{number.format(series.counts[index] ?? 0)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function describe(days: string[], counts: number[], total: number): string {
  if (total === 0) return `None from ${days[0]} to ${days.at(-1)}.`
  const most = Math.max(...counts)
  return `${total} from ${days[0]} to ${days.at(-1)}; most on ${days[counts.indexOf(most)]}: ${most}.`
}

function shortDay(day: string | undefined): string {
  return day === undefined ? '' : dayAndMonth.format(new Date(day))
}
