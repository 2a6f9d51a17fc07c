import chartStyles from '../parts/chart.module.css'
import styles from './day-chart.module.css'
import { type Chart, colourOf, DayPlot, valueText } from './day-plot.tsx'

/** Drawn, because fonts may lack arrows. The text beside it has the same meaning. */
const ARROWS = { up: 'M5 1 L9 9 L1 9 Z', down: 'M5 9 L9 1 L1 1 Z', same: 'M1 3 H9 V4.5 H1 Z M1 6 H9 V7.5 H1 Z' }

/** One bar per day. A table contains the same numbers, for readers who cannot see bars or want to copy them. */
export function DayChart({ chart }: { chart: Chart }) {
  const { title, days, layers, isStacked, total, remark, change, before } = chart
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
      <DayPlot chart={chart} />
      {before !== undefined && (
        <p className={styles.before}>
          <svg viewBox="0 0 20 10" aria-hidden="true">
            <line x1="0" x2="20" y1="5" y2="5" />
          </svg>
          the {days.length === 1 ? 'day' : `${days.length} days`} before
        </p>
      )}
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

function DayTable({ chart: { title, days, layers, isStacked, before, format } }: { chart: Chart }) {
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
          {before !== undefined && (
            <th scope="col" className="number">
              {days.length} days before
            </th>
          )}
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
            {before !== undefined && <td className="number">{valueText(before[index], format)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
