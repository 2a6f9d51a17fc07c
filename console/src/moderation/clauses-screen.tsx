import type { ModerationTexts } from '../../../src/operator/api-types.ts'
import { useResource } from '../api/resource.ts'
import { ScreenHeader } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { Field, SelectField, TextField } from '../parts/fields.tsx'
import { ResourceView } from '../parts/resource-view.tsx'
import { SaveOrDiscard } from '../parts/save-or-discard.tsx'
import { usePermission } from '../sign-in/session.tsx'
import { type EditedClause, useClausesDraft } from './clauses-draft.ts'
import styles from './clauses-screen.module.css'
import { DEFAULT_CLAUSE, GROUND_OPTIONS } from './reasons.ts'
import { MAX_STATEMENT_LENGTH } from './reasons-form.tsx'

/** The rules that moderators cite, with what authors read, and the texts for notes. */
export function ClausesScreen() {
  const canWrite = usePermission()('replaceModerationTexts')
  const texts = useResource('readModerationTexts')
  return (
    <>
      <ScreenHeader title="Clauses" />
      <p className="lead">
        The rules that a decision can cite, each with the statement that its author reads unless the moderator writes
        another. Decisions so far keep their statements.
      </p>
      <ResourceView resource={texts}>
        {(answer) => (canWrite ? <ClausesForm texts={answer} /> : <ClausesTable texts={answer} />)}
      </ResourceView>
    </>
  )
}

function ClausesTable({ texts: { clauses, notes } }: { texts: ModerationTexts }) {
  return (
    <>
      <DataTable
        label="Clauses"
        columns={['Title', 'Ground', 'Statement']}
        rows={clauses.map(({ key, title, ground, template }) => ({
          key,
          cells: [title, labelOf(ground), template],
        }))}
      />
      <section className="card" aria-label="Texts for notes">
        <header>
          <h2>Texts for notes</h2>
        </header>
        <ul>
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
        {notes.length === 0 && <p className="quiet">None</p>}
      </section>
    </>
  )
}

function labelOf(ground: EditedClause['ground']): string {
  return GROUND_OPTIONS.find(({ value }) => value === ground)?.label ?? ground
}

function ClausesForm({ texts }: { texts: ModerationTexts }) {
  const { clauses, notes, isSaved, isChanged, ...draft } = useClausesDraft(texts)
  return (
    <form
      className={styles.clauses}
      onSubmit={(event) => {
        event.preventDefault()
        draft.save()
      }}
    >
      {clauses.map((clause) => (
        <ClauseFields
          key={clause.id}
          clause={clause}
          isSaved={isSaved(clause)}
          onChange={(changes) => draft.changeClause(clause.id, changes)}
          onRemove={() => draft.removeClause(clause.id)}
        />
      ))}
      <div className="buttons">
        <button type="button" onClick={draft.addClause} disabled={clauses.length >= MAX_CLAUSES}>
          Add a clause
        </button>
      </div>
      <div className="panel">
        <Field label="Texts for notes" hint="One per line. Moderators choose from them; customers never see them.">
          {(ids) => (
            <textarea {...ids} rows={6} value={notes} onChange={(event) => draft.changeNotes(event.target.value)} />
          )}
        </Field>
      </div>
      <SaveOrDiscard
        what="clauses"
        refusal={draft.refusal}
        busy={draft.busy}
        isChanged={isChanged}
        discard={draft.discard}
      />
    </form>
  )
}

const MAX_CLAUSES = 100

type ClauseFieldsProps = {
  clause: EditedClause
  isSaved: boolean
  onChange: (changes: Partial<EditedClause>) => void
  onRemove: () => void
}

/** The key of a saved clause is stored with decisions, and stays. */
function ClauseFields({ clause, isSaved, onChange, onRemove }: ClauseFieldsProps) {
  const name = clause.title || 'New clause'
  return (
    <fieldset className="panel">
      <legend>{name}</legend>
      <div className={styles.clauseFields}>
        <TextField
          label="Title"
          value={clause.title}
          onChange={(title) => onChange({ title })}
          required
          maxLength={100}
        />
        <TextField
          label="Key"
          value={clause.key}
          onChange={(key) => onChange({ key })}
          required
          readOnly={isSaved}
          pattern="[a-z0-9\-]{1,40}"
          title="Up to 40 small letters, digits and hyphens"
        />
        <SelectField
          label="Ground"
          value={clause.ground}
          onChange={(ground) => onChange({ ground })}
          options={GROUND_OPTIONS}
        />
      </div>
      <Field label="Statement to the author">
        {(ids) => (
          <textarea
            {...ids}
            rows={3}
            required
            maxLength={MAX_STATEMENT_LENGTH}
            value={clause.template}
            onChange={(event) => onChange({ template: event.target.value })}
          />
        )}
      </Field>
      {clause.key === DEFAULT_CLAUSE && isSaved ? (
        <p className="hint">Decisions that name no clause have this one: it cannot be removed.</p>
      ) : (
        <button type="button" onClick={onRemove} aria-label={`Remove ${name}`}>
          Remove
        </button>
      )}
    </fieldset>
  )
}
