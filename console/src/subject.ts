// What moderators decide on, as the API shows it, and what they can do about it.

export type Kind = 'profile' | 'comment'

export type PastDecision = { action: string; note: string; actor: string; at: string }

export type Subject = {
  kind: Kind
  id: string
  flags: number
  flaggedAt: string | null
  flagsEver?: number
  content: Record<string, unknown>
  author: { customerId: string; profileId: string; name?: string }
  decisions: PastDecision[]
}

export type Action = {
  action: string
  /** One letter, the same in the queue and on the subject's own page. */
  key: string
  label: string
  /** What stands in a sentence: "Alice: deactivated". */
  done: string
  look: 'primary' | 'danger' | 'plain'
  /** Not offered where it would change nothing. */
  when?: (content: Record<string, unknown>) => boolean
}

const isInactive = ({ status }: Record<string, unknown>) => status === 'inactive'
const isRemoved = ({ state }: Record<string, unknown>) => state === 'removed'
const isFeatured = ({ featured, isFeatured: is }: Record<string, unknown>) =>
  [featured, is].some((one) => one === true || one === 'Y')

export const ACTIONS: Record<Kind, readonly Action[]> = {
  profile: [
    { action: 'keep', key: 'o', label: 'Keep', done: 'kept', look: 'primary' },
    {
      action: 'deactivate',
      key: 'd',
      label: 'Deactivate',
      done: 'deactivated',
      look: 'danger',
      when: (content) => !isInactive(content),
    },
    { action: 'reactivate', key: 'r', label: 'Reactivate', done: 'reactivated', look: 'plain', when: isInactive },
    { action: 'reset-name', key: 'n', label: 'Reset name', done: 'name reset', look: 'plain' },
    { action: 'reset-biography', key: 'b', label: 'Reset biography', done: 'biography reset', look: 'plain' },
    { action: 'reset-picture', key: 'p', label: 'Reset picture', done: 'picture reset', look: 'plain' },
  ],
  comment: [
    { action: 'keep', key: 'o', label: 'Keep', done: 'kept', look: 'primary' },
    {
      action: 'remove',
      key: 'x',
      label: 'Remove',
      done: 'removed',
      look: 'danger',
      when: (content) => !isRemoved(content),
    },
    {
      action: 'feature',
      key: 'f',
      label: 'Feature',
      done: 'featured',
      look: 'plain',
      when: (content) => !isFeatured(content) && !isRemoved(content),
    },
    { action: 'unfeature', key: 'g', label: 'Unfeature', done: 'no longer featured', look: 'plain', when: isFeatured },
  ],
}

export function actionsFor({ kind, content }: Subject): Action[] {
  return ACTIONS[kind].filter(({ when }) => when === undefined || when(content))
}

export function actionInWords(kind: Kind, action: string): string {
  return ACTIONS[kind].find((one) => one.action === action)?.done ?? action
}

/** What a subject is called in lists and messages. */
export function nameOf({ kind, id, content }: Subject): string {
  const text = kind === 'profile' ? content.name : content.text
  return typeof text === 'string' && text !== '' ? text : `${kind} ${id}`
}

/** The heading over a subject; a comment's text is shown below it. */
export function titleOf(subject: Subject): string {
  if (subject.kind === 'profile') return nameOf(subject)
  const { outcome } = subject.content
  return typeof outcome === 'string' ? `Tip on ${outcome}` : `Comment ${subject.id}`
}

/** The picture on this server, whatever address customers see it under. */
export function pictureOf({ picture }: Record<string, unknown>): string | null {
  if (typeof picture !== 'string') return null
  const stored = /\/pictures\/[^/]+$/.exec(picture)?.[0]
  return `.${stored ?? picture.replace(/^https?:\/\/[^/]+/, '')}`
}
