import { type ReactNode, type RefObject, useId } from 'react'
import { Field, SelectField } from '../parts/fields.tsx'
import { type Clause, DEFAULT_CLAUSE, GROUND_OPTIONS, type Reasons, reasonsOf } from './reasons.ts'
import styles from './reasons-form.module.css'

type ReasonsFormProps = {
  clauses: readonly Clause[]
  reasons: Reasons | undefined
  onChange: (reasons: Reasons | undefined) => void
  /** Opens it by key. */
  details?: RefObject<HTMLDetailsElement | null>
}

export const MAX_STATEMENT_LENGTH = 1000

/** What the author reads about a decision that restricts. Without a choice: the default clause with its template. */
export function ReasonsForm({ clauses, reasons, onChange, details }: ReasonsFormProps) {
  const standard = clauses.find(({ key }) => key === DEFAULT_CLAUSE)
  if (standard === undefined) return null
  const shown = reasons ?? reasonsOf(standard)
  const clause = clauses.find(({ key }) => key === shown.clause) ?? standard

  function choose(key: string): void {
    const chosen = clauses.find((one) => one.key === key)
    onChange(chosen === undefined || chosen === standard ? undefined : reasonsOf(chosen))
  }

  return (
    <details className={styles.reasons} ref={details}>
      <summary>
        To the author, if restricted: <strong>{clause.title}</strong>
        {shown.statement !== clause.template && <span className="quiet"> (own words)</span>}
      </summary>
      <div className={styles.reasonFields}>
        <SelectField
          label="Clause"
          value={shown.clause}
          onChange={choose}
          options={clauses.map(({ key, title }) => ({ value: key, label: title }))}
        />
        <SelectField
          label="Ground"
          value={shown.ground}
          onChange={(ground) => onChange({ ...shown, ground })}
          options={GROUND_OPTIONS}
        />
        <Field label="Statement to the author">
          {(ids) => (
            <textarea
              {...ids}
              rows={3}
              maxLength={MAX_STATEMENT_LENGTH}
              value={shown.statement}
              onChange={(event) => onChange({ ...shown, statement: event.target.value })}
            />
          )}
        </Field>
      </div>
    </details>
  )
}

/** Suggestions for a note. */
export function NoteTexts({ notes, children }: { notes: readonly string[]; children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <>
      {children(id)}
      <datalist id={id}>
        {notes.map((note) => (
          <option key={note} value={note} />
        ))}
      </datalist>
    </>
  )
}
