// What moderators review: flagged profiles and comments, with the decisions on them.

import {
  anyOf,
  boolean,
  count,
  list,
  named,
  object,
  oneOf,
  orNull,
  type SentOf,
  string,
  type ValueOf,
  withDefault,
} from '../../representation/json-schema.ts'
import { COMMENT_ACTIONS, PROFILE_ACTIONS } from '../../review/actions.ts'
import { id, note, page, time, version } from '../frame/fields.ts'
import { problemFields } from '../frame/problem-schema.ts'

export const kind = withDefault(oneOf(['profile', 'comment'], { examples: ['profile'] }), 'profile')

export const decision = named(
  'Decision',
  object({
    action: string({ examples: ['keep'] }),
    note: string({ examples: ['Seen and fine'] }),
    actor: string({ description: 'Who decided.', examples: ['ann'] }),
    at: time(),
  }),
)
export type Decision = ValueOf<typeof decision>

const subjectFields = {
  version,
  flags: count({ description: 'Flags since the last decision.', examples: [2] }),
  flaggedAt: orNull(time(), { description: 'When it was flagged first since the last decision.' }),
  author: object({ customerId: id('15'), profileId: id('15') }),
  decisions: list(decision, { description: 'All decisions on it, oldest first.', examples: [[]] }),
}
const flagsEver = count({
  description: 'All flags, decided or not; only where the subject is read by itself.',
  examples: [2],
})

export const profileContentFields = {
  name: string({ examples: ['Olly Outsider'] }),
  biography: string({ examples: ['33/1 or nothing.'] }),
  picture: string({ description: 'Where the picture is.', examples: ['/pictures/default.png'] }),
  status: oneOf(['active', 'inactive'], { examples: ['active'] }),
}

export const profileSubject = named(
  'ReviewedProfile',
  object(
    {
      kind: oneOf(['profile']),
      id: id('15'),
      ...subjectFields,
      content: object(profileContentFields),
      actions: list(oneOf(PROFILE_ACTIONS), {
        description: 'The actions that would change something now.',
        examples: [['deactivate', 'keep', 'reset-name', 'reset-biography']],
      }),
    },
    { flagsEver },
  ),
)
export type ProfileSubject = ValueOf<typeof profileSubject>

export const commentSubject = named(
  'ReviewedComment',
  object(
    {
      kind: oneOf(['comment']),
      id: id('24'),
      ...subjectFields,
      content: object({
        text: string({ examples: ['Bigger at the off, you will see'] }),
        state: oneOf(['live', 'deactivated', 'removed'], {
          description: 'Shown, taken back by its author, or removed by a moderator.',
          examples: ['live'],
        }),
        featured: boolean({ examples: [false] }),
        likes: count({ examples: [4] }),
        createdAt: time(),
        event: string({ examples: ['Ascot 14:30'] }),
        market: string({ examples: ['To win'] }),
        outcome: string({ examples: ['Tin Soldier'] }),
      }),
      actions: list(oneOf(COMMENT_ACTIONS), {
        description: 'The actions that would change something now.',
        examples: [['remove', 'keep', 'feature']],
      }),
    },
    { flagsEver },
  ),
)
export type CommentSubject = ValueOf<typeof commentSubject>
export type Subject = ProfileSubject | CommentSubject

const { items, cursor } = page(anyOf([profileSubject, commentSubject])).properties

export const reviewQueue = named(
  'ReviewQueue',
  object({ items, cursor, waiting: count({ description: 'How many wait, counted up to 1000.', examples: [1] }) }),
)
export type ReviewQueue = ValueOf<typeof reviewQueue>

const decisionFields = { note, version }
export const profileDecisionBody = object({ action: oneOf(PROFILE_ACTIONS, { examples: ['keep'] }) }, decisionFields)
export const commentDecisionBody = object({ action: oneOf(COMMENT_ACTIONS, { examples: ['keep'] }) }, decisionFields)
export type NewDecision = SentOf<typeof profileDecisionBody> | SentOf<typeof commentDecisionBody>

/** The refusal of a decision shows what the subject is now. */
const conflictFields = {
  ...problemFields,
  meanwhile: list(decision, { description: 'Decisions of others since the version that was seen.' }),
}
export const profileConflict = named('ProfileDecisionConflict', object({ ...conflictFields, current: profileSubject }))
export const commentConflict = named('CommentDecisionConflict', object({ ...conflictFields, current: commentSubject }))
export type DecisionConflict = ValueOf<typeof profileConflict> | ValueOf<typeof commentConflict>
