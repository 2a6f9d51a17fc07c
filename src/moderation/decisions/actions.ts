import { DAY_MS } from '../../platform/runtime/durations.ts'

export const PROFILE_ACTIONS = [
  'deactivate',
  'reactivate',
  'keep',
  'reset-name',
  'reset-biography',
  'reset-picture',
] as const
export type ProfileAction = (typeof PROFILE_ACTIONS)[number]

export const COMMENT_ACTIONS = ['publish', 'remove', 'restore', 'keep', 'feature', 'unfeature'] as const
export type CommentAction = (typeof COMMENT_ACTIONS)[number]

/** Actions that take something from the author, who is notified of the reasons and may appeal. */
export const RESTRICTING_ACTIONS = ['remove', 'deactivate', 'reset-name', 'reset-biography', 'reset-picture'] as const
export type RestrictingAction = (typeof RESTRICTING_ACTIONS)[number]

export function isRestricting(action: string): action is RestrictingAction {
  return RESTRICTING_ACTIONS.some((one) => one === action)
}

/** The action of a decision that overturns another one for its author. */
export const OVERTURN = 'overturn' as const

/** The action of a rule that holds a tip back (hold-rules.ts). A moderator then publishes or removes it. */
export const HOLD = 'hold' as const

export type DecisionAction = ProfileAction | CommentAction | typeof OVERTURN | typeof HOLD

/** Why content is restricted: the operator's terms, or the law. */
export const GROUNDS = ['terms', 'law'] as const
export type Ground = (typeof GROUNDS)[number]

/** How long a decision can be appealed. */
export const APPEAL_DAYS = 183
export const APPEAL_MS = APPEAL_DAYS * DAY_MS
