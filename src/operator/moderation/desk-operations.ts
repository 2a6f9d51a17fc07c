// How moderators share the work: settings of admins, labels, and who is to decide.

import { assign, setLabels } from '../../moderation/assignments/assignments.ts'
import { readCommentForReview } from '../../moderation/decisions/comment-review.ts'
import { premoderate } from '../../moderation/decisions/premoderation.ts'
import { readProfileForReview } from '../../moderation/decisions/profile-review.ts'
import { readSettings, replaceSettings } from '../../moderation/settings/settings.ts'
import * as s from '../server/fields.ts'
import { type AuditedCall, operatorOperation } from '../server/operation.ts'
import { conflict } from '../server/problem.ts'
import { assignee, commentSubject, label, profileSubject } from './review-schemas.ts'

const person = s.text(1, 200, 'ann', 'The name of a token or person.')
const labels = s.list(label('What moderators may call a profile or comment.'), { maxItems: 100 })
const groups = s.list(
  s.object({
    name: s.text(1, 100, 'second line'),
    members: s.list(person, { maxItems: 100 }),
  }),
  { maxItems: 100, description: 'To which items can be assigned.' },
)

const rules = s.object(
  {
    links: s.orNull(
      s.object({ newerThanDays: s.integer(1, 3650, 7) }),
      'Holds tips with a link of profiles that are newer.',
    ),
    words: s.list(s.text(1, 100, 'free money'), {
      maxItems: 1000,
      description: 'Holds tips with one of these words or phrases, which are found as blocked words are.',
    }),
    rate: s.orNull(
      s.object({ tips: s.integer(1, 1000, 5), minutes: s.integer(1, 1440, 10) }),
      'Holds the tips of a profile that has written so many within so many minutes.',
    ),
  },
  {},
  'Which new tips wait for a moderator before anybody sees them. null, or no words: there is no such rule.',
)

export const moderationSettings = s.namedObject('ModerationSettings', {
  version: s.count(0, 'Counts the replacements.'),
  labels,
  groups,
  rules,
  people: s.list(person, 'Who may decide: tokens and signed-in people with the role moderator or admin.'),
})
export type ModerationSettings = s.ValueOf<typeof moderationSettings>

export const moderationSettingsBody = s.object(
  { labels, groups },
  {
    rules,
    version: s.integer(
      0,
      Number.MAX_SAFE_INTEGER,
      0,
      'The version that was read. If another person has replaced the settings since, the call is refused with 409.',
    ),
  },
)
export type ModerationSettingsBody = s.SentOf<typeof moderationSettingsBody>

const labelsBody = s.object({ labels: s.list(label('One of the settings’ labels.'), { maxItems: 20 }) })
const assignmentBody = s.object(
  { assignee: s.orNull(assignee('A person or group of the settings.'), 'null: nobody any more.') },
  {
    note: s.withDefault(s.lines(1000, 'Is this a tout?', 'Why, for whoever decides.'), ''),
  },
)
export type NewAssignment = s.SentOf<typeof assignmentBody>

const LABELS = 'Replaces its labels, which only moderators see.'
const ASSIGNMENT =
  'To escalate it, or to take it. It stays in the queue, and is in the lane `assigned` of the person or group until the next decision on it.'
const NO_LABEL = 'There is no such label.'
const NO_ASSIGNEE = 'There is no such group, or no such person with the role moderator or admin.'

