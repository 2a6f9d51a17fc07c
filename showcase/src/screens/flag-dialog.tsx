import { useId, useState } from 'react'
import { useAction } from '../../../web/action.ts'
import { REASONS_TO_FLAG } from '../../../web/words/moderation.ts'
import type { Tip } from '../answers.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Form } from '../parts/form.tsx'
import { ProblemPanel } from '../parts/states.tsx'
import { useSession } from '../session.tsx'

const REASONS = Object.entries(REASONS_TO_FLAG) as [Reason, string][]
const MAX_NOTE_LENGTH = 300

type Reason = keyof typeof REASONS_TO_FLAG
type FlagDialogProps = { tip: Tip; close(): void; flagged(): void }

export function FlagDialog({ tip, close, flagged }: FlagDialogProps) {
  const { paddock } = useSession()
  const [reason, setReason] = useState<Reason>('spam')
  const [note, setNote] = useState('')
  const noteId = useId()
  const { run, error, isBusy } = useAction(async () => {
    await paddock.flagComment({ id: tip.id, reason, ...(note.trim() === '' ? {} : { note }) })
    flagged()
  })
  return (
    <Dialog title="What is wrong with this tip?" close={close}>
      <Form run={run}>
        <fieldset>
          <legend className="hidden-text">Reason</legend>
          {REASONS.map(([value, label]) => (
            <label key={value} className="choice">
              <input type="radio" name="reason" checked={reason === value} onChange={() => setReason(value)} />
              {label}
            </label>
          ))}
        </fieldset>
        <div className="field">
          <label htmlFor={noteId}>Note to the moderators (optional)</label>
          <textarea
            id={noteId}
            rows={2}
            maxLength={MAX_NOTE_LENGTH}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        </div>
        {error !== undefined && <ProblemPanel error={error} />}
        <div className="buttons">
          <button type="submit" className="primary" aria-disabled={isBusy}>
            Flag this tip
          </button>
          <button type="button" onClick={close}>
            Cancel
          </button>
        </div>
      </Form>
    </Dialog>
  )
}
