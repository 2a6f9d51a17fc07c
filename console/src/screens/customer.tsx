import { useState } from 'react'
import { useAsyncAction } from '../async-action.ts'
import { useDraft } from '../drafts.ts'
import { Field, OneTimeSecret, Progress, ScreenHeader } from '../parts/basics.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Details } from '../parts/details.tsx'
import { Finder } from '../parts/finder.tsx'
import { useNotice } from '../parts/notices.tsx'
import { Problem } from '../parts/problem.tsx'
import { type Resource, useResource } from '../resource.ts'
import { linkTo } from '../route.ts'
import { usePermission, useSession } from '../session.tsx'
import { CustomerSessions } from './customer-sessions.tsx'

type Customer = {
  id: string
  username: string | null
  status: string
  verified: boolean
  currency: string
  dailyDepositLimit: string | null
  fundsStatementVersion: number
  createdAt: string
  profileId: string | null
}

const STATUSES = ['active', 'suspended', 'closed', 'self-excluded']
/** Only a reinstatement ends these. */
const LASTING_STATUSES = ['closed', 'self-excluded']

export function CustomerScreen({ id }: { id: string }) {
  const may = usePermission()
  const customer = useResource<Customer>(`/customers/${encodeURIComponent(id)}`)
  const { answer, refusal, loading, reload } = customer
  return (
    <>
      <ScreenHeader title={`Customer ${id}`}>
        <Finder key="customers" kind="customers" />
      </ScreenHeader>
      {refusal && <Problem refusal={refusal} onRetry={reload} />}
      {answer === undefined && loading && <Progress />}
      {answer !== undefined && (
        <>
          <section className="card" aria-label="Customer">
            <Details value={answer} />
            <p className="links">
              {answer.profileId !== null && may('GET /moderation/profiles/{id}') && (
                <a href={linkTo('profiles', answer.profileId)}>Profile {answer.profileId}</a>
              )}
              {may('GET /deposits') && <a href={`${linkTo('deposits')}?customerId=${answer.id}`}>Deposits</a>}
            </p>
          </section>
          {may('PUT /customers/{id}') && (
            <StatusForm key={answer.status} customer={answer} onChanged={customer.replace} />
          )}
          {LASTING_STATUSES.includes(answer.status) && may('POST /customers/{id}/reinstatement') && (
            <Reinstatement customer={answer} onChanged={customer.replace} />
          )}
          {may('POST /customers/{id}/tickets') && <Tickets id={answer.id} />}
          {may('GET /customers/{id}/sessions') && <CustomerSessions id={answer.id} />}
          {may('GET /customers/{id}/personal-data') && <PersonalData id={answer.id} onErased={reload} />}
        </>
      )}
    </>
  )
}

type StatusFormProps = { customer: Customer; onChanged: Resource<Customer>['replace'] }

function StatusForm({ customer, onChanged }: StatusFormProps) {
  const { api } = useSession()
  const notify = useNotice()
  const [status, setStatus] = useState(customer.status)
  const [verified, setVerified] = useState(customer.verified)
  const [asked, setAsked] = useState(false)
  const { busy, refusal, run } = useAsyncAction()
  const isLasting = LASTING_STATUSES.includes(status) && status !== customer.status

  function save(): void {
    setAsked(false)
    run(async () => {
      onChanged(await api<Customer>('PUT', `/customers/${customer.id}`, { status, verified }))
      notify('Customer saved.')
    })
  }

  return (
    // The dialog has a form of its own, which must not be inside this one.
    <>
      <form
        className="panel"
        onSubmit={(event) => {
          event.preventDefault()
          if (isLasting) setAsked(true)
          else save()
        }}
      >
        <h2>Standing</h2>
        <div className="inline">
          <Field label="Status">
            {(ids) => (
              <select {...ids} value={status} onChange={(event) => setStatus(event.target.value)}>
                {(LASTING_STATUSES.includes(customer.status) ? LASTING_STATUSES : STATUSES).map((one) => (
                  <option key={one}>{one}</option>
                ))}
              </select>
            )}
          </Field>
          <label className="check">
            <input type="checkbox" checked={verified} onChange={(event) => setVerified(event.target.checked)} />{' '}
            Verified
          </label>
          <button type="submit" className="primary" aria-disabled={busy}>
            Save
          </button>
        </div>
        {refusal && <Problem refusal={refusal} />}
      </form>
      {asked && (
        <Confirm
          title={`Make customer ${customer.id} ${status}?`}
          action={`Make ${status}`}
          onConfirm={save}
          onCancel={() => setAsked(false)}
        >
          <p>Their sessions end at once, and only a reinstatement with a reason takes it back.</p>
        </Confirm>
      )}
    </>
  )
}

