import { useState } from 'react'
import type { Withdrawal } from '../../../src/operator/api-types.ts'
import { linkTo } from '../../../web/route.ts'
import { usePagedList, useResource } from '../api/resource.ts'
import { Age } from '../parts/age.tsx'
import { Badge, DateTime, type Look, ScreenHeader } from '../parts/basics.tsx'
import { isPending, type MoneyActions, MoneyButton, MoneyTray, useMoneyActions } from '../parts/money-actions.tsx'
import { NamedLink, useCustomerText } from '../parts/names.tsx'
import { Pager, usePages } from '../parts/pager.tsx'
import { ResourceView } from '../parts/resource-view.tsx'
import { usePermission, useSession } from '../sign-in/session.tsx'
import { CardName } from './card-name.tsx'
import { DepositTrail } from './deposit-trail.tsx'

/** Of the inboxes, the one that waits longest is first; of all, the newest. */
const LISTS = [
  { state: 'REQUESTED', title: 'Waiting for approval', empty: 'No withdrawal waits for approval.' },
  { state: 'REVIEW', title: 'Without a result', empty: 'No withdrawal needs manual review.' },
  { state: '', title: 'All', empty: 'No withdrawals.' },
] as const
type List = (typeof LISTS)[number]

/** What the customer reads is short. */
const MAX_REASON_LENGTH = 200
const MAX_NOTE_LENGTH = 1000

function withdrawalsLink(list: List, day = ''): string {
  const fields = { ...(list === LISTS[0] ? {} : { state: list.state || 'all' }), ...(day === '' ? {} : { day }) }
  return linkTo('withdrawals') + (Object.keys(fields).length === 0 ? '' : `?${new URLSearchParams(fields)}`)
}

export function WithdrawalsScreen({ query }: { query: URLSearchParams }) {
  const actions = useMoneyActions()
  const shown = LISTS.find(({ state }) => (state || 'all') === query.get('state')) ?? LISTS[0]
  const day = query.get('day') ?? ''
  const dates = shown.state === '' ? { to: day } : { from: day }
  const list = usePagedList('listWithdrawals', { query: { state: shown.state, ...dates } })
  const pages = usePages(list)
  const { items, loading, refusal } = list
  return (
    <>
      <ScreenHeader title="Withdrawals">
        <button type="button" onClick={list.reload} aria-disabled={loading}>
          Refresh
        </button>
      </ScreenHeader>
      <p className="lead">Two different operators approve a withdrawal. What you do here is sent after 5 seconds.</p>
      <nav className="tabs" aria-label="Which withdrawals">
        {LISTS.map((one) => (
          <a key={one.title} href={withdrawalsLink(one)} aria-current={one === shown ? 'page' : undefined}>
            {one.title}
          </a>
        ))}
      </nav>
      <MoneyTray actions={actions} />
      {items.length === 0 && !loading && !refusal && (
        <p className="empty">{day === '' ? shown.empty : 'None on that side of the day.'}</p>
      )}
      {pages.shown.map((one) => (
        <WithdrawalCard key={one.id} withdrawal={one} actions={actions} onDone={list.reload} />
      ))}
      <Pager pages={pages} day={day} onDate={(chosen) => (location.hash = withdrawalsLink(shown, chosen))} />
    </>
  )
}

/** With its whole history. */
export function WithdrawalScreen({ id }: { id: string }) {
  const actions = useMoneyActions()
  const resource = useResource('getWithdrawal', { id })
  return (
    <>
      <ScreenHeader title={`Withdrawal ${id}`} />
      <MoneyTray actions={actions} />
      <ResourceView resource={resource}>
        {({ events, ...withdrawal }) => (
          <>
            <WithdrawalCard withdrawal={withdrawal} actions={actions} onDone={resource.reload} isOwnPage />
            <DepositTrail events={events} />
          </>
        )}
      </ResourceView>
    </>
  )
}

const LOOKS: Record<Withdrawal['state'], Look> = {
  REQUESTED: 'wait',
  APPROVED: 'wait',
  SENDING: 'wait',
  PAID: 'good',
  RETURNED: 'bad',
  REFUSED: 'bad',
  REVIEW: 'warn',
}

type CardProps = { withdrawal: Withdrawal; actions: MoneyActions; onDone: () => void; isOwnPage?: true }

function WithdrawalCard({ withdrawal, actions, onDone, isOwnPage }: CardProps) {
  const { id, amount, currency, customerId, createdAt, approvedBy, heldBy, holdReason, review, state } = withdrawal
  const may = usePermission()
  const isOpen = state === 'REQUESTED' || state === 'REVIEW'
  const sum = `${amount} ${currency}`
  return (
    <article className="card" aria-label={`Withdrawal ${id}`}>
      <header>
        <h2>{isOwnPage ? sum : <a href={linkTo('withdrawals', id)}>{sum}</a>}</h2>
        <span>
          <Badge look={LOOKS[state]}>{state}</Badge> {heldBy !== null && <Badge look="warn">held</Badge>}{' '}
          {isOpen && (
            <span className="quiet">
              for <Age since={createdAt} />
            </span>
          )}
        </span>
      </header>
      <dl className="facts">
        <Fact name="Customer">
          <NamedLink kind="customer" id={customerId}>
            {customerId}
          </NamedLink>
        </Fact>
        <Fact name="Requested">
          <DateTime at={createdAt} />
        </Fact>
        <Fact name="Card">
          <CardName card={withdrawal} />
        </Fact>
        <Fact name="Approved by">{approvers(approvedBy, state)}</Fact>
        {heldBy !== null && <Fact name="Held by">{heldBy}</Fact>}
        {holdReason !== null && <Fact name="The customer reads">{holdReason}</Fact>}
        {review !== null && <Fact name="Why">{REVIEWS[review]}</Fact>}
        <Fact name="Merchant reference">
          <code>{withdrawal.reference}</code>
        </Fact>
      </dl>
      {isOpen && may('approveWithdrawal') && <Decision withdrawal={withdrawal} actions={actions} onDone={onDone} />}
      {isOpen && !may('approveWithdrawal') && <p className="quiet">Your role can view the inbox but not decide.</p>}
    </article>
  )
}

function approvers(names: readonly string[], state: Withdrawal['state']): string {
  if (names.length > 0) return names.join(', ')
  return state === 'REQUESTED' || state === 'REFUSED' ? 'nobody yet' : 'the rule'
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

function Decision({ withdrawal, actions, onDone }: CardProps) {
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
