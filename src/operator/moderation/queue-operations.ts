import { object } from '../../http/representation/json-schema.ts'
import type { ProfileAction } from '../../moderation/actions.ts'
import { decideOnProfile, readProfileForReview } from '../../moderation/profile-review.ts'
import { countWaiting, QUEUE_START, type QueueName, readQueue, withDecisions } from '../../moderation/queue.ts'
import type { OperatorContext } from '../context.ts'
import { operatorOperation } from '../server/operation.ts'
import { type Paging, pageOf, paging, positionOf } from '../server/pages.ts'
import { appealPage } from './appeal-operations.ts'
import { kind, lane, profileConflict, profileDecisionBody, profileSubject, reviewQueue } from './review-schemas.ts'

const SENTENCES: Record<ProfileAction, string> = {
  keep: 'kept profile {id}',
  deactivate: 'deactivated profile {id}',
  reactivate: 'reactivated profile {id}',
  'reset-name': 'reset the name of profile {id}',
  'reset-biography': 'reset the biography of profile {id}',
  'reset-picture': 'reset the picture of profile {id}',
}

export const moderationOperations = [
  operatorOperation({
    name: 'readModerationQueue',
    summary: 'List the profiles, comments or appeals that await a decision',
    description:
      'In the order of `weight`, with earlier decisions. What only muted reporters have flagged is not in it. ' +
      'The weights of open flags follow decisions and changes of reporters within some seconds. Appeals are listed oldest first.',
    route: 'GET /moderation/queue',
    role: 'moderator',
    audit: 'read the review queue of {query.kind}s',
    query: object({}, { kind, lane, ...paging }),
    answer: { 200: reviewQueue },
    example: { query: { kind: 'profile', limit: 20 } },
    handle: (context, { query: { kind, lane, ...page } }) =>
      kind === 'appeal' ? appealPage(context, page) : queuePage(context, { kind, lane }, page),
  }),
  operatorOperation({
    name: 'getModeratedProfile',
    summary: 'Read a profile with its flags and all decisions on it',
    description: 'Active or not.',
    route: 'GET /moderation/profiles/{id}',
    role: 'moderator',
    audit: 'read profile {id}',
    answer: { 200: profileSubject },
    example: { path: { id: '15' }, answer: { flagsEver: 2 } },
    handle: (context, { path }) => readProfileForReview(context, path.id),
  }),
  operatorOperation({
    name: 'moderateProfile',
    summary: 'Decide on a profile',
    description: 'The answer is the profile afterwards. It leaves the queue until new flags arrive.',
    route: 'POST /moderation/profiles/{id}',
    role: 'moderator',
    audit: ({ body }) => SENTENCES[body.action as ProfileAction] ?? 'decided on profile {id}',
    body: profileDecisionBody,
    answer: { 200: profileSubject },
    problems: {
      409: { when: 'The profile has changed since the `version` that was sent.', schema: profileConflict },
    },
    example: {
      path: { id: '15' },
      body: { action: 'keep', note: 'Seen and fine' },
      answer: { flags: 0, flaggedAt: null, actions: ['deactivate', 'reset-name', 'reset-biography'], flagsEver: 2 },
    },
    async handle(context, { operator, path, body }) {
      const decision = { ...body, actor: operator.name, now: context.now() }
      return decideOnProfile(context, path.id, decision)
    },
  }),
]

async function queuePage(context: OperatorContext, queue: QueueName, { cursor: after, limit }: Paging) {
  const [weight, subjectId] = positionOf(after, [QUEUE_START.weight, QUEUE_START.subjectId]) as [number, number]
  const read = await readQueue(context.database, queue, { weight, subjectId, limit: limit + 1 })
  const { rows, cursor } = pageOf(read, limit, (row) => [row.weight, row.subject_id])
  const items = await withDecisions(context, queue.kind, rows)
  return { items, cursor, waiting: await countWaiting(context.database, queue) }
}
