import { useState } from 'react'
import type { Card } from '../../../src/operator/api-types.ts'
import { useResource } from '../api/resource.ts'
import { MAX_NOTE_LENGTH } from '../moderation/action-bar.tsx'
import { ActionButton } from '../parts/action.tsx'
import { Badge, DateTime } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { useNotice } from '../parts/notices.tsx'
import { ResourceView } from '../parts/resource-view.tsx'
import { usePermission, useSession } from '../sign-in/session.tsx'
import { CardName } from '../wallets/card-name.tsx'
import { ProposalLine } from '../wallets/waits-for.tsx'
import styles from './cards.module.css'

export function CustomerCards({ id, currency }: { id: string; currency: string }) {
  const cards = useResource('listPaymentMethods', { id })
  const may = usePermission()
  const mayChange = may('closePaymentMethod')
  return (
    <section className="panel" aria-labelledby="cards">
      <h2 id="cards">Cards</h2>
      <ResourceView resource={cards}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="quiet">No cards.</p>
          ) : (
            <DataTable
              label="Cards"
              columns={['Card', 'Deposits', 'State', 'Actions'].slice(0, mayChange ? 4 : 3)}
              rows={items.map((card) => ({
                key: card.id,
                cells: [
                  <span key="card">
                    <CardName card={{ ...card, lastFour: card.number.slice(-4) }} />{' '}
                    <span className="quiet">
                      {[card.number, card.funding, card.country].join(', ')}, {holderOf(card)}
                    </span>
                  </span>,
                  `${card.minDeposit} to ${card.maxDeposit} ${currency}`,
                  <CardState key="state" card={card} />,
                  ...(mayChange ? [<CardActions key="actions" id={id} card={card} onChanged={cards.reload} />] : []),
                ],
              }))}
            />
          )
        }
      </ResourceView>
    </section>
  )
}

/** From this many wrong cv2 in a row on, deposits are refused. */
const WRONG_CV2_LIMIT = 5

/** Without a name the card takes only what it paid in. */
function holderOf({ firstName, lastName }: Card): string {
  return firstName === null || lastName === null ? 'no name: returns only' : `of ${firstName} ${lastName}`
}

function CardState({ card: { closedAt, wrongCv2, accountClosedAt } }: { card: Card }) {
  if (accountClosedAt !== null) {
    return (
      <span>
        <Badge look="bad">account closed</Badge> <DateTime at={accountClosedAt} />
      </span>
    )
  }
  if (closedAt !== null) {
    return (
      <span>
        <Badge look="bad">closed</Badge> <DateTime at={closedAt} />
      </span>
    )
  }
  if (wrongCv2 >= WRONG_CV2_LIMIT) return <Badge look="warn">{wrongCv2} wrong CV2</Badge>
  return <Badge look="good">open</Badge>
}

type CardActionProps = { id: string; card: Card; onChanged: () => void }

function CardActions(props: CardActionProps) {
  const may = usePermission()
  const { accountClosedAt, proposal } = props.card
  return (
    <div className={styles.actions}>
      <div className="buttons">
        <CardAction {...props} />
        {may('recordAccountClosure') && accountClosedAt === null && proposal?.waitsFor !== 'another person' && (
          <AccountClosure {...props} />
        )}
      </div>
      <ProposalLine proposal={proposal} words="the account behind it is closed" />
    </div>
  )
}

function CardAction({ id, card, onChanged }: CardActionProps) {
  const { api } = useSession()
  const notify = useNotice()
  const [reason, setReason] = useState('')
  const isClosed = card.closedAt !== null || card.wrongCv2 >= WRONG_CV2_LIMIT

  async function close(): Promise<void> {
    await api('closePaymentMethod', { id, methodId: card.id, body: { reason: reason.trim() } })
    notify(`Card ${card.number} is closed.`)
    onChanged()
  }

  async function reopen(): Promise<void> {
    await api('reopenPaymentMethod', { id, methodId: card.id })
    notify(`Card ${card.number} is open again.`)
    onChanged()
  }

  const closing = {
    title: `Close card ${card.number}?`,
    action: 'Close card',
    isDangerous: true,
    text: 'The customer no longer sees it and cannot deposit with it, until you reopen it. Withdrawals to it wait for two persons.',
    field: { label: 'Reason', value: reason, onChange: setReason, maxLength: MAX_NOTE_LENGTH },
  }
  const reopening = {
    title: `Reopen card ${card.number}?`,
    action: 'Reopen card',
    text: 'The customer can deposit with it again at once.',
  }
  return isClosed ? (
    <ActionButton label={`Reopen card ${card.number}`} action={reopen} confirmation={reopening}>
      Reopen …
    </ActionButton>
  ) : (
    <ActionButton className="danger" label={`Close card ${card.number}`} action={close} confirmation={closing}>
      Close …
    </ActionButton>
  )
}

/** Two persons record it: what the card paid in can then go elsewhere. */
function AccountClosure({ id, card: { id: methodId, number, proposal }, onChanged }: CardActionProps) {
  const { api } = useSession()
  const notify = useNotice()
  const [note, setNote] = useState('')

  async function record(): Promise<void> {
    const { accountClosedAt } = await api('recordAccountClosure', { id, methodId, body: { note: note.trim() } })
    setNote('')
    notify(accountClosedAt === null ? 'It waits for a second person.' : `The account behind card ${number} is closed.`)
    onChanged()
  }

  const effect = 'What the card paid in can then go elsewhere, and withdrawals to it are credited again.'
  return (
    <ActionButton
      action={record}
      label={`Account closed: card ${number}`}
      confirmation={{
        title: `Record that the account behind card ${number} is closed?`,
        action: proposal === null ? 'Record' : 'Confirm',
        text: proposal === null ? `It takes effect when a second person confirms it. ${effect}` : effect,
        field: { label: 'Proof', value: note, onChange: setNote, maxLength: MAX_NOTE_LENGTH },
      }}
    >
      Account closed …
    </ActionButton>
  )
}
