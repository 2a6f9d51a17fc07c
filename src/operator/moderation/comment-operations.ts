import type { CommentAction } from '../../moderation/actions.ts'
import { decideOnComment, readCommentForReview } from '../../moderation/comment-review.ts'
import { operatorOperation } from '../server/operation.ts'
import { commentConflict, commentDecisionBody, commentSubject } from './review-schemas.ts'

const SENTENCES: Record<CommentAction, string> = {
  keep: 'kept comment {id}',
  remove: 'removed comment {id}',
  restore: 'restored comment {id}',
  feature: 'featured comment {id}',
  unfeature: 'no longer features comment {id}',
}

export const commentOperations = [
  operatorOperation({
    name: 'getModeratedComment',
    summary: 'Read a comment with its flags and all decisions on it',
    description: 'In any state, also removed.',
    route: 'GET /moderation/comments/{id}',
    role: 'moderator',
    audit: 'read comment {id}',
    answer: { 200: commentSubject },
    example: { path: { id: '24' }, answer: { flagsEver: 3 } },
    handle: ({ database }, { path }) => readCommentForReview(database, path.id),
  }),
  operatorOperation({
    name: 'moderateComment',
    summary: 'Decide on a comment',
    description: 'The answer is the comment afterwards. It leaves the queue until new flags arrive.',
    route: 'POST /moderation/comments/{id}',
    role: 'moderator',
    audit: ({ body }) => SENTENCES[body.action as CommentAction] ?? 'decided on comment {id}',
    body: commentDecisionBody,
    answer: { 200: commentSubject },
    problems: {
      409: {
        when: 'The comment has changed since the `version` that was sent, or its state does not allow the action.',
        schema: commentConflict,
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
