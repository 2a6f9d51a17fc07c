import type { DepositWithEvents } from '../../../src/operator/api-types.ts'
import { trailText } from '../../../web/words/deposits.ts'
import { reportText } from '../../../web/words/money.ts'
import { DateTime } from '../parts/basics.tsx'
import history from '../parts/history.module.css'
import { LongText } from '../parts/long-text.tsx'
import { sentenceCase } from '../parts/sentence-case.ts'

/** What happened to a deposit, oldest first. */
export function DepositTrail({ events }: { events: DepositWithEvents['events'] }) {
  return (
    <section className={`panel ${history.history}`}>
      <h2>Event history</h2>
      {events.length === 0 ? (
        <p className="quiet">No events.</p>
      ) : (
        <ol>
          {events.map((entry) => (
            <li key={`${entry.at} ${entry.event} ${entry.detail}`}>
              <strong>{sentenceCase(trailText(entry.event))}</strong>, <DateTime at={entry.at} />
              {entry.detail !== '' && <LongText className={history.note} text={reportText(summarise(entry.detail))} />}
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

/** A detail is text of the gateway, or an object as JSON. */
function summarise(detail: string): string {
  if (!detail.startsWith('{')) return detail
  try {
    return Object.entries(JSON.parse(detail))
      .map(([name, value]) => `${name}: ${value}`)
      .join(', ')
  } catch {
    return detail
  }
}
