// What moderators review: flagged profiles and comments, with the decisions on them.

import { FLAG_REASONS } from '../../flags/reasons.ts'
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
} from '../../http/representation/json-schema.ts'
import { COMMENT_ACTIONS, PROFILE_ACTIONS } from '../../moderation/actions.ts'
import { GROUNDS } from '../../moderation/grounds.ts'
import { APPEAL_STATES, PARTIES } from '../../moderation/own-decision-store.ts'
import { TIP_STATES } from '../../record/tip-state.ts'
import { CLAUSE_KEY, figure, id, LINES, note, page, time, version } from '../server/fields.ts'
import { problemFields } from '../server/problem-schema.ts'

export const kind = withDefault(oneOf(['profile', 'comment', 'appeal'], { examples: ['profile'] }), 'profile')

export const lane = withDefault(
  oneOf(['all', 'trusted'], {
    description: '`trusted`: only what at least one trusted reporter has flagged.',
    examples: ['all'],
  }),
  'all',
)

export const reason = oneOf(FLAG_REASONS, { examples: ['spam'] })

export const ground = oneOf(GROUNDS, {
  description: 'Why the content is restricted: the operator’s terms, or the law. Without it: that of the clause.',
  examples: ['terms'],
})
export const clauseKey = string({
  pattern: CLAUSE_KEY,
  description: 'The key of a clause (readModerationTexts). Without it: `general`.',
  examples: ['spam'],
})
export const statement = string({
  maxLength: 1000,
  pattern: LINES,
  description: 'The reasons, for the author. Without it: the template of the clause.',
  examples: ['This content advertises or repeats itself.'],
})

export const decisionColumns = {
  id: id('7'),
  action: string({ examples: ['keep'] }),
  note: string({ examples: ['Seen and fine'] }),
  actor: string({ description: 'Who decided.', examples: ['ann'] }),
  at: time(),
}
export const decisionReasons = {
  ground: oneOf(GROUNDS, { description: 'Only where the decision restricts, as the next three.' }),
  clause: string(),
  statement: string({ description: 'What the author is told.' }),
  automated: boolean({ description: 'Whether it was made without a person.' }),
  overturned: boolean({ description: 'Only where a later decision has overturned it.' }),
}
export const decision = named('Decision', object(decisionColumns, decisionReasons))
export type Decision = ValueOf<typeof decision>

const subjectFields = {
  version,
  flags: count({ description: 'Flags since the last decision.', examples: [2] }),
  flaggedAt: orNull(time(), { description: 'When it came into the queue.' }),
  weight: figure('1.00', {
    description:
      'The sum of the weights of its open flags. A flag weighs (upheld + 1) / (upheld + rejected + 2), by what was ' +
      'decided on earlier flags of its reporter; the flag of a muted reporter weighs nothing.',
  }),
  trustedFlags: count({ description: 'Open flags by trusted reporters.', examples: [0] }),
  reasons: list(object({ reason, flags: count({ examples: [1] }) }), {
    description: 'The reasons of the latest 100 open flags, as far as they were given, most frequent first.',
    examples: [[{ reason: 'spam', flags: 1 }]],
  }),
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
        state: oneOf(TIP_STATES, {
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

export const appeal = named(
  'Appeal',
  object({
    kind: oneOf(['appeal']),
    id: id('1'),
    version,
    party: oneOf(PARTIES, {
      description: 'Who appeals: the author of what was restricted, or somebody whose flag was rejected.',
      examples: ['author'],
    }),
    by: object({ customerId: id('15'), profileId: id('15') }),
    text: string({ examples: ['It was a joke between friends.'] }),
    madeAt: time(),
    state: oneOf(APPEAL_STATES, {
      description: 'withdrawn: the personal data of whoever appealed was erased.',
      examples: ['open'],
    }),
    reply: orNull(string({ examples: [null] })),
    decidedBy: orNull(string({ examples: [null] })),
    decidedAt: orNull(time({ examples: [null] })),
    decision,
    former: orNull(string({ examples: [null] }), { description: 'The name or biography that the decision replaced.' }),
    putsBack: boolean({ description: 'Whether overturning the decision would change the subject.', examples: [true] }),
    subject: anyOf([profileSubject, commentSubject]),
  }),
)
export type Appeal = ValueOf<typeof appeal>

const { items, cursor } = page(anyOf([profileSubject, commentSubject, appeal])).properties

export const reviewQueue = named(
  'ReviewQueue',
  object({ items, cursor, waiting: count({ description: 'How many wait, counted up to 1000.', examples: [1] }) }),
)

const decisionFields = { note, version, ground, clause: clauseKey, statement }
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
