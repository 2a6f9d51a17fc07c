import { useState } from 'react'
import { useAsyncAction } from '../async-action.ts'
import { type Draft, useDraft } from '../drafts.ts'
import { Field, Progress, ScreenHeader } from '../parts/basics.tsx'
import { useNotice } from '../parts/notices.tsx'
import { Problem } from '../parts/problem.tsx'
import { useResource } from '../resource.ts'
import { usePermission, useSession } from '../session.tsx'

type Words = { version: number; blocked: string[]; allowed: string[] }

/** The operator's own words, beside the built-in list. */
export function WordsScreen() {
  const { answer, refusal, loading, reload } = useResource<Words>('/moderation/words')
  return (
    <>
      <ScreenHeader title="Words" />
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
  const canWrite = usePermission()('PUT /moderation/words')
  const [saved, setSaved] = useState(words)
  const blocked = useDraft('words blocked', saved.blocked.join('\n'))
  const allowed = useDraft('words allowed', saved.allowed.join('\n'))
  // What the changes began with: a draft may be older than what is read now.
  const version = useDraft('words version')
  const { busy, refusal, run } = useAsyncAction()
  const both = inBoth(linesOf(blocked.text), linesOf(allowed.text))

  function save(): void {
    run(async () => {
      const lists = { blocked: linesOf(blocked.text), allowed: linesOf(allowed.text) }
      const seen = version.isChanged ? Number(version.text) : saved.version
      setSaved(await api<Words>('PUT', '/moderation/words', { ...lists, version: seen }))
      discard()
      notify('Words saved. Every process uses them within 10 seconds.')
    })
  }

  function discard(): void {
    blocked.discard()
    allowed.discard()
    version.discard()
  }

  function discardAndRead(): void {
    discard()
    run(async () => setSaved(await api<Words>('GET', '/moderation/words')))
  }

  function change(list: Draft, text: string): void {
    if (!version.isChanged) version.set(String(saved.version))
    list.set(text)
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
        <WordsField
          label="Blocked"
          value={blocked.text}
          onChange={(text) => change(blocked, text)}
          readOnly={!canWrite}
        />
        <WordsField
          label="Allowed"
          value={allowed.text}
          onChange={(text) => change(allowed, text)}
          readOnly={!canWrite}
        />
      </div>
      {both.length > 0 && (
        <p className="warning" role="status">
          <strong>Blocked and allowed at once:</strong> {both.join(', ')}. An allowed word is let through: take it out
          of one of the lists.
        </p>
      )}
      {refusal && <Problem refusal={refusal} />}
      {refusal?.status === 409 && (
        <p>
          Copy what you want to keep, discard your changes, which shows the words as they are now, and add it again.
        </p>
      )}
      {canWrite && (
        <div className="buttons">
          <button type="submit" className="primary" aria-disabled={busy}>
            Save
          </button>
          {(blocked.isChanged || allowed.isChanged) && (
            <>
              <button type="button" onClick={discardAndRead}>
                Discard changes
              </button>
              <p className="quiet">Not saved yet.</p>
            </>
          )}
        </div>
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

/** As the server compares them. */
function inBoth(blocked: string[], allowed: string[]): string[] {
  const compared = (word: string) => word.normalize('NFKC').trim().toLowerCase()
  const known = new Set(blocked.map(compared))
  return allowed.filter((word) => known.has(compared(word)))
}
