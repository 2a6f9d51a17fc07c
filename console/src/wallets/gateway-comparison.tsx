import { useState } from 'react'
import type { GatewayView } from '../../../src/operator/api-types.ts'
import { useResource } from '../api/resource.ts'
import { Badge } from '../parts/basics.tsx'
import { ResourceView } from '../parts/resource-view.tsx'
import styles from './gateway-comparison.module.css'

type GatewayComparisonProps = {
  paymentId: string
  /** Asks again when it changes. */
  version: string
  /** Otherwise on request only: each view is a call to the gateway. */
  asksAtOnce: boolean
}

/** The gateway's own view of a payment beside ours. */
export function GatewayComparison({ paymentId, version, asksAtOnce }: GatewayComparisonProps) {
  const [requested, setRequested] = useState(asksAtOnce)
  return (
    <section className="panel" aria-label="At the gateway">
      <h2>At the gateway</h2>
      {requested ? (
        <Comparison key={`${paymentId} ${version}`} paymentId={paymentId} />
      ) : (
        <button type="button" onClick={() => setRequested(true)}>
          Compare with the gateway
        </button>
      )}
    </section>
  )
}

function Comparison({ paymentId }: { paymentId: string }) {
  const resource = useResource('readGatewayView', { paymentId })
  return (
    <ResourceView resource={resource}>
      {(view) => (
        <>
          <Sides view={view} />
          <p>{view.remark}</p>
          <div className="buttons">
            <button type="button" onClick={resource.reload} aria-disabled={resource.loading}>
              {resource.loading ? 'Asking …' : 'Ask again'}
            </button>
            {view.link !== null && (
              <a className="button" href={view.link} target="_blank" rel="noreferrer">
                Open at the gateway
              </a>
            )}
          </div>
        </>
      )}
    </ResourceView>
  )
}

const ROWS = [
  { field: 'state', label: 'State' },
  { field: 'amount', label: 'Amount' },
  { field: 'currency', label: 'Currency' },
] as const

function Sides({ view: { ours, theirs, differences } }: { view: GatewayView }) {
  return (
    <table className={styles.sides}>
      <caption className="hidden-text">The payment in our ledger and at the gateway</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">Our ledger</th>
          <th scope="col">Gateway</th>
        </tr>
      </thead>
      <tbody>
        {ROWS.map(({ field, label }) => (
          <tr key={field} className={differences.includes(field) ? styles.differs : undefined}>
            <th scope="row">{label}</th>
            <td>{ours[field] ?? 'unknown'}</td>
            <td>
              {theirs[field] ?? <span className="quiet">unknown</span>}{' '}
              {differences.includes(field) && <Badge look="bad">differs</Badge>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
