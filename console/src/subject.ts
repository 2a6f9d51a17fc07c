// A subject is a profile or a comment that moderators decide on, with the actions they can take.

export type Kind = 'profile' | 'comment'

type PastDecision = { action: string; note: string; actor: string; at: string }

export type Subject = {
  kind: Kind
  id: string
  /** Sent with a decision, so that the server refuses one that is based on an older state. */
  version: string
  flags: number
  flaggedAt: string | null
  flagsEver?: number
  content: Record<string, unknown>
  author: { customerId: string; profileId: string; name?: string }
  decisions: PastDecision[]
  /** Only those that would change something. */
  actions: string[]
}

export type Action = {
  action: string
  /** One letter, the same in the queue and on the subject's own page. */
  key: string
  label: string
  /** As part of a sentence: "Alice: deactivated". */
  done: string
  look: 'primary' | 'danger' | 'plain'
}

export const ACTIONS: Record<Kind, readonly Action[]> = {
  profile: [
    { action: 'keep', key: 'o', label: 'Keep', done: 'kept', look: 'primary' },
    { action: 'deactivate', key: 'd', label: 'Deactivate', done: 'deactivated', look: 'danger' },
    { action: 'reactivate', key: 'r', label: 'Reactivate', done: 'reactivated', look: 'plain' },
    { action: 'reset-name', key: 'n', label: 'Reset name', done: 'name reset', look: 'plain' },
    { action: 'reset-biography', key: 'b', label: 'Reset biography', done: 'biography reset', look: 'plain' },
    { action: 'reset-picture', key: 'p', label: 'Reset picture', done: 'picture reset', look: 'plain' },
  ],
  comment: [
    { action: 'keep', key: 'o', label: 'Keep', done: 'kept', look: 'primary' },
    { action: 'remove', key: 'x', label: 'Remove', done: 'removed', look: 'danger' },
    { action: 'restore', key: 'r', label: 'Restore', done: 'restored', look: 'plain' },
    { action: 'feature', key: 'f', label: 'Feature', done: 'featured', look: 'plain' },
    { action: 'unfeature', key: 'g', label: 'Unfeature', done: 'no longer featured', look: 'plain' },
  ],
}

export function actionsFor({ kind, actions }: Subject): Action[] {
  return ACTIONS[kind].filter(({ action }) => actions.includes(action))
}

/** The key of the draft of a note on it. */
export function noteDraftKey({ kind, id }: Pick<Subject, 'kind' | 'id'>): string {
  return `note ${kind} ${id}`
}

export function actionResult(kind: Kind, action: string): string {
  return ACTIONS[kind].find((one) => one.action === action)?.done ?? action
}

/** The name of a subject in lists and messages. */
export function nameOf({ kind, id, content }: Subject): string {
  const text = kind === 'profile' ? content.name : content.text
  return typeof text === 'string' && text !== '' ? text : `${kind} ${id}`
}

/** The heading of a subject; a comment's text is shown below it. */
export function titleOf(subject: Subject): string {
  if (subject.kind === 'profile') return nameOf(subject)
  const { outcome } = subject.content
  return typeof outcome === 'string' ? `Tip on ${outcome}` : `Comment ${subject.id}`
}

/** The picture's address on this server, which may differ from the address for customers. */
export function pictureOf({ picture }: Record<string, unknown>): string | null {
  if (typeof picture !== 'string') return null
  const stored = /\/pictures\/[^/]+$/.exec(picture)?.[0]
  return `.${stored ?? picture.replace(/^https?:\/\/[^/]+/, '')}`
}
