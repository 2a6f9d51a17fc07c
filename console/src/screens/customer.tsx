import { useState } from 'react'
import type { Customer, CustomerChange, Reinstatement, Ticket } from '../../../src/operator/api-types.ts'
import { useDraft } from '../drafts.ts'
import { ActionButton, ActionForm } from '../parts/action.tsx'
import { MAX_NOTE_LENGTH } from '../parts/action-bar.tsx'
import { ScreenHeader } from '../parts/basics.tsx'
import { Details } from '../parts/details.tsx'
import { SelectField, TextField } from '../parts/fields.tsx'
import { Finder } from '../parts/finder.tsx'
import { useNotice } from '../parts/notices.tsx'
import { OneTimeSecret } from '../parts/one-time-secret.tsx'
import { ResourceView } from '../parts/resource-view.tsx'
import { type Resource, useResource } from '../resource.ts'
import { linkTo } from '../route.ts'
import { usePermission, useSession } from '../session.tsx'
import { CustomerSessions } from './customer-sessions.tsx'

const STATUSES: readonly Customer['status'][] = ['active', 'suspended', 'closed', 'self-excluded']
/** Only a reinstatement changes these. */
const LASTING_STATUSES: readonly Customer['status'][] = ['closed', 'self-excluded']

export function CustomerScreen({ id }: { id: string }) {
  const customer = useResource<Customer>(`/customers/${encodeURIComponent(id)}`)
  return (
    <>
      <ScreenHeader title={`Customer ${id}`}>
        <Finder key="customers" kind="customers" />
      </ScreenHeader>
      <ResourceView resource={customer}>
        {(answer) => <CustomerPanels customer={answer} onChanged={customer.replace} onErased={customer.reload} />}
      </ResourceView>
    </>
  )
}

function CustomerPanels({ customer, onChanged, onErased }: StatusFormProps & { onErased: () => void }) {
  const may = usePermission()
  const { id, status, profileId } = customer
  return (
    <>
      <section className="card" aria-label="Customer">
        <Details value={customer} />
        <p className="links">
          {profileId !== null && may('GET /moderation/profiles/{id}') && (
            <a href={linkTo('profiles', profileId)}>Profile {profileId}</a>
          )}
          {may('GET /deposits') && <a href={`${linkTo('deposits')}?customerId=${id}`}>Deposits</a>}
        </p>
      </section>
      {may('PUT /customers/{id}') && <StatusForm key={status} customer={customer} onChanged={onChanged} />}
      {LASTING_STATUSES.includes(status) && may('POST /customers/{id}/reinstatement') && (
        <ReinstatementForm customer={customer} onChanged={onChanged} />
      )}
      {may('POST /customers/{id}/tickets') && <Tickets id={id} />}
      {may('GET /customers/{id}/sessions') && <CustomerSessions id={id} />}
      {may('GET /customers/{id}/personal-data') && <PersonalData id={id} onErased={onErased} />}
    </>
  )
}

type StatusFormProps = { customer: Customer; onChanged: Resource<Customer>['replace'] }

function StatusForm({ customer, onChanged }: StatusFormProps) {
  const { api } = useSession()
  const notify = useNotice()
  const [status, setStatus] = useState(customer.status)
  const [verified, setVerified] = useState(customer.verified)
  const offered = LASTING_STATUSES.includes(customer.status) ? LASTING_STATUSES : STATUSES
  const isLasting = LASTING_STATUSES.includes(status) && status !== customer.status
  const confirmation = {
    title: `Set customer ${customer.id} to ${status}?`,
    action: `Set to ${status}`,
    text: 'All sessions end at once. Only a reinstatement, with a reason, can undo this.',
  }

  async function save(): Promise<void> {
    const body: CustomerChange = { status, verified }
    onChanged(await api<Customer>('PUT', `/customers/${customer.id}`, body))
    notify('Customer saved.')
  }

  return (
    <ActionForm action={save} confirmation={isLasting ? confirmation : undefined}>
      {(busy) => (
        <>
          <h2>Account status</h2>
          <div className="inline">
            <SelectField
              label="Status"
              value={status}
              onChange={setStatus}
              options={offered.map((one) => ({ value: one, label: one }))}
            />
            <label className="check">
              <input type="checkbox" checked={verified} onChange={(event) => setVerified(event.target.checked)} />{' '}
              Verified
            </label>
            <button type="submit" className="primary" aria-disabled={busy}>
              Save
            </button>
          </div>
        </>
      )}
    </ActionForm>
  )
}

function ReinstatementForm({ customer: { id, status }, onChanged }: StatusFormProps) {
  const { api } = useSession()
  const notify = useNotice()
  const reason = useDraft(`reinstatement ${id}`)
  const confirmation = {
    title: `Reinstate customer ${id}, who is ${status}?`,
    action: 'Reinstate',
    text: `They can log in and deposit again at once. Reason: ${reason.text}`,
    typed: id,
  }

  async function reinstate(): Promise<void> {
    const body: Reinstatement = { reason: reason.text.trim() }
    onChanged(await api<Customer>('POST', `/customers/${id}/reinstatement`, body))
    reason.discard()
    notify(`Customer ${id} is active again.`)
  }

  return (
    <ActionForm action={reinstate} confirmation={confirmation}>
      {(busy) => (
        <>
          <h2>Reinstatement</h2>
          <p>
            This customer is {status}. Reinstating lets them log in and deposit again; the audit trail records the
            reason.
          </p>
          <div className="inline">
            <TextField label="Reason" value={reason.text} onChange={reason.set} required maxLength={MAX_NOTE_LENGTH} />
            <button type="submit" className="danger" disabled={busy || reason.text.trim() === ''}>
              Reinstate …
            </button>
          </div>
        </>
      )}
    </ActionForm>
  )
}

function Tickets({ id }: { id: string }) {
  const { api } = useSession()
  const [ticket, setTicket] = useState<string | null>(null)
  const issue = async () => setTicket((await api<Ticket>('POST', `/customers/${id}/tickets`, {})).ticket)
  return (
    <section className="panel">
      <h2>Session ticket</h2>
      <p>A ticket acts for the customer, as if they had logged in. The audit trail records that you issued it.</p>
      {ticket !== null && (
        <OneTimeSecret title="New session ticket" values={{ Ticket: ticket }} onDone={() => setTicket(null)} />
      )}
      <ActionButton action={issue}>Issue ticket</ActionButton>
    </section>
  )
}

function PersonalData({ id, onErased }: { id: string; onErased: () => void }) {
  const { api } = useSession()
  const may = usePermission()
  const notify = useNotice()
  const path = `/customers/${id}/personal-data`
  const confirmation = {
    title: `Erase the personal data of customer ${id}?`,
    action: 'Erase permanently',
    text:
      'This permanently deletes the login, cards, profile text, picture, sessions and moderators’ notes, and closes ' +
      'the customer. Ids, follows, bets and the ledger remain.',
    typed: id,
  }

  async function download(): Promise<void> {
    saveAsFile(`customer-${id}.json`, JSON.stringify(await api('GET', path), null, 2))
    notify('Downloaded.')
  }

  async function erase(): Promise<void> {
    await api('DELETE', path)
    notify(`The personal data of customer ${id} is erased.`)
    onErased()
  }

  return (
    <section className="panel">
      <h2>Personal data</h2>
      <div className="buttons">
        <ActionButton action={download}>Download all data</ActionButton>
        {may('DELETE /customers/{id}/personal-data') && (
          <ActionButton className="danger" action={erase} confirmation={confirmation}>
            Erase …
          </ActionButton>
        )}
      </div>
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
