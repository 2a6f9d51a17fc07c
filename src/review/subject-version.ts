// Two moderators may look at one subject at the same time. A subject is shown with a *version*; a decision that names
// it is refused when a decision, or a change by the author, came in between.

import { createHash } from 'node:crypto'
import { Problem } from '../operator/frame/problem.ts'

type Decided = { action: string; actor: string }

export type Versioned = { version: string; decisions: readonly Decided[] }

/** How many decisions there were, so that those made since can be told; and what moderators judge by. */
export function versionOf(content: object, decisions: readonly Decided[]): string {
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16)
  return `${decisions.length}-${hash}`
}

export function refuseIfChanged(subject: Versioned, seen: string | undefined): void {
  if (seen === undefined || seen === subject.version) return
  const meanwhile = subject.decisions.slice(Number(seen.split('-', 1)[0]))
  const what =
    meanwhile.length === 0
      ? 'its author changed it'
      : meanwhile.map(({ action, actor }) => `${actor} decided: ${action}`).join('; ')
  throw new DecisionConflict(
    subject,
    `Since you saw it, ${what}. Your decision was not saved: look at it again.`,
    meanwhile,
  )
}

/** A refusal that shows what the subject is now. */
export class DecisionConflict extends Problem {
  override readonly members: { current: Versioned; meanwhile: readonly Decided[] }

  constructor(subject: Versioned, detail: string, meanwhile: readonly Decided[] = []) {
    super(409, 'Conflict', detail)
    this.members = { current: subject, meanwhile }
  }
}
