/** The author deactivates a tip, a moderator removes it. */
export const TIP_STATES = ['live', 'deactivated', 'removed'] as const
export type TipState = (typeof TIP_STATES)[number]
