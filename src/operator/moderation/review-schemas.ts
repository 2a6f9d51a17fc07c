// What moderators review: flagged profiles and comments, with the decisions on them.

import { FLAG_REASONS } from '../../flags/reasons.ts'
import { APPEAL_STATES, PARTIES } from '../../moderation/appeals/appeal-store.ts'
import { COMMENT_ACTIONS, GROUNDS, PROFILE_ACTIONS } from '../../moderation/decisions/actions.ts'
import { LANES } from '../../moderation/queue/queue.ts'
import { REVIEWED_TIP_STATES } from '../../record/tip-state.ts'
import * as s from '../server/fields.ts'
import { note, version } from '../server/fields.ts'
import { paging } from '../server/pages.ts'
import { problemFields } from '../server/problem-schema.ts'
import { dayField } from '../server/query-days.ts'

export const label = (description: string) => s.string({ pattern: s.CLAUSE_KEY, description, examples: ['watch'] })
export const assignee = (description: string) =>
  s.string({ maxLength: 200, pattern: s.ASSIGNEE, description, examples: ['group:second line'] })

export const queueQuery = s.allOptional({
  kind: s.withDefault(s.oneOf(['profile', 'comment', 'appeal'], { examples: ['profile'] }), 'profile'),
  lane: s.withDefault(
    s.oneOf(LANES, {
      description:
        '`trusted`: only what at least one trusted reporter has flagged; `held`: comments that a rule holds back, the one that waits longest first; `assigned`: what is assigned to the caller or one of the caller’s groups.',
      examples: ['all'],
    }),
    'all',
  ),
  label: label('Only what has this label.'),
  from: dayField('Of appeals: only those made on this day (UTC) or later.'),
  assignee: assignee('With `assigned`: what is assigned to this person or group instead.'),
  ...paging,
})

export const reason = s.oneOf(FLAG_REASONS, { examples: ['spam'] })

export const ground = s.oneOf(GROUNDS, {
  description: 'Why the content is restricted: the operator’s terms, or the law. Without it: that of the clause.',
  examples: ['terms'],
})
export const clauseKey = s.string({
  pattern: s.CLAUSE_KEY,
  description: 'The key of a clause (readModerationTexts). Without it: `general`.',
  examples: ['spam'],
})
export const statement = s.string({
  maxLength: 1000,
  pattern: s.LINES,
  description: 'The reasons, for the author. Without it: the template of the clause.',
  examples: ['This content advertises or repeats itself.'],
})

export const decisionColumns = {
  id: s.id('7'),
  action: s.string({ examples: ['keep'] }),
  note: s.string({ examples: ['Seen and fine'] }),
  actor: s.string({ description: 'Who decided.', examples: ['ann'] }),
  at: s.time(),
}
export const decisionReasons = {
  ground: s.oneOf(GROUNDS, { description: 'Only where the decision restricts, as the next three.' }),
  clause: s.string(),
  statement: s.string({ description: 'What the author reads.' }),
  automated: s.boolean({ description: 'Whether it was made without a person.' }),
  overturned: s.boolean({ description: 'Only where a later decision has overturned it.' }),
}
export const decision = s.namedObject('Decision', decisionColumns, decisionReasons)
export type Decision = s.ValueOf<typeof decision>

const subjectFields = {
  version,
  flags: s.count({ description: 'Flags since the last decision.', examples: [2] }),
  flaggedAt: s.orNull(s.time(), { description: 'When it came into the queue.' }),
  weight: s.figure('1.00', {
    description:
      'The sum of the weights of its open flags. A flag weighs (upheld + 1) / (upheld + rejected + 2), by what was ' +
      'decided on earlier flags of its reporter; the flag of a muted reporter weighs nothing.',
  }),
  trustedFlags: s.count({ description: 'Open flags by trusted reporters.', examples: [0] }),
  reasons: s.list(s.object({ reason, flags: s.count({ examples: [1] }) }), {
    description: 'The reasons of the latest 100 open flags, as far as they were given, most frequent first.',
    examples: [[{ reason: 'spam', flags: 1 }]],
  }),
  labels: s.list(label('What moderators call it, for each other.'), { examples: [[]] }),
  assignment: s.orNull(
    s.object({
      assignee: assignee('To whom.'),
      note: s.string({ examples: [''] }),
      by: s.string({ examples: ['ann'] }),
      at: s.time(),
    }),
    { description: 'Who is to decide; null: anybody. It ends with the next decision.', examples: [null] },
  ),
  author: s.object({ customerId: s.id('15'), profileId: s.id('15') }),
  decisions: s.list(decision, { description: 'All decisions on it, oldest first.', examples: [[]] }),
}
const flagsEver = s.count({
  description: 'All flags, decided or not; only where the subject is read by itself.',
  examples: [2],
})

