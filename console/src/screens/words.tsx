import { useState } from 'react'
import { useActing } from '../acting.ts'
import { useLoaded } from '../loading.ts'
import { Field, Progress, ScreenHead } from '../parts/basics.tsx'
import { useNotice } from '../parts/notices.tsx'
import { Problem } from '../parts/problem.tsx'
import { useMay, useSession } from '../session.tsx'

type Words = { blocked: string[]; allowed: string[] }

/** The operator's own words, beside the built-in list. */
export function WordsScreen() {
  const { answer, refusal, loading, reload } = useLoaded<Words>('/moderation/words')
  return (
    <>
      <ScreenHead title="Words" />
      <p className="lead">
        Your own words beside the built-in list: blocked ones are refused in names, biographies and comments; allowed
        ones are let through. One word or phrase on each line.
      </p>
      {refusal && <Problem refusal={refusal} onRetry={reload} />}
      {answer === undefined && loading && <Progress />}
      {answer !== undefined && <WordsForm words={answer} />}
    </>
  )
}

function WordsForm({ words }: { words: Words }) {
  const { api } = useSession()
  const notify = useNotice()
  const canWrite = useMay()('PUT /moderation/words')
  const [blocked, setBlocked] = useState(words.blocked.join('\n'))
  const [allowed, setAllowed] = useState(words.allowed.join('\n'))
  const { busy, refusal, run } = useActing()

  function save(): void {
    run(async () => {
      const lists = { blocked: linesOf(blocked), allowed: linesOf(allowed) }
      const saved = await api<Words>('PUT', '/moderation/words', lists)
      setBlocked(saved.blocked.join('\n'))
      setAllowed(saved.allowed.join('\n'))
      notify('Words saved. Every process uses them within 10 seconds.')
    })
  }

  return (
    <form
      className="panel"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <div className="columns">
        <WordsField label="Blocked" value={blocked} onChange={setBlocked} readOnly={!canWrite} />
        <WordsField label="Allowed" value={allowed} onChange={setAllowed} readOnly={!canWrite} />
      </div>
      {refusal && <Problem refusal={refusal} />}
      {canWrite && (
        <button type="submit" className="primary" disabled={busy}>
          Save
        </button>
      )}
    </form>
  )
}

type WordsFieldProps = { label: string; value: string; onChange: (value: string) => void; readOnly: boolean }

function WordsField({ label, value, onChange, readOnly }: WordsFieldProps) {
  return (
    <Field label={label}>
      {(ids) => (
        <textarea
          {...ids}
          rows={14}
          spellCheck={false}
          readOnly={readOnly}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

function linesOf(text: string): string[] {
  return [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '')
}
