import { type RefObject, useRef, useState } from 'react'
import type { Deposit, DepositWithEvents, Resolution } from '../../../src/operator/api-types.ts'
import { useDraft } from '../drafts.ts'
import { ActionForm } from '../parts/action.tsx'
import { MAX_NOTE_LENGTH } from '../parts/action-bar.tsx'
import { DateTime, ScreenHeader } from '../parts/basics.tsx'
import { Details } from '../parts/details.tsx'
import { TextField } from '../parts/fields.tsx'
import { LongText } from '../parts/long-text.tsx'
import { useNotice } from '../parts/notices.tsx'
import { ResourceView } from '../parts/resource-view.tsx'
import { Viewers } from '../parts/viewers.tsx'
import { useResource } from '../resource.ts'
import { linkTo } from '../route.ts'
import { usePermission, useSession } from '../session.tsx'
import { DepositState } from './deposits.tsx'

export function DepositScreen({ id }: { id: string }) {
  const may = usePermission()
  const resource = useResource<DepositWithEvents>(`/deposits/${encodeURIComponent(id)}`)
  const heading = useRef<HTMLHeadingElement>(null)

  function showResolved(): void {
    // The form, which has the focus, disappears.
    heading.current?.focus()
    resource.reload()
  }

  return (
    <>
      <ScreenHeader title="Deposit" />
      <ResourceView resource={resource}>
        {({ events, ...deposit }) => (
          <>
            <DepositCard deposit={deposit} heading={heading} />
            {deposit.state === 'REVIEW' && may('POST /deposits/{paymentId}/resolution') && (
              <ResolutionForm id={id} onResolved={showResolved} />
            )}
            <Trail events={events} />
          </>
        )}
      </ResourceView>
    </>
  )
}

type DepositCardProps = { deposit: Deposit; heading: RefObject<HTMLHeadingElement | null> }

function DepositCard({ deposit, heading }: DepositCardProps) {
  const may = usePermission()
  return (
    <section className="card" aria-label="Deposit">
      <header>
        <h2 ref={heading} tabIndex={-1}>
          {deposit.amount} {deposit.currency}
        </h2>
        <DepositState deposit={deposit} />
      </header>
      <Viewers item={{ kind: 'deposit', id: deposit.paymentId }} />
      <Details value={deposit} />
      {may('GET /customers/{id}') && (
        <p>
          <a href={linkTo('customers', deposit.customerId)}>Customer {deposit.customerId}</a>
        </p>
      )}
    </section>
  )
}

const OUTCOMES: readonly { outcome: Resolution['outcome']; label: string }[] = [
  { outcome: 'captured', label: 'Captured: the gateway took the money; the customer keeps the credit' },
  { outcome: 'voided', label: 'Voided: the gateway did not take the money, or refunded it; the credit is reversed' },
]

function ResolutionForm({ id, onResolved }: { id: string; onResolved: () => void }) {
  const { api } = useSession()
  const notify = useNotice()
  const [outcome, setOutcome] = useState<Resolution['outcome'] | null>(null)
  const note = useDraft(`resolution ${id}`)

  async function resolve(): Promise<void> {
    if (outcome === null) return
    const body: Resolution = { outcome, note: note.text.trim() }
    await api('POST', `/deposits/${encodeURIComponent(id)}/resolution`, body)
    note.discard()
    notify(`The deposit is ${outcome}.`)
    onResolved()
  }

  return (
    <ActionForm action={resolve}>
      {(busy) => (
        <>
          <h2>Needs manual review</h2>
          <p>Look up the payment at the gateway first. What you enter here moves money and cannot be undone.</p>
          <fieldset>
            <legend>Result at the gateway</legend>
            {OUTCOMES.map((one) => (
              <label className="check" key={one.outcome}>
                <input
                  type="radio"
                  name="outcome"
                  required
                  checked={outcome === one.outcome}
                  onChange={() => setOutcome(one.outcome)}
                />{' '}
                {one.label}
              </label>
            ))}
          </fieldset>
          <TextField
            label="Note"
            hint="What you saw, and where."
            value={note.text}
            onChange={note.set}
            required
            maxLength={MAX_NOTE_LENGTH}
          />
          <button type="submit" className="primary" aria-disabled={busy}>
            Resolve
          </button>
        </>
      )}
    </ActionForm>
  )
}

function Trail({ events }: { events: DepositWithEvents['events'] }) {
  return (
    <section className="panel history">
      <h2>Event history</h2>
      {events.length === 0 ? (
        <p className="quiet">No events.</p>
      ) : (
        <ol>
          {events.map((entry) => (
            <li key={`${entry.at} ${entry.event} ${entry.detail}`}>
              <strong>{entry.event}</strong>, <DateTime at={entry.at} />
              {entry.detail !== '' && <LongText className="note" text={summarise(entry.detail)} />}
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