export const premoderated = s.boolean({
  description: 'Whether each new tip waits for a moderator.',
  examples: [false],
})

export const profileContentFields = {
  name: s.string({ examples: ['Olly Outsider'] }),
  biography: s.string({ examples: ['33/1 or nothing.'] }),
  picture: s.string({ description: 'Where the picture is.', examples: ['/pictures/default.png'] }),
  status: s.oneOf(['active', 'inactive'], { examples: ['active'] }),
}

export const profileSubject = s.namedObject(
  'ReviewedProfile',
  {
    kind: s.oneOf(['profile']),
    id: s.id('15'),
    ...subjectFields,
    premoderated,
    content: s.object(profileContentFields),
    actions: s.list(s.oneOf(PROFILE_ACTIONS), {
      description: 'The actions that would change something now.',
      examples: [['deactivate', 'keep', 'reset-name', 'reset-biography']],
    }),
  },
  { flagsEver },
)
export type ProfileSubject = s.ValueOf<typeof profileSubject>

export const commentSubject = s.namedObject(
  'ReviewedComment',
  {
    kind: s.oneOf(['comment']),
    id: s.id('24'),
    ...subjectFields,
    content: s.object({
      text: s.string({ examples: ['Bigger at the off, you will see'] }),
      state: s.oneOf(REVIEWED_TIP_STATES, {
        description:
          'Shown, withdrawn by its author, removed by a moderator, or held by a rule until a moderator decides.',
        examples: ['live'],
      }),
      featured: s.boolean({ examples: [false] }),
      likes: s.count({ examples: [4] }),
      createdAt: s.time(),
      event: s.string({ examples: ['Ascot race 4'] }),
      startsAt: s.time({ description: 'When the event starts.' }),
      market: s.string({ examples: ['To win'] }),
      outcome: s.string({ examples: ['Tin Soldier'] }),
    }),
    actions: s.list(s.oneOf(COMMENT_ACTIONS), {
      description: 'The actions that would change something now.',
      examples: [['remove', 'keep', 'feature']],
    }),
  },
  { flagsEver },
)
export type CommentSubject = s.ValueOf<typeof commentSubject>
export type Subject = ProfileSubject | CommentSubject

export const appeal = s.namedObject('Appeal', {
  kind: s.oneOf(['appeal']),
  id: s.id('1'),
  version,
  party: s.oneOf(PARTIES, {
    description: 'Who appeals: the author of what was restricted, or a person whose flag was rejected.',
    examples: ['author'],
  }),
  by: s.object({ customerId: s.id('15'), profileId: s.id('15') }),
  text: s.string({ examples: ['It was a joke between friends.'] }),
  madeAt: s.time(),
  state: s.oneOf(APPEAL_STATES, {
    description: 'withdrawn: the personal data of whoever appealed was erased.',
    examples: ['open'],
  }),
  reply: s.orNull(s.string({ examples: [null] })),
  decidedBy: s.orNull(s.string({ examples: [null] })),
  decidedAt: s.orNull(s.time({ examples: [null] })),
  decision,
  former: s.orNull(s.string({ examples: [null] }), {
    description: 'The name or biography that the decision replaced.',
  }),
  putsBack: s.boolean({
    description: 'Whether overturning the decision would change the subject.',
    examples: [true],
  }),
  subject: s.anyOf([profileSubject, commentSubject]),
})
export type Appeal = s.ValueOf<typeof appeal>

const { items, cursor } = s.page(s.anyOf([profileSubject, commentSubject, appeal])).properties

export const reviewQueue = s.namedObject('ReviewQueue', {
  items,
  cursor,
  waiting: s.count({ description: 'How many wait, counted up to 1000.', examples: [1] }),
})

const decisionFields = { note, version, ground, clause: clauseKey, statement }
export const profileDecisionBody = s.object(
  { action: s.oneOf(PROFILE_ACTIONS, { examples: ['keep'] }) },
  decisionFields,
)
export const commentDecisionBody = s.object(
  { action: s.oneOf(COMMENT_ACTIONS, { examples: ['keep'] }) },
  decisionFields,
)
export type NewDecision = s.SentOf<typeof profileDecisionBody> | s.SentOf<typeof commentDecisionBody>

/** The refusal of a decision shows what the subject is now. */
const conflictFields = {
  ...problemFields,
  meanwhile: s.list(decision, { description: 'Decisions of others since the version that was seen.' }),
}
export const profileConflict = s.namedObject('ProfileDecisionConflict', { ...conflictFields, current: profileSubject })
export const commentConflict = s.namedObject('CommentDecisionConflict', { ...conflictFields, current: commentSubject })
export type DecisionConflict = s.ValueOf<typeof profileConflict> | s.ValueOf<typeof commentConflict>