export const deskOperations = [
  operatorOperation({
    name: 'readModerationSettings',
    summary: 'Read the labels, groups, rules and people of moderation',
    route: 'GET /moderation/settings',
    role: 'moderator',
    answer: { 200: moderationSettings },
    handle: ({ database, now }) => readSettings(database, now()),
  }),
  operatorOperation({
    name: 'replaceModerationSettings',
    summary: 'Replace the labels, groups and rules of moderation',
    description:
      'A label that is no longer among them stays where it is. Without `rules` these stay as they are; new ones apply to new tips within some seconds.',
    route: 'PUT /moderation/settings',
    role: 'admin',
    audit: 'replaced the settings of moderation',
    body: moderationSettingsBody,
    answer: { 200: moderationSettings },
    problems: {
      409: 'Another person has replaced the settings since the `version` that was sent.',
      422: 'Two groups have the same name.',
    },
    example: { body: { labels: ['tout', 'watch'], groups: [{ name: 'second line', members: ['ann'] }] } },
    async handle({ database, now, holds }, { body }) {
      if (!(await replaceSettings(database, body)))
        throw conflict('Another person has saved the settings since you read them: read them again.')
      await holds.refresh()
      return readSettings(database, now())
    },
  }),
  operatorOperation({
    name: 'premoderateProfile',
    summary: 'Look at every tip of a profile first',
    description: 'While it is on, each new tip of the profile is held until a moderator publishes or removes it.',
    route: 'PUT /moderation/profiles/{id}/premoderation',
    role: 'moderator',
    audit: ({ body }) => `${body.on === true ? 'began' : 'ended'} the pre-moderation of profile {id}`,
    body: s.object({ on: s.boolean(true), reason: s.reason }),
    answer: { 200: profileSubject },
    example: {
      path: { id: '15' },
      body: { on: true, reason: 'Three tips removed this week' },
      answer: { premoderated: true },
    },
    async handle(context, { path, body }) {
      await premoderate(context.database, path.id, body.on)
      return readProfileForReview(context, path.id)
    },
  }),
  operatorOperation({
    name: 'labelProfile',
    summary: 'Label a profile',
    description: LABELS,
    route: 'PUT /moderation/profiles/{id}/labels',
    role: 'moderator',
    audit: labelSentence('profile'),
    body: labelsBody,
    answer: { 200: profileSubject },
    problems: { 422: NO_LABEL },
    example: { path: { id: '15' }, body: { labels: ['watch'] }, answer: { labels: ['watch'] } },
    async handle(context, { operator, path, body }) {
      const made = { actor: operator.name, now: context.now() }
      await setLabels(context.database, { kind: 'profile', subjectId: path.id }, body.labels, made)
      return readProfileForReview(context, path.id)
    },
  }),
  operatorOperation({
    name: 'labelComment',
    summary: 'Label a comment',
    description: LABELS,
    route: 'PUT /moderation/comments/{id}/labels',
    role: 'moderator',
    audit: labelSentence('comment'),
    body: labelsBody,
    answer: { 200: commentSubject },
    problems: { 422: NO_LABEL },
    example: { path: { id: '24' }, body: { labels: ['watch'] }, answer: { labels: ['watch'] } },
    async handle(context, { operator, path, body }) {
      const made = { actor: operator.name, now: context.now() }
      await setLabels(context.database, { kind: 'comment', subjectId: path.id }, body.labels, made)
      return readCommentForReview(context.database, path.id)
    },
  }),
  operatorOperation({
    name: 'assignProfile',
    summary: 'Assign a profile to a person or a group',
    description: ASSIGNMENT,
    route: 'PUT /moderation/profiles/{id}/assignment',
    role: 'moderator',
    audit: assignmentSentence('profile'),
    body: assignmentBody,
    answer: { 200: profileSubject },
    problems: { 422: NO_ASSIGNEE },
    example: { path: { id: '15' }, body: { assignee: null } },
    async handle(context, { operator, path, body }) {
      const made = { actor: operator.name, now: context.now() }
      await assign(context.database, { kind: 'profile', subjectId: path.id }, body, made)
      return readProfileForReview(context, path.id)
    },
  }),
  operatorOperation({
    name: 'assignComment',
    summary: 'Assign a comment to a person or a group',
    description: ASSIGNMENT,
    route: 'PUT /moderation/comments/{id}/assignment',
    role: 'moderator',
    audit: assignmentSentence('comment'),
    body: assignmentBody,
    answer: { 200: commentSubject },
    problems: { 422: NO_ASSIGNEE },
    example: { path: { id: '24' }, body: { assignee: null } },
    async handle(context, { operator, path, body }) {
      const made = { actor: operator.name, now: context.now() }
      await assign(context.database, { kind: 'comment', subjectId: path.id }, body, made)
      return readCommentForReview(context.database, path.id)
    },
  }),
]

/** "labelled comment 24: tout, watch". */
function labelSentence(kind: string) {
  return ({ body }: AuditedCall) => {
    const chosen = Array.isArray(body.labels) ? body.labels.join(', ') : ''
    return chosen === '' ? `took the labels off ${kind} {id}` : `labelled ${kind} {id}: ${chosen}`
  }
}

/** "assigned comment 24 to group second line". */
function assignmentSentence(kind: string) {
  return ({ body }: AuditedCall) =>
    typeof body.assignee === 'string'
      ? `assigned ${kind} {id} to ${body.assignee.replace(':', ' ')}`
      : `ended the assignment of ${kind} {id}`
}
