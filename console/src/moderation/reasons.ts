// Why a decision restricts: a clause of the rules, its ground, and a statement to the author. What a moderator has chosen for
// a subject is a draft of this tab, as the note is. Without a draft the server takes the clause "general" and its template, so
// that one key is enough to decide.

import type { ModerationTexts, NewAppealDecision, Subject } from '../../../src/operator/api-types.ts'
import { GROUNDS } from '../../../web/words/moderation.ts'
import { readDraft, saveDraft } from '../parts/drafts.ts'

export type Clause = ModerationTexts['clauses'][number]
export type Reasons = { clause: string; ground: Clause['ground']; statement: string }
type RestrictingAction = NonNullable<NewAppealDecision['action']>
type Decided = Pick<Subject, 'kind' | 'id'>

const RESTRICTING: Record<RestrictingAction, true> = {
  remove: true,
  deactivate: true,
  'reset-name': true,
  'reset-biography': true,
  'reset-picture': true,
}

/** The server's, for decisions that name none. */
export const DEFAULT_CLAUSE = 'general'

export const GROUND_OPTIONS = (Object.keys(GROUNDS) as (keyof typeof GROUNDS)[]).map((value) => ({
  value,
  label: GROUNDS[value],
}))

export function isRestricting(action: string): action is RestrictingAction {
  return Object.hasOwn(RESTRICTING, action)
}

export function reasonsDraftKey({ kind, id }: Decided): string {
  return `reasons ${kind} ${id}`
}

export function readReasons(subject: Decided): Reasons | undefined {
  return parseReasons(readDraft(reasonsDraftKey(subject)))
}

export function parseReasons(draft: string | null): Reasons | undefined {
  return draft === null || draft === '' ? undefined : JSON.parse(draft)
}

export function saveReasons(subject: Decided, reasons: Reasons | undefined): void {
  saveDraft(reasonsDraftKey(subject), reasons === undefined ? null : JSON.stringify(reasons))
}

export function reasonsOf({ key, ground, template }: Clause): Reasons {
  return { clause: key, ground, statement: template }
}
