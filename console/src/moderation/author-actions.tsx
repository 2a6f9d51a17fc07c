import type { ProfileSubject } from '../../../src/operator/api-types.ts'
import { useDraft } from '../parts/drafts.ts'
import { TextField } from '../parts/fields.tsx'
import { usePermission } from '../sign-in/session.tsx'
import { MAX_NOTE_LENGTH } from './action-bar.tsx'
import styles from './author-actions.module.css'
import { DecisionState } from './decision-state.tsx'
import { type Decisions, isAbout, useDecisions } from './decisions.ts'
import { actionsFor, noteDraftKey } from './subject.ts'

/** Decides on the author of a comment. Without shortcuts: those are for the comment. */
export function AuthorActions({ author, decisions }: { author: ProfileSubject; decisions: Decisions }) {
  const may = usePermission()
  const { text: note, set: setNote } = useDraft(noteDraftKey(author))
  const decision = useDecisions(decisions).find((one) => isAbout(one, author))
  const offered = actionsFor(author)
  if (!may('moderateProfile') || offered.length === 0) return null
  if (decision !== undefined && decision.state !== 'failed' && decision.state !== 'done') {
    return <DecisionState decision={decision} decisions={decisions} />
  }
  return (
    <details className={styles.authorActions}>
      <summary>Decide on the author</summary>
      {decision?.state === 'failed' && <DecisionState decision={decision} decisions={decisions} />}
      <TextField
        label="Why (optional, stored with the decision)"
        value={note}
        onChange={setNote}
        maxLength={MAX_NOTE_LENGTH}
        autoComplete="off"
      />
      <div className="buttons">
        {offered.map(({ action, label, look }) => (
          <button
            key={action}
            type="button"
            className={`small ${look}`}
            aria-label={`${label}: ${author.content.name}`}
            onClick={() => decisions.decide({ subject: author, action, label, note: note.trim() })}
          >
            {label}
          </button>
        ))}
      </div>
    </details>
  )
}
