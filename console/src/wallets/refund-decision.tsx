import { useState } from 'react'
import { linkTo } from '../../../web/route.ts'
import type { AnswerOf } from '../api/operations.ts'
import { MAX_NOTE_LENGTH } from '../moderation/action-bar.tsx'
import { ActionButton } from '../parts/action.tsx'
import { isPending, type MoneyActions, MoneyButton, SENT_LATER } from '../parts/money-actions.tsx'
import { useCustomerText } from '../parts/names.tsx'
import { useNotice } from '../parts/notices.tsx'
import { usePermission, useSession } from '../sign-in/session.tsx'
import styles from './refund-decision.module.css'
import { ProposalLine, WaitsForBadge } from './waits-for.tsx'
import { type Choice, Choices } from './withdrawal-decision.tsx'

export type Refund = AnswerOf<'listRefunds'>['items'][number]

type DecisionProps = { refund: Refund; actions: MoneyActions; onDecided: () => void }

/** What somebody decides about a refund, or who has approved it. */
export function RefundDecision({ refund, actions, onDecided }: DecisionProps) {
  const may = usePermission()
  const { needsApproval, waitsFor, withdrawalId, proposal, state, approvedBy, origin } = refund
  const props = { refund, actions, onDecided }
  if (withdrawalId !== null) return <a href={linkTo('withdrawals', withdrawalId)}>Withdrawal {withdrawalId}</a>
  if (needsApproval) {
    return (
      <div className={styles.decision}>
        <WaitsForBadge waitsFor={waitsFor} />
        {may('approveRefund') && <Approval {...props} />}
      </div>
    )
  }
  if (state === 'REVIEW' || proposal !== null) return <Review {...props} />
  return approvedBy ?? (origin === 'operator' ? 'not needed' : '')
}

/** Who requested it does not approve it, but may refuse it. */
function Approval({ refund, actions, onDecided }: DecisionProps) {
  const { api } = useSession()
  const notify = useNotice()
  const [reason, setReason] = useState('')
  const what = `the refund of ${refund.amount} ${refund.currency}`

  const approval = `Approve ${what} of ${useCustomerText(refund.customerId)}`

  async function approve(): Promise<void> {
    await api('approveRefund', { id: refund.id })
    onDecided()
  }
  async function refuse(): Promise<void> {
    await api('refuseRefund', { id: refund.id, body: { reason: reason.trim() } })
    notify('The refund is refused.')
    onDecided()
  }

  return (
    <span className="buttons">
      {refund.waitsFor === 'me' && (
        <MoneyButton
          className="primary"
          disabled={isPending(actions, refund.id)}
          confirmation={{ title: `${approval}?`, action: 'Approve', text: SENT_LATER }}
          onConfirm={() => actions.start(refund.id, approval, approve)}
        >
          Approve …
        </MoneyButton>
      )}
      <ActionButton
        action={refuse}
        label={`Refuse ${what}`}
        confirmation={{
          title: `Refuse ${what}?`,
          action: 'Refuse',
          isDangerous: true,
          text: 'Nothing is sent, and the customer gets the amount back.',
          field: { label: 'Reason', value: reason, onChange: setReason, maxLength: MAX_NOTE_LENGTH },
        }}
      >
        Refuse …
      </ActionButton>
    </span>
  )
}

const OUTCOMES = [
  { outcome: 'done', label: 'Paid', text: 'The gateway returned the money to the card.' },
  { outcome: 'failed', label: 'Failed', text: 'It did not arrive; it is credited to the customer again.' },
] as const

/** One whose result a person has looked up at the gateway. */
function Review({ refund, actions, onDecided }: DecisionProps) {
  const { api } = useSession()
  const may = usePermission()
  const { id, amount, currency, proposal, why, reference } = refund
  const about = `the refund of ${amount} ${currency} of ${useCustomerText(refund.customerId)}`
  const choices: Choice[] = OUTCOMES
    // Who has proposed it waits for a second person, and can only propose the other.
    .filter(({ outcome }) => !(proposal?.waitsFor === 'another person' && proposal.outcome === outcome))
    .map(({ outcome, label, text }) => ({
      label: proposal?.outcome === outcome ? `Confirm: ${label.toLowerCase()}` : label,
      text: proposal?.outcome === outcome ? `${proposal.by} has proposed the same: ${text}` : text,
      field: { label: 'Note: what you saw, and where', maxLength: MAX_NOTE_LENGTH },
      send: (note) => api('resolveRefund', { id, body: { outcome, note } }),
    }))
  return (
    <div className={styles.decision}>
      {why} <span className="quiet">Our reference:</span> <code>{reference}</code>
      <ProposalLine proposal={proposal} />
      {may('resolveRefund') && (
        <Choices choices={choices} subject={`refund ${id}`} about={about} actions={actions} onDone={onDecided} />
      )}
    </div>
  )
}
