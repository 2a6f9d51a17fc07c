import { decideOnComment, readCommentForReview } from '../../moderation/decisions/comment-review.ts'
import { Refused } from '../../platform/runtime/refused.ts'
import type { SandboxContext } from '../context.ts'

const ACTIONS = { remove: 'remove', dismiss: 'keep' } as const
/** What the audit of moderation calls who decided. */
const ACTOR = 'sandbox moderator'

/** Decides on a tip that has open flags, as a moderator would in the console. */
export async function decideOnFlagged(context: SandboxContext, body: unknown): Promise<{ decisionId: number }> {
  const { commentId, action } = readBody(body)
  const { flags } = await readCommentForReview(context.database, commentId)
  if (flags === 0) throw new Refused('conflict', `Comment ${commentId} has no open flags. Flag it first.`)
  const decision = { action: ACTIONS[action], note: '', actor: ACTOR, now: context.now() }
  const { decisions } = await decideOnComment(context, commentId, decision)
  return { decisionId: Number(decisions.at(-1)?.id) }
}

function readBody(body: unknown): { commentId: number; action: keyof typeof ACTIONS } {
  const { commentId, action } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  if (typeof commentId !== 'number' || !Number.isSafeInteger(commentId) || commentId < 1)
    throw new Refused('invalid', 'commentId must be the number of a comment.')
  if (typeof action !== 'string' || !Object.hasOwn(ACTIONS, action))
    throw new Refused('invalid', 'action must be "remove" or "dismiss".')
  return { commentId, action: action as keyof typeof ACTIONS }
}
