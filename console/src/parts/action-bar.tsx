import type { RefObject } from 'react'
import { type Action, actionsFor, type Subject } from '../subject.ts'
import { Field } from './basics.tsx'
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
      <Field label="Note (optional, kept with the decision)">
        {(ids) => (
          <input
            {...ids}
            {...(noteField === undefined ? {} : { ref: noteField })}
            value={note}
            maxLength={MAX_NOTE_LENGTH}
            autoComplete="off"
            onChange={(event) => onNote(event.target.value)}
          />
        )}
      </Field>
      <div className="buttons">
        {actionsFor(subject).map((action) => (
          <button
            key={action.action}
            type="button"
            className={action.look}
            aria-keyshortcuts={action.key}
            // The second click of a double click would decide the next subject unseen.
            onClick={(event) => event.detail <= 1 && onAction(action)}
          >
            {action.label} <KeyHint letter={action.key} />
          </button>
        ))}
      </div>
    </section>
  )
}
