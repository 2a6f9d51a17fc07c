import { useState } from 'react'
import type { Words } from '../../../src/operator/api-types.ts'
import { useResource } from '../api/resource.ts'
import { ScreenHeader } from '../parts/basics.tsx'
import { useCall } from '../parts/call.ts'
import { type Draft, useDraft } from '../parts/drafts.ts'
import { Field } from '../parts/fields.tsx'
import { useNotice } from '../parts/notices.tsx'
import { ResourceView } from '../parts/resource-view.tsx'
import { SaveOrDiscard } from '../parts/save-or-discard.tsx'
import { usePermission, useSession } from '../sign-in/session.tsx'
import { WordsTester } from './words-tester.tsx'

/** The operator's words, in addition to the built-in list. */
export function WordsScreen() {
  const words = useResource('readWords')
  return (
    <>
      <ScreenHeader title="Words" />
      <p className="lead">
        Your words in addition to the built-in list. Blocked words are refused in names, biographies and tips; allowed
        words are accepted. One word or phrase per line.
      </p>
      <ResourceView resource={words}>{(answer) => <WordsForm words={answer} />}</ResourceView>
    </>
  )
}

function WordsForm({ words }: { words: Words }) {
  const may = usePermission()
  const canWrite = may('replaceWords')
  const { blocked, allowed, change, save, discard, busy, refusal } = useWordsDraft(words)
  const lists = { blocked: linesOf(blocked.text), allowed: linesOf(allowed.text) }
  const both = inBoth(lists.blocked, lists.allowed)
  const isChanged = blocked.isChanged || allowed.isChanged
  return (
    <>
      <form
        className="panel"
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <div className="columns">
          <WordsField label="Blocked" list={blocked} onChange={change} readOnly={!canWrite} />
          <WordsField label="Allowed" list={allowed} onChange={change} readOnly={!canWrite} />
        </div>
        {both.length > 0 && (
          <p className="warning" role="status">
            <strong>Both blocked and allowed:</strong> {both.join(', ')}. An allowed word is accepted: remove it from
            one of the lists.
          </p>
        )}
        <SaveOrDiscard what="words" {...{ refusal, isChanged, busy, discard, canWrite }} />
      </form>
      {may('testWords') && <WordsTester unsaved={isChanged ? lists : null} />}
    </>
  )
}

/** Both lists as the reader edits them, and the version that the edits are based on. */
function useWordsDraft(words: Words) {
  const { api } = useSession()
  const notify = useNotice()
  const [saved, setSaved] = useState(words)
  const blocked = useDraft('words blocked', saved.blocked.join('\n'))
  const allowed = useDraft('words allowed', saved.allowed.join('\n'))
  // Stored with the draft, which may be older than the words that were just loaded.
  const version = useDraft('words version')
  const { busy, refusal, run } = useCall((work: () => Promise<void>) => work())

  function discardDrafts(): void {
    for (const draft of [blocked, allowed, version]) draft.discard()
  }

  const save = () =>
    run(async () => {
      const lists = { blocked: linesOf(blocked.text), allowed: linesOf(allowed.text) }
      const basedOn = version.isChanged ? Number(version.text) : saved.version
      setSaved(await api('replaceWords', { body: { ...lists, version: basedOn } }))
      discardDrafts()
      notify('Words saved. They take effect within 10 seconds.')
    })

  function discard(): void {
    discardDrafts()
    run(async () => setSaved(await api('readWords')))
  }

  function change(list: Draft, text: string): void {
    if (!version.isChanged) version.set(String(saved.version))
    list.set(text)
  }

  return { blocked, allowed, change, save, discard, busy, refusal }
}

type WordsFieldProps = {
  label: string
  list: Draft
  onChange: (list: Draft, text: string) => void
  readOnly: boolean
}

function WordsField({ label, list, onChange, readOnly }: WordsFieldProps) {
  return (
    <Field label={label}>
      {(ids) => (
        <textarea
          {...ids}
          rows={14}
          spellCheck={false}
          readOnly={readOnly}
          value={list.text}
          onChange={(event) => onChange(list, event.target.value)}
        />
      )}
    </Field>
  )
}

function linesOf(text: string): string[] {
  return [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '')
}

/** Compares words as the server does. */
function inBoth(blocked: string[], allowed: string[]): string[] {
  const compared = (word: string) => word.normalize('NFKC').trim().toLowerCase()
  const known = new Set(blocked.map(compared))
  return allowed.filter((word) => known.has(compared(word)))
}
