import { withdraw } from '../communities/comment.ts'
import { type LockedComment, lockComment, setFeatured } from '../communities/store.ts'
import type { Context } from '../context.ts'
import type { Database } from '../database/database.ts'
import { recordDecision } from '../moderation/flag.ts'
import { decisionsOn } from '../moderation/store.ts'
import { showComment, toDecision, toSubject } from './moderation.ts'
import { note, type OperatorOperation, object, operatorOperation } from './operation.ts'
import { notFound } from './problem.ts'
import { commentForReview } from './store.ts'

const ACTIONS = ['remove', 'keep', 'feature', 'unfeature'] as const
type Action = (typeof ACTIONS)[number]

export const commentOperations: OperatorOperation[] = [
  operatorOperation({
    name: 'getModeratedComment',
    summary: 'A comment, shown or not, with its flags and all decisions on it',
    method: 'GET',
    path: '/moderation/comments/{id}',
    role: 'moderator',
    handle: async ({ database }, { path }) => ({ status: 200, body: await readComment(database, Number(path.id)) }),
  }),
  operatorOperation<{ action: Action; note: string }>({
    name: 'moderateComment',
    summary: 'Decide on a comment: answers what it is now',
    method: 'POST',
    path: '/moderation/comments/{id}',
    role: 'moderator',
    body: object({ action: { type: 'string', enum: ACTIONS }, note }, ['action']),
    async handle(context, { operator, path, body }) {
      const decision = { ...body, actor: operator.name, now: context.now() }
      return { status: 200, body: await moderateComment(context, Number(path.id), decision) }
    },
  }),
]

type CommentDecision = { action: Action; note: string; actor: string; now: number }

async function moderateComment({ database }: Context, id: number, decision: CommentDecision): Promise<object> {
  return database.transaction(async (transaction) => {
    // Flags that arrive meanwhile wait for the lock, and queue the comment again afterwards.
    const comment = await transaction.one(lockComment, [id])
    if (comment === undefined) throw notFound(`comment ${id}`)
    await steps[decision.action](transaction, id, comment)
    await recordDecision(transaction, { kind: 'comment', subjectId: id, ...decision })
    return readComment(transaction, id)
  })
}

const steps: Record<Action, (transaction: Database, id: number, comment: LockedComment) => Promise<unknown>> = {
  // What its owner took back stays theirs: removing it would forbid them another tip on the bet.
  remove: async (transaction, id, comment) => {
    if (comment.state === 'live') await withdraw(transaction, id, comment, 'removed')
  },
  keep: async () => {},
  feature: (transaction, id) => transaction.run(setFeatured, [id, 1]),
  unfeature: (transaction, id) => transaction.run(setFeatured, [id, 0]),
}

async function readComment(database: Database, id: number): Promise<object> {
  const row = await database.one(commentForReview, [id])
  if (row === undefined) throw notFound(`comment ${id}`)
  const decisions = await database.query(decisionsOn, ['comment', id])
  return {
    ...toSubject('comment', row),
    flagsEver: row.flags_ever,
    ...showComment(row),
    decisions: decisions.map(toDecision),
  }
}
