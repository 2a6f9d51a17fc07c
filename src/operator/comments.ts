import { decideOnComment, readCommentForReview } from '../review/comment-review.ts'
import { COMMENT_ACTIONS, type CommentAction } from '../review/subjects.ts'
import { note, type OperatorOperation, object, operatorOperation, version } from './frame/operation.ts'

export const commentOperations: OperatorOperation[] = [
  operatorOperation({
    name: 'getModeratedComment',
    summary: 'A comment in any state, with its flags and all decisions on it',
    method: 'GET',
    path: '/moderation/comments/{id}',
    role: 'moderator',
    personalData: true,
    handle: async ({ database }, { path }) => ({
      status: 200,
      body: await readCommentForReview(database, Number(path.id)),
    }),
  }),
  operatorOperation<{ action: CommentAction; note: string; version?: string }>({
    name: 'moderateComment',
    summary: 'Decide on a comment; the response is the comment afterwards',
    method: 'POST',
    path: '/moderation/comments/{id}',
    role: 'moderator',
    body: object({ action: { type: 'string', enum: COMMENT_ACTIONS }, note, version }, ['action']),
    async handle(context, { operator, path, body }) {
      const decision = { ...body, actor: operator.name, now: context.now() }
      return { status: 200, body: await decideOnComment(context, Number(path.id), decision) }
    },
  }),
]
