import { type RefObject, useRef } from 'react'
import type { ModerationTexts, Subject } from '../../../src/operator/api-types.ts'
import { useResource } from '../api/resource.ts'
import { useDraft } from '../parts/drafts.ts'
import { TextField } from '../parts/fields.tsx'
import { KeyHint } from '../parts/key-hint.tsx'
import { useKeys } from '../parts/shortcuts.tsx'
import { usePermission } from '../sign-in/session.tsx'
import styles from './action-bar.module.css'
import { isRestricting, parseReasons, reasonsDraftKey, saveReasons } from './reasons.ts'
import { NoteTexts, ReasonsForm } from './reasons-form.tsx'
import type { Action } from './subject.ts'

type ActionBarProps = {
  /** Whose draft has the reasons. */
  drafts: Pick<Subject, 'kind' | 'id'>
  actions: readonly Action[]
  note: string
  onNote: (note: string) => void
  onAction: (action: Action) => void
  noteField?: RefObject<HTMLInputElement | null>
}

export const MAX_NOTE_LENGTH = 1000

export function ActionBar({ drafts, actions, note, onNote, onAction, noteField }: ActionBarProps) {
  const texts = useModerationTexts()
  const { text: draft } = useDraft(reasonsDraftKey(drafts))
  const details = useRef<HTMLDetailsElement>(null)
  const canRestrict = actions.some(({ action }) => isRestricting(action))

  useKeys({
    reasons: () => {
      if (details.current === null) return
      details.current.open = true
      details.current.querySelector('select')?.focus()
    },
  })

  return (
    <section className={styles.actionBar} aria-label="Decide">
      <NoteTexts notes={texts?.notes ?? []}>
        {(list) => (
          <TextField
            label="Note (optional, stored with the decision)"
            {...(noteField === undefined ? {} : { ref: noteField })}
            value={note}
            onChange={onNote}
            maxLength={MAX_NOTE_LENGTH}
            autoComplete="off"
            list={list}
          />
        )}
      </NoteTexts>
      {canRestrict && texts !== undefined && (
        <ReasonsForm
          key={drafts.id}
          clauses={texts.clauses}
          reasons={parseReasons(draft)}
          onChange={(reasons) => saveReasons(drafts, reasons)}
          details={details}
        />
      )}
      <div className="buttons">
        {actions.map((action) => (
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

/** undefined until they are loaded: decisions do not wait for them. */
export function useModerationTexts(): ModerationTexts | undefined {
  const offered = usePermission()('readModerationTexts')
  return useResource(offered ? 'readModerationTexts' : null).answer
}
