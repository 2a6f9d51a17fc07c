import type { WebhookDeliveryDetails } from '../../../src/operator/api-types.ts'
import { SCROLLED_BY_KEYS } from '../../../web/scrolled.ts'
import { useResource } from '../api/resource.ts'
import { Badge, DateTime } from '../parts/basics.tsx'
import { ResourceView } from '../parts/resource-view.tsx'
import styles from './exchange.module.css'

type DetailsProps = { webhookId: string; deliveryId: string; closeLink: string }

/** What is sent, and what each attempt was answered. */
export function DeliveryDetails({ webhookId, deliveryId, closeLink }: DetailsProps) {
  const details = useResource('getWebhookDelivery', { id: webhookId, deliveryId })
  return (
    <section className="card" aria-labelledby="delivery">
      <header>
        <h2 id="delivery">Delivery {deliveryId}</h2>
        <a className="button" href={closeLink}>
          Close
        </a>
      </header>
      <ResourceView resource={details}>{(answer) => <Exchange details={answer} />}</ResourceView>
    </section>
  )
}

function Exchange({ details: { type, eventId, payload, answers } }: { details: WebhookDeliveryDetails }) {
  return (
    <>
      <p>
        {type} <code className="quiet">{eventId}</code>
      </p>
      <h3>Payload</h3>
      {payload === null ? (
        <p className="quiet">The event was deleted.</p>
      ) : (
        <pre className={styles.text} {...SCROLLED_BY_KEYS}>
          {JSON.stringify(JSON.parse(payload), null, 2)}
        </pre>
      )}
      <h3>Attempts</h3>
      {answers.length === 0 && <p className="empty">None has ended yet</p>}
      <ol className={styles.list}>
        {answers.map((one) => (
          <li key={one.number}>
            <p>
              <strong>Attempt {one.number}</strong>{' '}
              <Badge look={one.error === null ? 'good' : 'bad'}>{one.status ?? 'no answer'}</Badge>{' '}
              {one.error ?? 'Delivered.'}{' '}
              <span className="quiet">
                <DateTime at={one.at} />, {one.durationMs} ms
              </span>
            </p>
            {one.head !== null && <Part title="Headers" text={one.head} />}
            {one.body !== null && <Part title="Body" text={one.body} />}
          </li>
        ))}
      </ol>
    </>
  )
}

export function Part({ title, text }: { title: string; text: string }) {
  return (
    <>
      <h4>{title}</h4>
      {text === '' ? (
        <p className="quiet">empty</p>
      ) : (
        <pre className={styles.text} {...SCROLLED_BY_KEYS}>
          {text}
        </pre>
      )}
    </>
  )
}
