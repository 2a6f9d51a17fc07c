import { useState } from 'react'
import type { Withdrawal } from '../../../src/operator/api-types.ts'
import { isPending, type MoneyActions, MoneyButton } from '../parts/money-actions.tsx'
import { useCustomerText } from '../parts/names.tsx'
import { useSession } from '../sign-in/session.tsx'

/** What the customer reads is short. */
const MAX_REASON_LENGTH = 200

export type Choice = {
  label: string
  text: string
  field?: { label: string; maxLength: number }
  isPrimary?: true
  isDangerous?: boolean
  send: (text: string) => Promise<unknown>
}

/** Who requests it for a customer is the first who approves it. */
export const isApprovedByOne = ({ approvedBy, requestedBy }: Pick<Withdrawal, 'approvedBy' | 'requestedBy'>) =>
  approvedBy.length > 0 || requestedBy !== null

type DecisionProps = { withdrawal: Withdrawal; actions: MoneyActions; onDone: () => void }

/** Approval, hold and refusal of what waits. Who has approved or requested it does not approve it again. */
export function WithdrawalDecision({ withdrawal, actions, onDone }: DecisionProps) {
  const { id, amount, currency, customerId } = withdrawal
  const about = `${amount} ${currency} of ${useCustomerText(customerId)}`
  const choices = useChoices(withdrawal)
  if (choices.length === 0) return null
  return <Choices choices={choices} subject={id} about={about} actions={actions} onDone={onDone} />
}

function useChoices(withdrawal: Withdrawal): Choice[] {
  const { id, hold, needsApproval, parts, waitsFor } = withdrawal
  const { api } = useSession()
  const reason = { label: 'Reason, which the customer reads', maxLength: MAX_REASON_LENGTH }
  const approve: Choice = {
    label: 'Approve',
    text: isApprovedByOne(withdrawal)
      ? 'You are the second person: it is sent to the card.'
      : 'A second person must approve it too: then it is sent to the card.',
    isPrimary: true,
    send: () => api('approveWithdrawal', { id }),
  }
  const holding: Choice =
    hold === 'operator'
      ? {
          label: 'Release',
          text: 'It can be approved again.',
          send: () => api('releaseWithdrawal', { id }),
        }
      : {
          label: 'Hold',
          text: 'Nobody can approve it until it is released.',
          field: reason,
          send: (text) => api('holdWithdrawal', { id, body: { reason: text } }),
        }
  const refuse: Choice = {
    label: 'Refuse',
    isDangerous: true,
    text: 'What is not being sent is credited to the customer again.',
    field: reason,
    send: (text) => api('refuseWithdrawal', { id, body: { reason: text } }),
  }
  return [
    ...(needsApproval && waitsFor === 'me' ? [approve] : []),
    ...(needsApproval ? [holding] : []),
    ...(parts.some(({ state }) => state === 'WAITING') ? [refuse] : []),
  ]
}

type ChoicesProps = {
  choices: readonly Choice[]
  /** One choice of it is sent at a time. */
  subject: string
  /** With amount and customer. */
  about: string
  actions: MoneyActions
  onDone: () => void
}

/** A button for each, which asks first; all share the text of their field. */
export function Choices({ choices, subject, about, actions, onDone }: ChoicesProps) {
  const [text, setText] = useState('')
  return (
    <div className="buttons">
      {choices.map(({ label, text: effect, field, isPrimary, isDangerous, send }) => (
        <MoneyButton
          key={label}
          className={isPrimary ? 'primary' : ''}
          disabled={isPending(actions, subject)}
          confirmation={{
            title: `${label} ${about}?`,
            action: label,
            text: effect,
            ...(isDangerous ? { isDangerous } : {}),
            ...(field === undefined ? {} : { field: { ...field, value: text, onChange: setText } }),
          }}
          onConfirm={() => {
            const given = text.trim()
            setText('')
            actions.start(subject, `${label} ${about}`, async () => {
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
