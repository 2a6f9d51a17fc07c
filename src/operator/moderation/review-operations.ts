import { assigneesOf } from '../../moderation/assignments/assignments.ts'
import type { CommentAction, ProfileAction } from '../../moderation/decisions/actions.ts'
import { decideOnComment, readCommentForReview } from '../../moderation/decisions/comment-review.ts'
import { decideOnProfile, readProfileForReview } from '../../moderation/decisions/profile-review.ts'
import { countWaiting, positionsIn, type QueueName, readQueue, withDecisions } from '../../moderation/queue/queue.ts'
import type { OperatorContext } from '../context.ts'
import { operatorOperation } from '../server/operation.ts'
import { type Paging, pageOf, positionOf } from '../server/pages.ts'
import { beginOfDay } from '../server/query-days.ts'
import { appealPage } from './appeal-operations.ts'
import * as schemas from './review-schemas.ts'

const PROFILE_SENTENCES: Record<ProfileAction, string> = {
  keep: 'kept profile {id}',
  deactivate: 'deactivated profile {id}',
  reactivate: 'reactivated profile {id}',
  'reset-name': 'reset the name of profile {id}',
  'reset-biography': 'reset the biography of profile {id}',
  'reset-picture': 'reset the picture of profile {id}',
}

const COMMENT_SENTENCES: Record<CommentAction, string> = {
  keep: 'kept comment {id}',
  publish: 'published comment {id}',
  remove: 'removed comment {id}',
  restore: 'restored comment {id}',
  feature: 'featured comment {id}',
  unfeature: 'no longer features comment {id}',
}

export const reviewOperations = [
  operatorOperation({
    name: 'readModerationQueue',
    summary: 'List the profiles, comments or appeals that await a decision',
    description:
      'In the order of `weight`, with earlier decisions. What only muted reporters have flagged is not in it. ' +
      'The weights of open flags follow decisions and changes of reporters within some seconds. Appeals are listed oldest first, and so is what is assigned.',
    route: 'GET /moderation/queue',
    role: 'moderator',
    audit: 'read the review queue of {query.kind}s',
    query: schemas.queueQuery,
    answer: { 200: schemas.reviewQueue },
    problems: { 422: '`from` is a day that does not exist.' },
    example: { query: { kind: 'profile', limit: 20 } },
    async handle(context, { operator, query: { kind, lane, label = null, assignee, from, ...page } }) {
      if (kind === 'appeal') return appealPage(context, page, beginOfDay('from', from))
      const own =
        lane === 'assigned' && assignee === undefined ? await assigneesOf(context.database, operator.name) : []
      const assignees = assignee === undefined ? own : [assignee]
      return queuePage(context, { kind, lane, label, assignees }, page)
    },
  }),
  operatorOperation({
    name: 'getModeratedProfile',
    summary: 'Read a profile with its flags and all decisions on it',
    description: 'Active or not.',
    route: 'GET /moderation/profiles/{id}',
    role: 'moderator',
    audit: 'read profile {id}',
    answer: { 200: schemas.profileSubject },
    example: { path: { id: '15' }, answer: { flagsEver: 2 } },
    handle: (context, { path }) => readProfileForReview(context, path.id),
  }),
  operatorOperation({
    name: 'moderateProfile',
    summary: 'Decide on a profile',
    description: 'The answer is the profile afterwards. It leaves the queue until new flags arrive.',
    route: 'POST /moderation/profiles/{id}',
    role: 'moderator',
    audit: ({ body }) => PROFILE_SENTENCES[body.action as ProfileAction] ?? 'decided on profile {id}',
    body: schemas.profileDecisionBody,
    answer: { 200: schemas.profileSubject },
    problems: {
      409: { when: 'The profile has changed since the `version` that was sent.', schema: schemas.profileConflict },
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
  operatorOperation({
    name: 'getModeratedComment',
    summary: 'Read a comment with its flags and all decisions on it',
    description: 'In any state, also removed.',
    route: 'GET /moderation/comments/{id}',
    role: 'moderator',
    audit: 'read comment {id}',
    answer: { 200: schemas.commentSubject },
    example: { path: { id: '24' }, answer: { flagsEver: 3 } },
    handle: ({ database }, { path }) => readCommentForReview(database, path.id),
  }),
  operatorOperation({
    name: 'moderateComment',
    summary: 'Decide on a comment',
    description: 'The answer is the comment afterwards. It leaves the queue until new flags arrive.',
    route: 'POST /moderation/comments/{id}',
    role: 'moderator',
    audit: ({ body }) => COMMENT_SENTENCES[body.action as CommentAction] ?? 'decided on comment {id}',
    body: schemas.commentDecisionBody,
    answer: { 200: schemas.commentSubject },
    problems: {
      409: {
        when: 'The comment has changed since the `version` that was sent, or its state does not allow the action.',
        schema: schemas.commentConflict,
      },
    },
    example: {
      path: { id: '24' },
      body: { action: 'keep', note: 'Seen and fine' },
      answer: { flags: 0, flaggedAt: null, actions: ['remove', 'feature'], flagsEver: 3 },
    },
    async handle(context, { operator, path, body }) {
      const decision = { ...body, actor: operator.name, now: context.now() }
      return decideOnComment(context, path.id, decision)
    },
  }),
]

async function queuePage(context: OperatorContext, queue: QueueName, { cursor: after, limit }: Paging) {
  const positions = positionsIn(queue.lane)
  const position = positionOf(after, positions.start) as [number, number]
  const read = await readQueue(context.database, queue, { after: position, limit: limit + 1 })
  const { rows, cursor } = pageOf(read, limit, positions.of)
  const items = await withDecisions(context, queue.kind, rows)
  return { items, cursor, waiting: await countWaiting(context.database, queue) }
}
