/** The author deactivates a tip, a moderator removes it. */
export const TIP_STATES = ['live', 'deactivated', 'removed'] as const
export type TipState = (typeof TIP_STATES)[number]

/** As operators see them: a tip that a rule holds back is stored as removed, with `held` 1. */
export const REVIEWED_TIP_STATES = [...TIP_STATES, 'held'] as const
export type ReviewedTipState = (typeof REVIEWED_TIP_STATES)[number]
