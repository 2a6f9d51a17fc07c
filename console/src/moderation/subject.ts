// A subject is a profile or a comment that moderators decide on, with the actions they can take.

import type { CommentSubject, ProfileSubject, Subject } from '../../../src/operator/api-types.ts'
import { subjectText } from '../../../web/words/subjects.ts'

export type Kind = Subject['kind']
/** The operations that read a subject, show what helps to decide on it, decide, label it, and assign it. */
export const CALLS = {
  profile: {
    read: 'getModeratedProfile',
    context: 'getProfileContext',
    decide: 'moderateProfile',
    label: 'labelProfile',
    assign: 'assignProfile',
  },
  comment: {
    read: 'getModeratedComment',
    context: 'getCommentContext',
    decide: 'moderateComment',
    label: 'labelComment',
    assign: 'assignComment',
  },
} as const

export type ActionName = Subject['actions'][number]

export type Action<Name = ActionName> = {
  action: Name
  /** One letter, the same in the queue and on the subject's own page. */
  key: string
  label: string
  /** As part of a sentence: "Alice: deactivated". */
  done: string
  look: 'primary' | 'danger' | 'plain'
}

type ActionsOf<S extends Subject> = readonly Action<S['actions'][number]>[]

export const ACTIONS: { profile: ActionsOf<ProfileSubject>; comment: ActionsOf<CommentSubject> } = {
  profile: [
    { action: 'keep', key: 'o', label: 'Keep', done: 'kept', look: 'primary' },
    { action: 'deactivate', key: 'd', label: 'Deactivate', done: 'deactivated', look: 'danger' },
    { action: 'reactivate', key: 'r', label: 'Reactivate', done: 'reactivated', look: 'plain' },
    { action: 'reset-name', key: 'n', label: 'Reset name', done: 'name reset', look: 'plain' },
    { action: 'reset-biography', key: 'b', label: 'Reset biography', done: 'biography reset', look: 'plain' },
    { action: 'reset-picture', key: 'p', label: 'Reset picture', done: 'picture reset', look: 'plain' },
  ],
  comment: [
    { action: 'publish', key: 'p', label: 'Publish', done: 'published', look: 'primary' },
    { action: 'keep', key: 'o', label: 'Keep', done: 'kept', look: 'primary' },
    { action: 'remove', key: 'x', label: 'Remove', done: 'removed', look: 'danger' },
    { action: 'restore', key: 'r', label: 'Restore', done: 'restored', look: 'plain' },
    { action: 'feature', key: 'f', label: 'Feature', done: 'featured', look: 'plain' },
    { action: 'unfeature', key: 'g', label: 'Unfeature', done: 'no longer featured', look: 'plain' },
  ],
}

export function actionsFor({ kind, actions }: Subject): Action[] {
  const offered: readonly ActionName[] = actions
  const all: readonly Action[] = ACTIONS[kind]
  return all.filter(({ action }) => offered.includes(action))
}

/** What can be done with each of them. */
export function actionsForAll(subjects: readonly Subject[]): Action[] {
  const [first, ...others] = subjects
  if (first === undefined) return []
  const canAll = ({ action }: Action) => others.every((one) => one.actions.some((offered) => offered === action))
  return actionsFor(first).filter(canAll)
}

/** The key of the draft of a note on it. */
export function noteDraftKey({ kind, id }: Pick<Subject, 'kind' | 'id'>): string {
  return `note ${kind} ${id}`
}

/** A decision that undid another one, after an appeal. */
const OVERTURNED = 'overturned after an appeal'

/** What a rule decided before anybody saw the tip. */
const HELD = 'held'

export function actionResult(kind: Kind, action: string): string {
  if (action === 'overturn') return OVERTURNED
  if (action === 'hold') return HELD
  return ACTIONS[kind].find((one) => one.action === action)?.done ?? action
}

/** The name of a subject in lists and messages. */
export function nameOf(subject: Subject): string {
  const text = subject.kind === 'profile' ? subject.content.name : subject.content.text
  return text !== '' ? text : `${subjectText(subject.kind)} ${subject.id}`
}

/** "3 tips". */
export function countOf(kind: Kind, count: number): string {
  return `${count} ${subjectText(kind).toLowerCase()}${count === 1 ? '' : 's'}`
}

/** The heading of a subject; a comment's text is shown below it. */
export function titleOf(subject: Subject): string {
  return subject.kind === 'profile' ? nameOf(subject) : `Tip on ${subject.content.outcome}`
}

/** The picture's address on this server, which may differ from the address for customers. */
export function pictureOf({ content: { picture } }: ProfileSubject): string {
  const stored = /\/pictures\/[^/]+$/.exec(picture)?.[0]
  return `.${stored ?? picture.replace(/^https?:\/\/[^/]+/, '')}`
}
