import { type RefObject, useState } from 'react'
import type { Deposit, DepositWithEvents, Resolution } from '../../../src/operator/api-types.ts'
import { MAX_NOTE_LENGTH } from '../moderation/action-bar.tsx'
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
  /** What the first of two persons has decided. */
  proposal: DepositWithEvents['proposal']
  actions: MoneyActions
  /** Confirmed; it is sent when it can no longer be taken back. */
  onConfirmed?: () => void
  /** `result`: what is true now, in words. */
  onResolved: (result: string) => void
  /** The first choice, for a shortcut that leads to it. */
  firstChoice?: RefObject<HTMLInputElement | null>
}

export function ResolutionForm({
  deposit,
  proposal,
  actions,
  onConfirmed,
  onResolved,
  firstChoice,
}: ResolutionFormProps) {
  const { paymentId, amount, currency, customerId } = deposit
  const { api } = useSession()
  const [outcome, setOutcome] = useState<Resolution['outcome'] | null>(null)
  const note = useDraft(`resolution ${paymentId}`)
  const what = `Resolve ${amount} ${currency} of ${useCustomerText(customerId)} as ${outcome}`
  const pending = isPending(actions, paymentId)
  /** Who has proposed it cannot confirm it. */
  const isOwn = (one: Resolution['outcome']) => proposal?.waitsFor === 'another person' && proposal.outcome === one

  async function resolve(): Promise<void> {
    if (outcome === null) return
    const { proposal: waiting } = await api('resolveDeposit', { paymentId, body: { outcome, note: note.text.trim() } })
    note.discard()
    onResolved(waiting === null ? outcome : `${outcome}, if a second person confirms it`)
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
      <OutcomeField chosen={outcome} onChoose={setOutcome} isOwn={isOwn} firstChoice={firstChoice} />
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

type OutcomeFieldProps = {
  chosen: Resolution['outcome'] | null
  onChoose: (outcome: Resolution['outcome']) => void
  isOwn: (outcome: Resolution['outcome']) => boolean
  firstChoice: RefObject<HTMLInputElement | null> | undefined
}

function OutcomeField({ chosen, onChoose, isOwn, firstChoice }: OutcomeFieldProps) {
  return (
    <fieldset>
      <legend>Result at the gateway</legend>
      {OUTCOMES.map(({ outcome, label }, index) => (
        <label className="check" key={outcome}>
          <input
            type="radio"
            {...(index === 0 && firstChoice !== undefined ? { ref: firstChoice } : {})}
            name="outcome"
            required
            disabled={isOwn(outcome)}
            checked={chosen === outcome}
            onChange={() => onChoose(outcome)}
          />{' '}
          <span>
            {label}
            {isOwn(outcome) && <span className="quiet"> (waits for a second person)</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
