import { useState } from 'react'
import { linkTo } from '../../../web/route.ts'
import { reportText } from '../../../web/words/money.ts'
import type { AnswerOf } from '../api/operations.ts'
import { usePagedList } from '../api/resource.ts'
import { MAX_NOTE_LENGTH } from '../moderation/action-bar.tsx'
import { ActionButton } from '../parts/action.tsx'
import { Badge, DateTime, ScreenHeader } from '../parts/basics.tsx'
import { NamedLink } from '../parts/names.tsx'
import { useNotice } from '../parts/notices.tsx'
import { Pager, usePages } from '../parts/pager.tsx'
import { sentenceCase } from '../parts/sentence-case.ts'
import { usePermission, useSession } from '../sign-in/session.tsx'
import { Fact } from './fact.tsx'
import { NoDecision } from './waits-for.tsx'

type Unapplied = AnswerOf<'listUnappliedNotifications'>['items'][number]

export function UnappliedScreen() {
  const list = usePagedList('listUnappliedNotifications', { query: {} })
  const pages = usePages(list)
  const { items, loading, refusal } = list
  return (
    <>
      <ScreenHeader title="Unapplied notifications">
        <button type="button" onClick={list.reload} aria-disabled={loading}>
          Refresh
        </button>
      </ScreenHeader>
      <p className="lead">
        What the gateway reported that contradicts our books, or could not be applied because of an error of ours; the
        oldest first. Find out what is true, correct it, then settle the notification with a note.
      </p>
      {items.length === 0 && !loading && !refusal && (
        <p className="empty">
          <strong>The list is empty.</strong> Nothing that the gateway reported contradicts our books.
        </p>
      )}
      {pages.shown.map((one) => (
        <UnappliedCard key={one.id} notification={one} onDone={list.reload} />
      ))}
      <Pager pages={pages} />
    </>
  )
}

type CardProps = { notification: Unapplied; onDone: () => void }

function UnappliedCard({ notification, onDone }: CardProps) {
  const may = usePermission()
  const { contradiction, meaning, nextStep, receivedAt, attempts } = notification
  const title = titleOf(notification)
  return (
    <article className="card" aria-label={`${title}, notification ${notification.id}`}>
      <header>
        <h2>{title}</h2>
        <span>
          {contradiction === null ? (
            <Badge look="bad">an error of ours</Badge>
          ) : (
            <Badge look="warn">contradicts our books</Badge>
          )}{' '}
          <span className="quiet">
            <DateTime at={receivedAt} />
            {attempts > 0 && `, tried again ${attempts === 1 ? 'once' : `${attempts} times`}`}
          </span>
        </span>
      </header>
      <p>
        <strong>{meaning}</strong> {nextStep}
      </p>
      <SaidFacts notification={notification} />
      {may('settleNotification') ? <Settle notification={notification} onDone={onDone} /> : <NoDecision />}
    </article>
  )
}

/** "Refunded 5.00 GBP, without success" */
function titleOf({ event, success, content }: Unapplied): string {
  const amount = content === null || content.amount === null ? '' : ` ${content.amount} ${content.currency}`
  return `${sentenceCase(reportText(event))}${amount}${success ? '' : ', without success'}`
}

function SaidFacts({ notification }: Pick<CardProps, 'notification'>) {
  const { gateway, event, reference, content, subject, customerId } = notification
  return (
    <dl className="facts">
      {subject !== null && (
        <Fact name="About">
          <a href={pageOf(subject)}>
            {subject.type} {subject.type === 'deposit' ? subject.id.slice(0, 8) : subject.id}
          </a>
        </Fact>
      )}
      {customerId !== null && (
        <Fact name="Customer">
          <NamedLink kind="customer" id={customerId} isLabelled />
        </Fact>
      )}
      <Fact name="Gateway">{gateway}</Fact>
      <Fact name="Its name for it">
        <code>{event}</code>
      </Fact>
      <Fact name="Our reference">
        <code>{reference}</code>
      </Fact>
      {content !== null && content.gatewayReference !== '' && (
        <Fact name="Its reference">
          <code>{content.gatewayReference}</code>
        </Fact>
      )}
      {content !== null && content.reason !== '' && <Fact name="Its reason">{content.reason}</Fact>}
    </dl>
  )
}

/** Refunds and disputes have lists only. */
function pageOf({ type, id }: NonNullable<Unapplied['subject']>): string {
  if (type === 'refund') return `${linkTo('refunds')}?show=review`
  if (type === 'dispute') return `${linkTo('disputes')}?show=all`
  return linkTo(`${type}s`, id)
}

function Settle({ notification, onDone }: CardProps) {
  const { api } = useSession()
  const notify = useNotice()
  const [note, setNote] = useState('')
  const title = titleOf(notification)

  async function settle(): Promise<void> {
    await api('settleNotification', { id: notification.id, body: { note: note.trim() } })
    setNote('')
    notify('The notification is settled.')
    onDone()
  }

  return (
    <div className="buttons">
      <ActionButton
        action={settle}
        label={`Settle notification ${notification.id}`}
        confirmation={{
          title: `Settle “${title}”?`,
          action: 'Settle',
          text: 'It leaves this list and is not tried again. What is in review because of it is resolved on its own.',
          field: {
            label: 'Note: what you found out, and what you did',
            value: note,
            onChange: setNote,
            maxLength: MAX_NOTE_LENGTH,
          },
        }}
      >
        Settle …
      </ActionButton>
    </div>
  )
}
