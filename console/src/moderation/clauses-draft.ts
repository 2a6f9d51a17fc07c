// The clauses and texts for notes as an admin edits them: one draft of this tab, with the version that it is based on.

import { useState } from 'react'
import type { ModerationTexts, ModerationTextsBody } from '../../../src/operator/api-types.ts'
import { useCall } from '../parts/call.ts'
import { useDraft } from '../parts/drafts.ts'
import { useNotice } from '../parts/notices.tsx'
import { useSession } from '../sign-in/session.tsx'
import type { Clause } from './reasons.ts'

/** `id` names it while it is edited: the key of a new clause is not written yet. */
export type EditedClause = Clause & { id: string }
/** `notes`: one per line. */
type EditedTexts = { version: number; clauses: readonly EditedClause[]; notes: string }

export function useClausesDraft(texts: ModerationTexts) {
  const { api } = useSession()
  const notify = useNotice()
  const [saved, setSaved] = useState(() => toEdited(texts))
  const draft = useDraft('clauses', JSON.stringify(saved))
  const { busy, refusal, run } = useCall((work: () => Promise<void>) => work())
  const edited: EditedTexts = JSON.parse(draft.text)

  const change = (changes: Partial<EditedTexts>) => draft.set(JSON.stringify({ ...edited, ...changes }))

  const save = () =>
    run(async () => {
      setSaved(toEdited(await api('replaceModerationTexts', { body: toBody(edited) })))
      draft.discard()
      notify('Clauses saved.')
    })

  function discard(): void {
    draft.discard()
    run(async () => setSaved(toEdited(await api('readModerationTexts'))))
  }

  return {
    ...edited,
    isChanged: draft.isChanged,
    isSaved: ({ id }: EditedClause) => saved.clauses.some((clause) => clause.id === id),
    changeClause: (id: string, changes: Partial<EditedClause>) =>
      change({ clauses: edited.clauses.map((clause) => (clause.id === id ? { ...clause, ...changes } : clause)) }),
    addClause: () => change({ clauses: [...edited.clauses, newClause(edited.clauses)] }),
    removeClause: (id: string) => change({ clauses: edited.clauses.filter((clause) => clause.id !== id) }),
    changeNotes: (notes: string) => change({ notes }),
    save,
    discard,
    busy,
    refusal,
  }
}

function toEdited({ version, clauses, notes }: ModerationTexts): EditedTexts {
  return { version, clauses: clauses.map((clause) => ({ ...clause, id: clause.key })), notes: notes.join('\n') }
}

function toBody({ version, clauses, notes }: EditedTexts): ModerationTextsBody {
  const lines = notes.split('\n').map((line) => line.trim())
  return {
    version,
    clauses: clauses.map(({ id: _, ...clause }) => clause),
    notes: [...new Set(lines)].filter((line) => line !== ''),
  }
}

/** No key has a space. */
function newClause(clauses: readonly EditedClause[]): EditedClause {
  const numbers = clauses.map(({ id }) => (id.startsWith('new ') ? Number(id.slice(4)) : 0))
  return { id: `new ${1 + Math.max(0, ...numbers)}`, key: '', ground: 'terms', title: '', template: '' }
}
