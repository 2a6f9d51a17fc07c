import { useRef, useState } from 'react'
import { useAsyncAction } from '../async-action.ts'
import { useDraft } from '../drafts.ts'
import { MAX_NOTE_LENGTH } from '../parts/action-bar.tsx'
import { DateTime, Field, Progress, ScreenHeader } from '../parts/basics.tsx'
import { Details } from '../parts/details.tsx'
import { LongText } from '../parts/long-text.tsx'
import { useNotice } from '../parts/notices.tsx'
import { Problem } from '../parts/problem.tsx'
import { useResource } from '../resource.ts'
import { linkTo } from '../route.ts'
import { usePermission, useSession } from '../session.tsx'
import { type Deposit, DepositState } from './deposits.tsx'

type TrailEntry = { at: string; event: string; detail: unknown }
type DepositWithTrail = Deposit & { events?: TrailEntry[] }

export function DepositScreen({ id }: { id: string }) {
  const may = usePermission()
  const { answer, refusal, loading, reload } = useResource<DepositWithTrail>(`/deposits/${encodeURIComponent(id)}`)
  const { events = [], ...deposit } = answer ?? { events: [] }
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <>
      <ScreenHeader title="Deposit" />
      {refusal && <Problem refusal={refusal} onRetry={reload} />}
      {answer === undefined && loading && <Progress />}
      {answer !== undefined && (
        <>
          <section className="card" aria-label="Deposit">
            <header>
              <h2 ref={heading} tabIndex={-1}>
                {answer.amount} {answer.currency}
              </h2>
              <DepositState deposit={answer} />
            </header>
            <Details value={deposit} />
            {may('GET /customers/{id}') && (
              <p>
                <a href={linkTo('customers', answer.customerId)}>Customer {answer.customerId}</a>
              </p>
            )}
          </section>
          {answer.state === 'REVIEW' && may('POST /deposits/{paymentId}/resolution') && (
            <Resolution
              id={id}
              onResolved={() => {
                // The form is gone then.
                heading.current?.focus()
                reload()
              }}
            />
          )}
          <Trail events={events} />
        </>
      )}
    </>
  )
}

const OUTCOMES = [
  { outcome: 'captured', label: 'Captured: the gateway took the money, the customer keeps the credit' },
  { outcome: 'voided', label: 'Voided: the gateway did not take it, or gave it back; the credit is taken back' },
]

function Resolution({ id, onResolved }: { id: string; onResolved: () => void }) {
  const { api } = useSession()
  const notify = useNotice()
  const [outcome, setOutcome] = useState('')
  const note = useDraft(`resolution ${id}`)
  const { busy, refusal, run } = useAsyncAction()
  return (
    <form
      className="panel"
      onSubmit={(event) => {
        event.preventDefault()
        run(async () => {
          await api('POST', `/deposits/${encodeURIComponent(id)}/resolution`, { outcome, note: note.text.trim() })
          note.discard()
          notify(`The deposit is ${outcome}.`)
          onResolved()
        })
      }}
    >
      <h2>Needs manual review</h2>
      <p>Look the payment up at the gateway first: what you say here moves money, and cannot be taken back.</p>
      <fieldset>
        <legend>What the gateway shows</legend>
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
      <Field label="Note" hint="What you saw, and where.">
        {(ids) => (
          <input
            {...ids}
            required
            maxLength={MAX_NOTE_LENGTH}
            value={note.text}
            onChange={(event) => note.set(event.target.value)}
          />
        )}
      </Field>
      {refusal && <Problem refusal={refusal} />}
      <button type="submit" className="primary" aria-disabled={busy}>
        Resolve
      </button>
    </form>
  )
}

function Trail({ events }: { events: TrailEntry[] }) {
  return (
    <section className="panel history">
      <h2>Trail</h2>
      {events.length === 0 ? (
        <p className="quiet">No events.</p>
      ) : (
        <ol>
          {events.map((entry) => (
            <li key={`${entry.at} ${entry.event} ${JSON.stringify(entry.detail)}`}>
              <strong>{entry.event}</strong>, <DateTime at={entry.at} />
              {entry.detail ? <LongText className="note" text={inShort(entry.detail)} /> : null}
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

/** A detail is a word of the gateway's, or an object, which may be written as JSON. */
function inShort(detail: unknown): string {
  if (typeof detail === 'string' && detail.startsWith('{')) {
    try {
      return inShort(JSON.parse(detail))
    } catch {
      return detail
    }
  }
  if (typeof detail !== 'object' || detail === null) return String(detail)
  return Object.entries(detail)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')
}
