import { restore, withdraw } from '../communities/comment.ts'
import { type LockedComment, lockComment, setFeatured } from '../communities/store.ts'
import type { Context } from '../context.ts'
import type { Database } from '../database/database.ts'
import { recordDecision } from '../moderation/flag.ts'
import { decisionsOn } from '../moderation/store.ts'
import { commentForReview } from '../review/store.ts'
import { DecisionConflict, refuseIfChanged } from '../review/subject-version.ts'
import { COMMENT_ACTIONS, type CommentAction, showComment, toDecision, toSubject } from '../review/subjects.ts'
import { note, type OperatorOperation, object, operatorOperation, version } from './frame/operation.ts'
import { notFound } from './frame/problem.ts'

export const commentOperations: OperatorOperation[] = [
  operatorOperation({
    name: 'getModeratedComment',
    summary: 'A comment, shown or not, with its flags and all decisions on it',
    method: 'GET',
    path: '/moderation/comments/{id}',
    role: 'moderator',
    personalData: true,
    handle: async ({ database }, { path }) => ({ status: 200, body: await readComment(database, Number(path.id)) }),
  }),
  operatorOperation<{ action: CommentAction; note: string; version?: string }>({
    name: 'moderateComment',
    summary: 'Decide on a comment: answers what it is now',
    method: 'POST',
    path: '/moderation/comments/{id}',
    role: 'moderator',
    body: object({ action: { type: 'string', enum: COMMENT_ACTIONS }, note, version }, ['action']),
    async handle(context, { operator, path, body }) {
      const decision = { ...body, actor: operator.name, now: context.now() }
      return { status: 200, body: await moderateComment(context, Number(path.id), decision) }
    },
  }),
]

type CommentDecision = { action: CommentAction; note: string; version?: string; actor: string; now: number }

async function moderateComment({ database }: Context, id: number, decision: CommentDecision): Promise<object> {
  return database.transaction(async (transaction) => {
    // Flags that arrive meanwhile wait for the lock, and queue the comment again afterwards.
    const comment = await transaction.one(lockComment, { id })
    if (comment === undefined) throw notFound(`comment ${id}`)
    const before = await readComment(transaction, id)
    refuseIfChanged(before, decision.version)
    const refusal = refusalOf(decision.action, comment.state, before.actions)
    if (refusal !== null) throw new DecisionConflict(before, refusal)
    await steps[decision.action](transaction, id, comment)
    await recordDecision(transaction, { kind: 'comment', subjectId: id, ...decision })
    return readComment(transaction, id)
  })
}

/** What is not done, because the decision would then say what is not true of the comment. */
function refusalOf(action: CommentAction, state: string, possible: readonly string[]): string | null {
  if (action === 'restore') {
    if (state !== 'removed') return `The comment is ${state}: only a removed one can be restored.`
    if (!possible.includes('restore')) return 'The comment’s text was erased with its author’s personal data.'
    return null
  }
  if (action === 'remove') return state === 'deactivated' ? 'The author has taken the comment back already.' : null
  return state === 'removed' ? 'The comment is removed: restore it first.' : null
}

type Step = (transaction: Database, id: number, comment: LockedComment) => Promise<unknown>

const steps: Record<CommentAction, Step> = {
  remove: async (transaction, id, comment) => {
    if (comment.state === 'live') await withdraw(transaction, id, comment, 'removed')
  },
  restore,
  keep: async () => {},
  feature: (transaction, id) => transaction.run(setFeatured, { id, featured: 1 }),
  unfeature: (transaction, id) => transaction.run(setFeatured, { id, featured: 0 }),
}

async function readComment(database: Database, id: number) {
  const row = await database.one(commentForReview, { id })
  if (row === undefined) throw notFound(`comment ${id}`)
  const decisions = await database.query(decisionsOn, { kind: 'comment', subjectId: id })
  const subject = toSubject('comment', row, showComment(row), decisions.map(toDecision))
  return { ...subject, flagsEver: row.flags_ever }
}
