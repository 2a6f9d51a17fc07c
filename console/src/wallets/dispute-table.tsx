import { useState } from 'react'
import { linkTo } from '../../../web/route.ts'
import { DISPUTE_STATES, EVIDENCE, reportText } from '../../../web/words/money.ts'
import type { AnswerOf } from '../api/operations.ts'
import { MAX_NOTE_LENGTH } from '../moderation/action-bar.tsx'
import { ActionButton } from '../parts/action.tsx'
import { Badge, DateTime } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { NamedLink } from '../parts/names.tsx'
import { useNotice } from '../parts/notices.tsx'
import { sentenceCase } from '../parts/sentence-case.ts'
import { usePermission, useSession } from '../sign-in/session.tsx'
import styles from './dispute-table.module.css'
import { DISPUTE_LOOKS } from './looks.ts'
import { ProposalLine } from './waits-for.tsx'

type Dispute = AnswerOf<'listDisputes'>['items'][number]
type DisputeTableProps = { items: readonly Dispute[]; onChanged: () => void; withCustomer?: true }

const COLUMNS = ['Amount', 'State', 'Steps', 'Debited', 'Evidence until', 'End']

export function DisputeTable({ items, onChanged, withCustomer }: DisputeTableProps) {
  return (
    <DataTable
      label="Disputes"
      columns={['Opened', ...(withCustomer ? ['Customer'] : []), ...COLUMNS]}
      rows={items.map((dispute) => ({
        key: dispute.id,
        cells: [
          <DateTime key="time" at={dispute.createdAt} />,
          ...(withCustomer ? [<NamedLink key="customer" kind="customer" id={dispute.customerId} />] : []),
          <a key="amount" href={linkTo('deposits', dispute.paymentId)}>
            {dispute.amount} {dispute.currency}
          </a>,
          <Badge key="state" look={DISPUTE_LOOKS[dispute.state]}>
            {DISPUTE_STATES[dispute.state]}
          </Badge>,
          <Steps key="steps" dispute={dispute} />,
          <Debited key="debited" dispute={dispute} />,
          <Deadline key="deadline" dispute={dispute} />,
          <End key="end" dispute={dispute} onChanged={onChanged} />,
        ],
      }))}
    />
  )
}

/** All that the gateway has reported, oldest first. */
function Steps({ dispute: { steps } }: { dispute: Dispute }) {
  return (
    <ol className={styles.steps} aria-label="Steps">
      {steps.map(({ event, amount, at }) => (
        <li key={`${event} ${at} ${amount}`}>
          {sentenceCase(reportText(event))} {amount}{' '}
          <span className="quiet">
            <DateTime at={at} />
          </span>
        </li>
      ))}
    </ol>
  )
}

/** What of it the customer has paid, and what the house, where it is more than the deposit. */
function Debited({ dispute: { charged, debited, house } }: { dispute: Dispute }) {
  const isOther = charged !== debited
  return (
    <span>
      {debited}
      {isOther && <span className="quiet"> of {charged} charged</span>}
      {Number(house) > 0 && <span className="quiet">; the house’s part {house}</span>}
    </span>
  )
}

function Deadline({ dispute: { evidence, answerBy } }: { dispute: Dispute }) {
  if (evidence !== 'open') return <Badge look={evidence === 'supplied' ? 'good' : 'plain'}>{EVIDENCE[evidence]}</Badge>
  if (answerBy === null) return 'no deadline'
  return <DateTime at={answerBy} />
}

/** How it ended. One that is open may be ended by two persons. */
function End({ dispute, onChanged }: { dispute: Dispute; onChanged: () => void }) {
  const may = usePermission()
  const { endedAt, endReason, proposal } = dispute
  if (endedAt !== null) {
    return (
      <span>
        <DateTime at={endedAt} /> <span className="quiet">{reportText(endReason ?? '')}</span>
      </span>
    )
  }
  return (
    <div className={styles.end}>
      <ProposalLine proposal={proposal} />
      {may('endDispute') && proposal?.waitsFor !== 'another person' && (
        <EndButton dispute={dispute} onChanged={onChanged} />
      )}
    </div>
  )
}

function EndButton({
  dispute: { id, amount, currency, proposal },
  onChanged,
}: {
  dispute: Dispute
  onChanged: () => void
}) {
  const { api } = useSession()
  const notify = useNotice()
  const [note, setNote] = useState('')

  async function end(): Promise<void> {
    const { endedAt } = await api('endDispute', { id, body: { note: note.trim() } })
    setNote('')
    notify(endedAt === null ? 'It waits for a second person.' : 'The dispute has ended.')
    onChanged()
  }

  const action = proposal === null ? 'End' : 'Confirm the end'
  const what = `${proposal === null ? 'End' : 'Confirm the end of'} the dispute of ${amount} ${currency}`
  return (
    <ActionButton
      action={end}
      label={what}
      confirmation={{
        title: `${what}?`,
        action,
        text:
          proposal === null
            ? 'When a second person confirms it, what is left of the deposit can go back to its card.'
            : 'What is left of the deposit can then go back to its card. Later news of the gateway opens it again.',
        field: {
          label: 'Note: what you know, and from where',
          value: note,
          onChange: setNote,
          maxLength: MAX_NOTE_LENGTH,
        },
      }}
    >
      {action} …
    </ActionButton>
  )
}
