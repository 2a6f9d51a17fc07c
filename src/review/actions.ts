export const PROFILE_ACTIONS = [
  'deactivate',
  'reactivate',
  'keep',
  'reset-name',
  'reset-biography',
  'reset-picture',
] as const
export type ProfileAction = (typeof PROFILE_ACTIONS)[number]

export const COMMENT_ACTIONS = ['remove', 'restore', 'keep', 'feature', 'unfeature'] as const
export type CommentAction = (typeof COMMENT_ACTIONS)[number]
