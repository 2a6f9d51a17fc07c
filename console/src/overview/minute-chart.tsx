import { useId } from 'react'
import type { Health } from '../../../src/operator/api-types.ts'
import chartStyles from '../parts/chart.module.css'
import { countText } from '../parts/numbers.ts'

type Minute = Health['minutes'][number]

const WIDTH = 480
const HEIGHT = 90
const MIN_BAR_HEIGHT = 2
const GAP = 1

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })

/** One bar per minute of the last hour: failed requests below refused ones. A table contains the same numbers. */
export function MinuteChart({ minutes }: { minutes: readonly Minute[] }) {
  const id = useId()
  const [first, last] = [minutes[0]?.at ?? '', minutes.at(-1)?.at ?? '']
  return (
    <figure className={chartStyles.chart}>
      <figcaption>
        <h2>Errors in the last hour</h2>
        <p>
          <strong className={chartStyles.total}>{countText(sum(minutes, 'failed'))}</strong>{' '}
          <span className="quiet">
            failed and {countText(sum(minutes, 'refused'))} refused of {countText(sum(minutes, 'requests'))} requests
          </span>
        </p>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={id} preserveAspectRatio="none">
        <title id={id}>Failed and refused requests per minute</title>
        <line className={chartStyles.axis} x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
        <Bars minutes={minutes} />
      </svg>
      <p className={`${chartStyles.axisLabels} quiet`} aria-hidden="true">
        <span>{clock.format(new Date(first))}</span>
        <span>{clock.format(new Date(last))}</span>
      </p>
      <ul className={chartStyles.legend}>
        <LegendItem layer={0} name="failed (500 and above)" />
        <LegendItem layer={1} name="refused (a fault below 500)" />
      </ul>
      <details>
        <summary>
          Show as table<span className="hidden-text">: errors by minute</span>
        </summary>
        <MinuteTable minutes={minutes} />
      </details>
    </figure>
  )
}

function LegendItem({ layer, name }: { layer: number; name: string }) {
  return (
    <li>
      <svg viewBox="0 0 10 10" aria-hidden="true">
        <rect data-bar={layer} width="10" height="10" />
      </svg>
      {name}
    </li>
  )
}

function Bars({ minutes }: { minutes: readonly Minute[] }) {
  const scale = Math.max(1, ...minutes.map(({ failed, refused }) => failed + refused))
  const step = WIDTH / minutes.length
  const heightOf = (value: number) => (value === 0 ? 0 : Math.max(MIN_BAR_HEIGHT, (value / scale) * (HEIGHT - 6)))
  return minutes.map(({ at, requests, failed, refused }, index) => {
    const place = { x: index * step, width: step - GAP }
    const [low, high] = [heightOf(failed), heightOf(refused)]
    return (
      <g key={at}>
        <rect data-bar={0} {...place} y={HEIGHT - low} height={low} />
        <rect data-bar={1} {...place} y={HEIGHT - low - high} height={high} />
        <rect className={chartStyles.column} x={index * step} y="0" width={step} height={HEIGHT}>
          <title>{`${clock.format(new Date(at))}: ${failed} failed, ${refused} refused of ${requests}`}</title>
        </rect>
      </g>
    )
  })
}

function MinuteTable({ minutes }: { minutes: readonly Minute[] }) {
  const some = minutes.filter(({ requests }) => requests > 0)
  if (some.length === 0) return <p className="quiet">No requests in the last hour.</p>
  return (
    <table>
      <thead>
        <tr>
          {['Minute', 'Requests', 'Refused', 'Failed'].map((column) => (
            <th key={column} scope="col" className={column === 'Minute' ? '' : 'number'}>
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {some.map(({ at, requests, refused, failed }) => (
          <tr key={at}>
            <th scope="row">{clock.format(new Date(at))}</th>
            <td className="number">{requests}</td>
            <td className="number">{refused}</td>
            <td className="number">{failed}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function sum(minutes: readonly Minute[], what: 'requests' | 'refused' | 'failed'): number {
  return minutes.reduce((total, minute) => total + minute[what], 0)
}
