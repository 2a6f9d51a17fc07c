import type { RefObject } from 'react'
import type { Subject } from '../../../src/operator/api-types.ts'
import { useDraft } from '../parts/drafts.ts'
import { KeyHint } from '../parts/key-hint.tsx'
import { ActionBar } from './action-bar.tsx'
import styles from './bulk-bar.module.css'
import { type Checked, MAX_CHECKED } from './checked.ts'
import { type Action, actionsForAll, countOf, type Kind, nameOf, noteDraftKey } from './subject.ts'

/** The note and the reasons of a decision on several subjects have one draft for each kind. */
export const bulkDrafts = (kind: Kind) => ({ kind, id: 'selected' })

type BulkBarProps = {
  subjects: readonly Subject[]
  checked: Checked
  onAction: (action: Action) => void
  noteField: RefObject<HTMLInputElement | null>
}

const MAX_NAMED = 8

/** One decision on all that is checked. */
export function BulkBar({ subjects, checked, onAction, noteField }: BulkBarProps) {
  const kind = (subjects[0] as Subject).kind
  const { text: note, set: setNote } = useDraft(noteDraftKey(bulkDrafts(kind)))
  const actions = actionsForAll(subjects)
  return (
    <section className={`card ${styles.bulkBar}`} aria-labelledby="bulk-title">
      <header>
        <h2 id="bulk-title" aria-live="polite">
          {countOf(kind, subjects.length)} selected
        </h2>
        <button type="button" onClick={checked.clear} aria-keyshortcuts="Escape">
          Select none <KeyHint letter="Esc" />
        </button>
      </header>
      <ul className={styles.bulkNames}>
        {subjects.slice(0, MAX_NAMED).map((subject) => (
          <li key={subject.id}>{nameOf(subject)}</li>
        ))}
        {subjects.length > MAX_NAMED && <li className="quiet">and {subjects.length - MAX_NAMED} more</li>}
      </ul>
      {subjects.length === MAX_CHECKED && <p className="hint">At most {MAX_CHECKED} at once.</p>}
      {actions.length === 0 && <p className="quiet">No action is possible on all of them.</p>}
      {actions.length > 0 && (
        <ActionBar
          drafts={bulkDrafts(kind)}
          actions={actions}
          note={note}
          onNote={setNote}
          onAction={onAction}
          noteField={noteField}
        />
      )}
    </section>
  )
}
