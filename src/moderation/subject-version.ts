// Two moderators may look at one subject at the same time. A subject is shown with a *version*; a decision that names an
// older version is refused.

import { createHash } from 'node:crypto'
import { Refused } from '../platform/runtime/refused.ts'
import type { DecisionAction } from './actions.ts'

type Decision = { action: DecisionAction; actor: string }

type VersionedSubject = { version: string; decisions: readonly Decision[] }

/** The number of decisions, which shows later how many were added, and a hash of the content. */
export function versionOf(content: object, decisions: readonly Decision[]): string {
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16)
  return `${decisions.length}-${hash}`
}

export function refuseIfChanged(subject: VersionedSubject, seen: string | undefined): void {
  if (seen === undefined || seen === subject.version) return
  const decisionsSeen = Number(seen.split('-', 1)[0])
  const meanwhile = subject.decisions.slice(decisionsSeen)
  const what =
    meanwhile.length === 0
      ? 'its author changed it'
      : meanwhile.map(({ action, actor }) => `${actor} decided: ${action}`).join('; ')
  const message = `Since you saw it, ${what}. Your decision was not saved: look at it again.`
  throw new DecisionConflict(message, subject, meanwhile)
}

/** Shows the subject as it is now, and the decisions that the caller has not seen. */
export class DecisionConflict extends Refused {
  constructor(message: string, current: VersionedSubject, meanwhile: readonly Decision[] = []) {
    super('conflict', message, { current, meanwhile })
  }
}
