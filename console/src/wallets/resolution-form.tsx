import { type RefObject, useState } from 'react'
import type { Deposit, DepositWithEvents, Resolution } from '../../../src/operator/api-types.ts'
import { MAX_NOTE_LENGTH } from '../moderation/action-bar.tsx'
import { DateTime } from '../parts/basics.tsx'
import { useDraft } from '../parts/drafts.ts'
import { TextField } from '../parts/fields.tsx'
import { isPending, type MoneyActions, MoneyForm, SENT_LATER } from '../parts/money-actions.tsx'
import { useCustomerText } from '../parts/names.tsx'
import { useSession } from '../sign-in/session.tsx'

const OUTCOMES: readonly { outcome: Resolution['outcome']; label: string }[] = [
  { outcome: 'captured', label: 'Captured: the gateway took the money; the customer keeps the credit' },
  { outcome: 'voided', label: 'Voided: the gateway did not take the money, or refunded it; the credit is reversed' },
]

type ResolutionFormProps = {
  deposit: Deposit
  actions: MoneyActions
  /** Confirmed; it is sent when it can no longer be taken back. */
  onConfirmed?: () => void
  /** `result`: what is true now, in words. */
  onResolved: (result: string) => void
  /** The first choice, for a shortcut that leads to it. */
  firstChoice?: RefObject<HTMLInputElement | null>
}

export function ResolutionForm({ deposit, actions, onConfirmed, onResolved, firstChoice }: ResolutionFormProps) {
  const { paymentId, amount, currency, customerId } = deposit
  const { api } = useSession()
  const [outcome, setOutcome] = useState<Resolution['outcome'] | null>(null)
  const note = useDraft(`resolution ${paymentId}`)
  const what = `Resolve ${amount} ${currency} of ${useCustomerText(customerId)} as ${outcome}`
  const pending = isPending(actions, paymentId)

  async function resolve(): Promise<void> {
    if (outcome === null) return
    const { proposal } = await api('resolveDeposit', { paymentId, body: { outcome, note: note.text.trim() } })
    note.discard()
    onResolved(proposal === null ? outcome : `${outcome}, if another operator confirms it`)
  }

  return (
    <MoneyForm
      disabled={pending}
      confirmation={{ title: `${what}?`, action: 'Resolve', text: SENT_LATER }}
      onConfirm={() => {
        actions.start(paymentId, what, resolve)
        onConfirmed?.()
      }}
    >
      <h2>Needs manual review</h2>
      <p>Look up the payment at the gateway first. What you enter here moves money.</p>
      <fieldset>
        <legend>Result at the gateway</legend>
        {OUTCOMES.map((one, index) => (
          <label className="check" key={one.outcome}>
            <input
              type="radio"
              {...(index === 0 && firstChoice !== undefined ? { ref: firstChoice } : {})}
              name="outcome"
              required
              checked={outcome === one.outcome}
              onChange={() => setOutcome(one.outcome)}
            />{' '}
            {one.label}
          </label>
        ))}
      </fieldset>
      <TextField
        label="Note"
        hint="What you saw, and where."
        value={note.text}
        onChange={note.set}
        required
        maxLength={MAX_NOTE_LENGTH}
      />
      <button type="submit" className="primary" aria-disabled={pending}>
        Resolve …
      </button>
    </MoneyForm>
  )
}

/** Of a large amount, for the operator who comes second. */
export function ProposedResolution({ proposal }: { proposal: DepositWithEvents['proposal'] }) {
  if (proposal === null) return null
  return (
    <p className="panel">
      <strong>
        {proposal.by} proposes: {proposal.outcome}.
      </strong>{' '}
      {proposal.note} <DateTime at={proposal.at} /> It takes effect when another operator resolves it the same way.
    </p>
  )
}