function Reinstatement({ customer, onChanged }: StatusFormProps) {
  const { api } = useSession()
  const notify = useNotice()
  const reason = useDraft(`reinstatement ${customer.id}`)
  const [asked, setAsked] = useState(false)
  const { busy, refusal, run } = useAsyncAction()

  function reinstate(): void {
    setAsked(false)
    run(async () => {
      const body = { reason: reason.text.trim() }
      onChanged(await api<Customer>('POST', `/customers/${customer.id}/reinstatement`, body))
      reason.discard()
      notify(`Customer ${customer.id} is active again.`)
    })
  }

  return (
    // The dialog has a form of its own, which must not be inside this one.
    <>
      <form
        className="panel"
        onSubmit={(event) => {
          event.preventDefault()
          setAsked(true)
        }}
      >
        <h2>Reinstatement</h2>
        <p>
          This customer is {customer.status}. Reinstating lets them log in and deposit again; the audit trail keeps the
          reason.
        </p>
        <div className="inline">
          <Field label="Reason">
            {(ids) => (
              <input
                {...ids}
                required
                maxLength={1000}
                value={reason.text}
                onChange={(event) => reason.set(event.target.value)}
              />
            )}
          </Field>
          <button type="submit" className="danger" disabled={busy || reason.text.trim() === ''}>
            Reinstate …
          </button>
        </div>
        {refusal && <Problem refusal={refusal} />}
      </form>
      {asked && (
        <Confirm
          title={`Reinstate customer ${customer.id}, who is ${customer.status}?`}
          action="Reinstate"
          typed={customer.id}
          onConfirm={reinstate}
          onCancel={() => setAsked(false)}
        >
          <p>They can log in and deposit again at once. Reason: {reason.text}</p>
        </Confirm>
      )}
    </>
  )
}

function Tickets({ id }: { id: string }) {
  const { api } = useSession()
  const [ticket, setTicket] = useState<string | null>(null)
  const { busy, refusal, run } = useAsyncAction()
  const issue = () =>
    run(async () => setTicket((await api<{ ticket: string }>('POST', `/customers/${id}/tickets`, {})).ticket))
  return (
    <section className="panel">
      <h2>Session ticket</h2>
      <p>A ticket acts for the customer, as if logged in. The audit trail notes that you made one.</p>
      {ticket !== null && (
        <OneTimeSecret title="The ticket" values={{ Ticket: ticket }} onDone={() => setTicket(null)} />
      )}
      <button type="button" aria-disabled={busy} onClick={issue}>
        Issue a ticket
      </button>
      {refusal && <Problem refusal={refusal} />}
    </section>
  )
}

function PersonalData({ id, onErased }: { id: string; onErased: () => void }) {
  const { api } = useSession()
  const may = usePermission()
  const notify = useNotice()
  const [asked, setAsked] = useState(false)
  const { busy, refusal, run } = useAsyncAction()
  const path = `/customers/${id}/personal-data`

  const download = () =>
    run(async () => {
      saveAsFile(`customer-${id}.json`, JSON.stringify(await api('GET', path), null, 2))
      notify('Downloaded.')
    })

  async function erase(): Promise<void> {
    setAsked(false)
    await run(async () => {
      await api('DELETE', path)
      notify(`The personal data of customer ${id} is erased.`)
      onErased()
    })
  }

  return (
    <section className="panel">
      <h2>Personal data</h2>
      <div className="buttons">
        <button type="button" aria-disabled={busy} onClick={download}>
          Download all that is held
        </button>
        {may('DELETE /customers/{id}/personal-data') && (
          <button type="button" className="danger" aria-disabled={busy} onClick={() => setAsked(true)}>
            Erase …
          </button>
        )}
      </div>
      {refusal && <Problem refusal={refusal} />}
      {asked && (
        <Confirm
          title={`Erase the personal data of customer ${id}?`}
          action="Erase for ever"
          typed={id}
          onConfirm={erase}
          onCancel={() => setAsked(false)}
        >
          <p>
            Log-in, cards, profile text, picture, sessions and moderators’ notes are gone for ever, and the customer is
            closed. Ids, follows, bets and the ledger stay.
          </p>
        </Confirm>
      )}
    </section>
  )
}

function saveAsFile(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
