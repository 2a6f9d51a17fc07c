import { withdraw } from '../../communities/comment.ts'
import {
  addToOutcomeCount,
  countForAuthor,
  type LockedComment,
  lockComment,
  setCommentState,
} from '../../communities/store.ts'
import type { Database } from '../../platform/database/database.ts'
import { Refused } from '../../platform/runtime/refused.ts'
import type { ProfilesContext } from '../../profiles/context.ts'
import { markWithdrawn } from '../../record/grading.ts'
import type { CommentAction } from './actions.ts'
import { type NewDecision, readDecisions, recordDecision } from './decisions.ts'
import { commentForReview, relistComment, relistLikes, setFeatured } from './store.ts'
import { commentView, DecisionConflict, refuseIfChanged, reviewSubject } from './subjects.ts'

export async function readCommentForReview(database: Database, id: number) {
  const row = await database.one(commentForReview, { id })
  if (row === undefined) throw noComment(id)
  const decisions = await readDecisions(database, 'comment', id)
  return { ...reviewSubject(row, commentView(row), decisions), flagsEver: row.flags_ever }
}

/** Returns the comment as it is afterwards. */
export async function decideOnComment(context: ProfilesContext, id: number, decision: NewDecision<CommentAction>) {
  const { database, metrics } = context
  const { after, wasHeld } = await database.transaction((transaction) => decideOnCommentIn(transaction, id, decision))
  if (wasHeld) metrics.count('paddock_held_tips_decided_total', `action="${decision.action}"`)
  return after
}

/** `wasHeld`: it waited for this decision. */
export async function decideOnCommentIn(transaction: Database, id: number, decision: NewDecision<CommentAction>) {
  // New flags of this comment wait for the lock, and queue it again afterwards.
  const comment = await transaction.one(lockComment, { id })
  if (comment === undefined) throw noComment(id)
  const before = await readCommentForReview(transaction, id)
  refuseIfChanged(before, decision.version)
  const contradiction = contradictionOf(decision.action, comment, before.actions)
  if (contradiction !== null) throw new DecisionConflict(contradiction, before)
  await changes[decision.action](transaction, id, comment)
  const changed = decision.action === 'remove' && (comment.state === 'live' || comment.held === 1)
  await recordDecision(transaction, { kind: 'comment', subjectId: id }, decision, { changed })
  return { after: await readCommentForReview(transaction, id), wasHeld: comment.held === 1 }
}

function noComment(id: number): Refused {
  return new Refused('unknown', `There is no comment ${id}.`)
}

/** Why the action cannot be recorded: the decision would state what is not true of the comment. */
function contradictionOf(
  action: CommentAction,
  { state, held }: Pick<LockedComment, 'state' | 'held'>,
  possible: readonly string[],
): string | null {
  if (held === 1) return possible.includes(action) ? null : 'The comment is held: publish or remove it.'
  if (action === 'publish') return `The comment is ${state}: only a held one can be published.`
  if (action === 'restore') {
    if (state !== 'removed') return `The comment is ${state}: only a removed one can be restored.`
    if (!possible.includes('restore')) return 'The comment’s text was erased with its author’s personal data.'
    return null
  }
  if (action === 'remove') return state === 'deactivated' ? 'The author has taken the comment back already.' : null
  return state === 'removed' ? 'The comment is removed: restore it first.' : null
}

type Change = (transaction: Database, id: number, comment: LockedComment) => Promise<unknown>

const changes: Record<CommentAction, Change> = {
  remove: async (transaction, id, comment) => {
    if (comment.state === 'live') await withdraw(transaction, id, comment, 'removed')
    else if (comment.held === 1) await transaction.run(setCommentState, { id, state: 'removed' })
  },
  publish: restore,
  restore,
  keep: async () => {},
  feature: (transaction, id) => transaction.run(setFeatured, { id, featured: 1 }),
  unfeature: (transaction, id) => transaction.run(setFeatured, { id, featured: 0 }),
}

/** Undoes `withdraw`: puts a removed comment back into the lists and counts of its status. */
export async function restore(transaction: Database, id: number, comment: LockedComment): Promise<void> {
  await transaction.run(relistComment, { id })
  const listed = await transaction.one(relistLikes, { id })
  await transaction.run(countForAuthor, { id, times: 1 })
  if (comment.status === 'A' && comment.author_status === 'A') {
    await transaction.run(addToOutcomeCount, { outcomeId: comment.outcome_id, live: 1, likes: listed?.likes ?? 0 })
  }
  await markWithdrawn(transaction, id, false)
}
