import { type RefObject, useState } from 'react'
import type { Resolution } from '../../../src/operator/api-types.ts'
import { MAX_NOTE_LENGTH } from '../moderation/action-bar.tsx'
import { ActionForm } from '../parts/action.tsx'
import { useDraft } from '../parts/drafts.ts'
import { TextField } from '../parts/fields.tsx'
import { useNotice } from '../parts/notices.tsx'
import { useSession } from '../sign-in/session.tsx'

const OUTCOMES: readonly { outcome: Resolution['outcome']; label: string }[] = [
  { outcome: 'captured', label: 'Captured: the gateway took the money; the customer keeps the credit' },
  { outcome: 'voided', label: 'Voided: the gateway did not take the money, or refunded it; the credit is reversed' },
]

type ResolutionFormProps = {
  /** Of the deposit. */
  id: string
  onResolved: (outcome: Resolution['outcome']) => void
  /** The first choice, for a shortcut that leads to it. */
  firstChoice?: RefObject<HTMLInputElement | null>
}

export function ResolutionForm({ id, onResolved, firstChoice }: ResolutionFormProps) {
  const { api } = useSession()
  const notify = useNotice()
  const [outcome, setOutcome] = useState<Resolution['outcome'] | null>(null)
  const note = useDraft(`resolution ${id}`)

  async function resolve(): Promise<void> {
    if (outcome === null) return
    await api('resolveDeposit', { paymentId: id, body: { outcome, note: note.text.trim() } })
    note.discard()
    notify(`The deposit is ${outcome}.`)
    onResolved(outcome)
  }

  return (
    <ActionForm action={resolve}>
      {(busy) => (
        <>
          <h2>Needs manual review</h2>
          <p>Look up the payment at the gateway first. What you enter here moves money and cannot be undone.</p>
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
          <button type="submit" className="primary" aria-disabled={busy}>
            Resolve
          </button>
        </>
      )}
    </ActionForm>
  )
}
