import type { RefObject } from 'react'
import type { Subject } from '../../../src/operator/api-types.ts'
import { type Action, actionsFor } from '../subject.ts'
import { TextField } from './fields.tsx'
import { KeyHint } from './key-hint.tsx'

type ActionBarProps = {
  subject: Subject
  note: string
  onNote: (note: string) => void
  onAction: (action: Action) => void
  noteField?: RefObject<HTMLInputElement | null>
}

export const MAX_NOTE_LENGTH = 1000

export function ActionBar({ subject, note, onNote, onAction, noteField }: ActionBarProps) {
  return (
    <section className="action-bar" aria-label="Decide">
      <TextField
        label="Note (optional, stored with the decision)"
        {...(noteField === undefined ? {} : { ref: noteField })}
        value={note}
        onChange={onNote}
        maxLength={MAX_NOTE_LENGTH}
        autoComplete="off"
      />
      <div className="buttons">
        {actionsFor(subject).map((action) => (
          <button
            key={action.action}
            type="button"
            className={action.look}
            aria-keyshortcuts={action.key}
            // The second click of a double click would decide the next subject, which nobody has seen.
            onClick={(event) => event.detail <= 1 && onAction(action)}
          >
            {action.label} <KeyHint letter={action.key} />
          </button>
        ))}
      </div>
    </section>
  )
}
