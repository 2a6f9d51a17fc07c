import { useState } from 'react'
import type { Withdrawal } from '../../../src/operator/api-types.ts'
import { usePagedList } from '../api/resource.ts'
import { Age } from '../parts/age.tsx'
import { Badge, DateTime, ScreenHeader } from '../parts/basics.tsx'
import { LoadMore } from '../parts/load-more.tsx'
import { isPending, type MoneyActions, MoneyButton, MoneyTray, useMoneyActions } from '../parts/money-actions.tsx'
import { Name, NamedLink, useCustomerText } from '../parts/names.tsx'
import { usePermission, useSession } from '../sign-in/session.tsx'

const INBOXES = [
  { state: 'REQUESTED', title: 'Waiting for approval', empty: 'No withdrawal waits for approval.' },
  { state: 'REVIEW', title: 'Without a result', empty: 'No withdrawal needs manual review.' },
] as const

/** What the customer reads is short. */
const MAX_REASON_LENGTH = 200
const MAX_NOTE_LENGTH = 1000

export function WithdrawalsScreen() {
  const actions = useMoneyActions()
  return (
    <>
      <ScreenHeader title="Withdrawals" />
      <p className="lead">Two different operators approve a withdrawal. What you do here is sent after 5 seconds.</p>
      <MoneyTray actions={actions} />
      {INBOXES.map((inbox) => (
        <Inbox key={inbox.state} {...inbox} actions={actions} />
      ))}
    </>
  )
}

type InboxProps = (typeof INBOXES)[number] & { actions: MoneyActions }

function Inbox({ state, title, empty, actions }: InboxProps) {
  const inbox = usePagedList('listWithdrawals', { query: { state, limit: 25 } })
  const { items, loading, refusal } = inbox
  return (
    <section aria-label={title}>
      <header>
        <h2>{title}</h2>
        <button type="button" onClick={inbox.reload} aria-disabled={loading} aria-label={`Refresh: ${title}`}>
          Refresh
        </button>
      </header>
      {items.length === 0 && !loading && !refusal && <p className="empty">{empty}</p>}
      {items.map((one) => (
        <Case key={one.id} withdrawal={one} actions={actions} onDone={inbox.reload} />
      ))}
      <LoadMore list={inbox} />
    </section>
  )
}

type CaseProps = { withdrawal: Withdrawal; actions: MoneyActions; onDone: () => void }

function Case({ withdrawal, actions, onDone }: CaseProps) {
  const { id, amount, currency, customerId, createdAt, approvedBy, heldBy, holdReason, review, reference } = withdrawal
  const may = usePermission()
  return (
    <article className="card" aria-label={`Withdrawal ${id}`}>
      <header>
        <h3>
          {amount} {currency}, customer {customerId}
          <Name kind="customer" id={customerId} />
        </h3>
        <span>
          {heldBy !== null && <Badge look="warn">held</Badge>}{' '}
          <span className="quiet">
            for <Age since={createdAt} />
          </span>
        </span>
      </header>
      <dl className="facts">
        <Fact name="Customer">
          <NamedLink kind="customer" id={customerId}>
            Customer {customerId}
          </NamedLink>
        </Fact>
        <Fact name="Requested">
          <DateTime at={createdAt} />
        </Fact>
        <Fact name="Card">{withdrawal.paymentMethodId}</Fact>
        <Fact name="Approved by">{approvedBy.length === 0 ? 'nobody yet' : approvedBy.join(', ')}</Fact>
        {heldBy !== null && <Fact name="Held by">{heldBy}</Fact>}
        {holdReason !== null && <Fact name="The customer reads">{holdReason}</Fact>}
        {review !== null && <Fact name="Why">{REVIEWS[review]}</Fact>}
        <Fact name="Merchant reference">
          <code>{reference}</code>
        </Fact>
      </dl>
      {may('approveWithdrawal') ? (
        <Decision withdrawal={withdrawal} actions={actions} onDone={onDone} />
      ) : (
        <p className="quiet">Your role can view the inbox but not decide.</p>
      )}
    </article>
  )
}

const REVIEWS = {
  'payout-unresolved': 'no result for long',
  'paid-after-return': 'returned, then the gateway said that it was paid',
  'returned-after-paid': 'paid, then the gateway said that it was not',
} as const

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

type Choice = {
  label: string
  text: string
  field?: { label: string; maxLength: number }
  send: (text: string) => Promise<unknown>
}

function useChoices({ id, state, heldBy }: Withdrawal): Choice[] {
  const { api } = useSession()
  const reason = { label: 'Reason, which the customer reads', maxLength: MAX_REASON_LENGTH }
  const note = { label: 'Note: what you saw, and where', maxLength: MAX_NOTE_LENGTH }
  if (state === 'REVIEW') {
    const resolve = (outcome: 'paid' | 'returned') => (text: string) =>
      api('resolveWithdrawal', { id, body: { outcome, note: text } })
    return [
      { label: 'Paid', text: 'The customer has the money.', field: note, send: resolve('paid') },
      { label: 'Returned', text: 'It is credited to the customer again.', field: note, send: resolve('returned') },
    ]
  }
  const held: Choice = {
    label: 'Release',
    text: 'It can be approved again.',
    send: () => api('releaseWithdrawal', { id }),
  }
  const open: Choice[] = [
    {
      label: 'Approve',
      text: 'When two operators have approved it, it is sent to the card.',
      send: () => api('approveWithdrawal', { id }),
    },
    {
      label: 'Hold',
      text: 'Nobody can approve it until it is released.',
      field: reason,
      send: (text) => api('holdWithdrawal', { id, body: { reason: text } }),
    },
  ]
  return [
    ...(heldBy === null ? open : [held]),
    {
      label: 'Refuse',
      text: 'It is credited to the customer again.',
      field: reason,
      send: (text) => api('refuseWithdrawal', { id, body: { reason: text } }),
    },
  ]
}

function Decision({ withdrawal, actions, onDone }: CaseProps) {
  const { id, amount, currency, customerId } = withdrawal
  const [text, setText] = useState('')
  const pending = isPending(actions, id)
  const about = `${amount} ${currency} of ${useCustomerText(customerId)}`
  return (
    <div className="buttons">
      {useChoices(withdrawal).map(({ label, text: effect, field, send }) => (
        <MoneyButton
          key={label}
          className={label === 'Approve' ? 'primary' : ''}
          disabled={pending}
          confirmation={{
            title: `${label} ${about}?`,
            action: label,
            text: effect,
            ...(field === undefined ? {} : { field: { ...field, value: text, onChange: setText } }),
          }}
          onConfirm={() => {
            const given = text.trim()
            setText('')
            actions.start(id, `${label}: ${about}`, async () => {
              await send(given)
              onDone()
            })
          }}
        >
          {label}
        </MoneyButton>
      ))}
    </div>
  )
}
