import { useState } from 'react'
import type { Customer } from '../../../src/operator/api-types.ts'
import { MAX_NOTE_LENGTH } from '../moderation/action-bar.tsx'
import { ActionButton, ActionForm } from '../parts/action.tsx'
import { useDraft } from '../parts/drafts.ts'
import { SelectField, TextField } from '../parts/fields.tsx'
import { useNotice } from '../parts/notices.tsx'
import { OneTimeSecret } from '../parts/one-time-secret.tsx'
import { saveAsFile } from '../parts/save-as-file.ts'
import { usePermission, useSession } from '../sign-in/session.tsx'
import { OwnLimits } from './own-limits.tsx'
import type { CustomerProps } from './props.ts'
import { CustomerSessions } from './sessions.tsx'

const STATUSES: readonly Customer['status'][] = ['active', 'suspended', 'closed', 'self-excluded']
/** Only a reinstatement changes these. */
const LASTING_STATUSES: readonly Customer['status'][] = ['closed', 'self-excluded']

export function CustomerAccount({ customer, onChanged, reload }: CustomerProps) {
  const may = usePermission()
  const { id, status } = customer
  const props = { customer, onChanged }
  return (
    <>
      <OwnLimits {...props} />
      {may('setCustomerStatus') && <StatusForm key={`status ${status}`} {...props} />}
      {LASTING_STATUSES.includes(status) && may('reinstateCustomer') && <ReinstatementForm {...props} />}
      {may('putCustomer') && <Verification {...props} />}
      {may('listSessions') && <CustomerSessions key={`sessions ${status}`} id={id} />}
      {may('issueTicket') && <Tickets id={id} />}
      {may('exportPersonalData') && <PersonalData id={id} onErased={reload} />}
    </>
  )
}

type FormProps = Pick<CustomerProps, 'customer' | 'onChanged'>

function StatusForm({ customer: { id, status: current }, onChanged }: FormProps) {
  const { api } = useSession()
  const notify = useNotice()
  const offered = (LASTING_STATUSES.includes(current) ? LASTING_STATUSES : STATUSES).filter((one) => one !== current)
  const [status, setStatus] = useState(offered[0] ?? current)
  const reason = useDraft(`status ${id}`)
  const sessions = status === 'active' ? 'They can log in and deposit again at once.' : 'All sessions end at once.'
  const lasting = LASTING_STATUSES.includes(status) ? ' Only a reinstatement by an admin can undo this.' : ''
  const confirmation = {
    title: `Set customer ${id} to ${status}?`,
    action: `Set to ${status}`,
    isDangerous: status !== 'active',
    text: `${sessions}${lasting} Reason: ${reason.text}`,
  }

  async function save(): Promise<void> {
    onChanged(await api('setCustomerStatus', { id, body: { status, reason: reason.text.trim() } }))
    reason.discard()
    notify(`Customer ${id} is ${status}.`)
  }

  return (
    <ActionForm action={save} confirmation={confirmation}>
      {(busy) => (
        <>
          <h2>Account status</h2>
          <div className="inline">
            <SelectField
              label="New status"
              value={status}
              onChange={setStatus}
              options={offered.map((one) => ({ value: one, label: one }))}
            />
            <TextField
              label="Reason for the new status"
              value={reason.text}
              onChange={reason.set}
              required
              maxLength={MAX_NOTE_LENGTH}
            />
            <button type="submit" className="primary" disabled={busy || reason.text.trim() === ''}>
              Change status …
            </button>
          </div>
          <p className="hint">
            The reason is shown on this page until the status changes, and stored in the audit trail.
          </p>
        </>
      )}
    </ActionForm>
  )
}

function ReinstatementForm({ customer: { id, status }, onChanged }: FormProps) {
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
    onChanged(await api('reinstateCustomer', { id, body: { reason: reason.text.trim() } }))
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
            <TextField
              label="Reason for the reinstatement"
              value={reason.text}
              onChange={reason.set}
              required
              maxLength={MAX_NOTE_LENGTH}
            />
            <button type="submit" className="primary" disabled={busy || reason.text.trim() === ''}>
              Reinstate …
            </button>
          </div>
        </>
      )}
    </ActionForm>
  )
}

function Verification({ customer: { id, verified }, onChanged }: FormProps) {
  const { api } = useSession()
  const notify = useNotice()

  async function change(): Promise<void> {
    onChanged(await api('putCustomer', { id, body: { verified: !verified } }))
    notify(`Customer ${id} is ${verified ? 'not ' : ''}verified.`)
  }

  return (
    <section className="panel">
      <h2>Verification</h2>
      <p>
        The identity of this customer is {verified ? 'verified' : 'not verified'}. Only verified customers can deposit.
      </p>
      <ActionButton action={change}>{verified ? 'Mark as not verified' : 'Mark as verified'}</ActionButton>
    </section>
  )
}

function Tickets({ id }: { id: string }) {
  const { api } = useSession()
  const [ticket, setTicket] = useState<string | null>(null)
  const issue = async () => setTicket((await api('issueTicket', { id, body: {} })).ticket)
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
  const confirmation = {
    title: `Erase the personal data of customer ${id}?`,
    action: 'Erase permanently',
    isDangerous: true,
    text:
      'This permanently deletes the login, cards, profile text, picture, sessions and moderators’ notes, and closes ' +
      'the customer. Ids, follows, bets and the ledger remain.',
    typed: id,
  }

  async function download(): Promise<void> {
    const text = JSON.stringify(await api('exportPersonalData', { id }), null, 2)
    saveAsFile(`customer-${id}.json`, new Blob([text], { type: 'application/json' }))
    notify('Downloaded.')
  }

  async function erase(): Promise<void> {
    await api('erasePersonalData', { id })
    notify(`The personal data of customer ${id} is erased.`)
    onErased()
  }

  return (
    <section className="panel">
      <h2>Personal data</h2>
      <div className="buttons">
        <ActionButton action={download}>Download all data</ActionButton>
        {may('erasePersonalData') && (
          <ActionButton className="danger" action={erase} confirmation={confirmation}>
            Erase …
          </ActionButton>
        )}
      </div>
    </section>
  )
}
