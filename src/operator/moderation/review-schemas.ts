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

export const label = (description: string) => s.stringOf({ pattern: s.CLAUSE_KEY }, 'watch', description)
export const assignee = (description: string) =>
  s.stringOf({ maxLength: 200, pattern: s.ASSIGNEE }, 'group:second line', description)

export const queueQuery = s.allOptional({
  kind: s.withDefault(s.oneOf(['profile', 'comment', 'appeal'], 'profile'), 'profile'),
  lane: s.withDefault(
    s.oneOf(
      LANES,
      'all',
      '`trusted`: only what at least one trusted reporter has flagged; `held`: comments that a rule holds back, the one that waits longest first; `assigned`: what is assigned to the caller or one of the caller’s groups.',
    ),
    'all',
  ),
  label: label('Only what has this label.'),
  from: dayField('Of appeals: only those made on this day (UTC) or later.'),
  assignee: assignee('With `assigned`: what is assigned to this person or group instead.'),
  ...paging,
})

export const reason = s.oneOf(FLAG_REASONS, 'spam')

export const ground = s.oneOf(
  GROUNDS,
  'terms',
  'Why the content is restricted: the operator’s terms, or the law. Without it: that of the clause.',
)
export const clauseKey = s.stringOf(
  { pattern: s.CLAUSE_KEY },
  'spam',
  'The key of a clause (readModerationTexts). Without it: `general`.',
)
export const statement = s.stringOf(
  { maxLength: 1000, pattern: s.LINES },
  'This content advertises or repeats itself.',
  'The reasons, for the author. Without it: the template of the clause.',
)

export const decisionColumns = {
  id: s.id('7'),
  action: s.string('keep'),
  note: s.string('Seen and fine'),
  actor: s.string('ann', 'Who decided.'),
  at: s.time(),
}
export const decisionReasons = {
  ground: s.oneOf(GROUNDS, undefined, 'Only where the decision restricts, as the next three.'),
  clause: s.string(),
  statement: s.string(undefined, 'What the author reads.'),
  automated: s.boolean(undefined, 'Whether it was made without a person.'),
  overturned: s.boolean(undefined, 'Only where a later decision has overturned it.'),
}
export const decision = s.namedObject('Decision', decisionColumns, decisionReasons)
export type Decision = s.ValueOf<typeof decision>

const subjectFields = {
  version,
  flags: s.count(2, 'Flags since the last decision.'),
  flaggedAt: s.orNull(s.time(), 'When it came into the queue.'),
  weight: s.figure(
    '1.00',
    'The sum of the weights of its open flags. A flag weighs (upheld + 1) / (upheld + rejected + 2), by what was ' +
      'decided on earlier flags of its reporter; the flag of a muted reporter weighs nothing.',
  ),
  trustedFlags: s.count(0, 'Open flags by trusted reporters.'),
  reasons: s.list(
    s.object({ reason, flags: s.count(1) }),
    'The reasons of the latest 100 open flags, as far as they were given, most frequent first.',
    [{ reason: 'spam', flags: 1 }],
  ),
  labels: s.list(label('What moderators call it, for each other.'), { examples: [[]] }),
  assignment: s.orNull(
    s.object({
      assignee: assignee('To whom.'),
      note: s.string(''),
      by: s.string('ann'),
      at: s.time(),
    }),
    'Who is to decide; null: anybody. It ends with the next decision.',
    null,
  ),
  author: s.object({ customerId: s.id('15'), profileId: s.id('15') }),
  decisions: s.list(decision, 'All decisions on it, oldest first.', []),
}
const flagsEver = s.count(2, 'All flags, decided or not; only where the subject is read by itself.')

export const premoderated = s.boolean(false, 'Whether each new tip waits for a moderator.')

export const profileContentFields = {
  name: s.string('Olly Outsider'),
  biography: s.string('33/1 or nothing.'),
  picture: s.string('/pictures/default.png', 'Where the picture is.'),
  status: s.oneOf(['active', 'inactive'], 'active'),
}

export const profileSubject = s.namedObject(
  'ReviewedProfile',
  {
    kind: s.oneOf(['profile']),
    id: s.id('15'),
    ...subjectFields,
    premoderated,
    content: s.object(profileContentFields),
    actions: s.list(s.oneOf(PROFILE_ACTIONS), 'The actions that would change something now.', [
      'deactivate',
      'keep',
      'reset-name',
      'reset-biography',
    ]),
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
      text: s.string('Bigger at the off, you will see'),
      state: s.oneOf(
        REVIEWED_TIP_STATES,
        'live',
        'Shown, withdrawn by its author, removed by a moderator, or held by a rule until a moderator decides.',
      ),
      featured: s.boolean(false),
      likes: s.count(4),
      createdAt: s.time(),
      event: s.string('Ascot race 4'),
      startsAt: s.time('When the event starts.'),
      market: s.string('To win'),
      outcome: s.string('Tin Soldier'),
    }),
    actions: s.list(s.oneOf(COMMENT_ACTIONS), 'The actions that would change something now.', [
      'remove',
      'keep',
      'feature',
    ]),
  },
  { flagsEver },
)
export type CommentSubject = s.ValueOf<typeof commentSubject>
export type Subject = ProfileSubject | CommentSubject

export const appeal = s.namedObject('Appeal', {
  kind: s.oneOf(['appeal']),
  id: s.id('1'),
  version,
  party: s.oneOf(
    PARTIES,
    'author',
    'Who appeals: the author of what was restricted, or a person whose flag was rejected.',
  ),
  by: s.object({ customerId: s.id('15'), profileId: s.id('15') }),
  text: s.string('It was a joke between friends.'),
  madeAt: s.time(),
  state: s.oneOf(APPEAL_STATES, 'open', 'withdrawn: the personal data of whoever appealed was erased.'),
  reply: s.orNull(s.string(), undefined, null),
  decidedBy: s.orNull(s.string(), undefined, null),
  decidedAt: s.orNull(s.time(), undefined, null),
  decision,
  former: s.orNull(s.string('Olly Outsider'), 'The name or biography that the decision replaced.', null),
  putsBack: s.boolean(true, 'Whether overturning the decision would change the subject.'),
  subject: s.anyOf([profileSubject, commentSubject]),
})
export type Appeal = s.ValueOf<typeof appeal>

const { items, cursor } = s.page(s.anyOf([profileSubject, commentSubject, appeal])).properties

export const reviewQueue = s.namedObject('ReviewQueue', {
  items,
  cursor,
  waiting: s.count(1, 'How many wait, counted up to 1000.'),
})

const decisionFields = { note, version, ground, clause: clauseKey, statement }
export const profileDecisionBody = s.object({ action: s.oneOf(PROFILE_ACTIONS, 'keep') }, decisionFields)
export const commentDecisionBody = s.object({ action: s.oneOf(COMMENT_ACTIONS, 'keep') }, decisionFields)
export type NewDecision = s.SentOf<typeof profileDecisionBody> | s.SentOf<typeof commentDecisionBody>

/** The refusal of a decision shows what the subject is now. */
const conflictFields = {
  ...problemFields,
  meanwhile: s.list(decision, 'Decisions of others since the version that was seen.'),
}
export const profileConflict = s.namedObject('ProfileDecisionConflict', { ...conflictFields, current: profileSubject })
export const commentConflict = s.namedObject('CommentDecisionConflict', { ...conflictFields, current: commentSubject })
export type DecisionConflict = s.ValueOf<typeof profileConflict> | s.ValueOf<typeof commentConflict>
