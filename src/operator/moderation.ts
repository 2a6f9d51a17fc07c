import type { Context } from '../context.ts'
import type { SubjectKind } from '../moderation/store.ts'
import { object } from '../representation/json-schema.ts'
import { decideOnProfile, readProfileForReview } from '../review/profile-review.ts'
import { countWaiting, QUEUE_START, readQueue, withDecisions } from '../review/queue.ts'
import { type OperatorOperation, operatorOperation } from './frame/operation.ts'
import { type Paging, pageOf, paging, positionOf } from './frame/pages.ts'
import { kind, profileConflict, profileDecisionBody, profileSubject, reviewQueue } from './schemas/review.ts'

export const moderationOperations: OperatorOperation[] = [
  operatorOperation({
    name: 'readModerationQueue',
    summary: 'List the flagged profiles or comments that await a decision',
    description: 'Most flags first, with earlier decisions.',
    method: 'GET',
    path: '/moderation/queue',
    role: 'moderator',
    personalData: true,
    query: object({}, { kind, ...paging }),
    answer: { 200: reviewQueue },
    example: { query: { kind: 'profile', limit: 20 } },
    handle: async (context, { query }) => ({ status: 200, body: await queuePage(context, query.kind, query) }),
  }),
  operatorOperation({
    name: 'getModeratedProfile',
    summary: 'Read a profile with its flags and all decisions on it',
    description: 'Active or not.',
    method: 'GET',
    path: '/moderation/profiles/{id}',
    role: 'moderator',
    personalData: true,
    answer: { 200: profileSubject },
    problems: { 404: 'There is no such profile.' },
    example: { path: { id: '15' }, answer: { flagsEver: 2 } },
    handle: async (context, { path }) => ({ status: 200, body: await readProfileForReview(context, Number(path.id)) }),
  }),
  operatorOperation({
    name: 'moderateProfile',
    summary: 'Decide on a profile',
    description: 'The answer is the profile afterwards. It leaves the queue until new flags arrive.',
    method: 'POST',
    path: '/moderation/profiles/{id}',
    role: 'moderator',
    body: profileDecisionBody,
    answer: { 200: profileSubject },
    problems: {
      404: 'There is no such profile.',
      409: { when: 'The profile has changed since the `version` that was sent.', schema: profileConflict },
    },
    example: {
      path: { id: '15' },
      body: { action: 'keep', note: 'Seen and fine' },
      answer: { flags: 0, flaggedAt: null, actions: ['deactivate', 'reset-name', 'reset-biography'], flagsEver: 2 },
    },
    async handle(context, { operator, path, body }) {
      const decision = { ...body, actor: operator.name, now: context.now() }
      return { status: 200, body: await decideOnProfile(context, Number(path.id), decision) }
    },
  }),
]

async function queuePage(context: Context, kind: SubjectKind, { cursor: after, limit }: Paging) {
  const [flags, subjectId] = positionOf(after, [QUEUE_START.flags, QUEUE_START.subjectId]) as [number, number]
  const read = await readQueue(context.database, kind, { flags, subjectId, limit: limit + 1 })
  const { rows, cursor } = pageOf(read, limit, (row) => [row.flags, row.subject_id])
  const items = await withDecisions(context, kind, rows)
  return { items, cursor, waiting: await countWaiting(context.database, kind) }
}
