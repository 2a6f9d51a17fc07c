/** Why a customer flags. */
export const FLAG_REASONS = ['spam', 'abuse', 'false-claim', 'inside-information', 'harm', 'illegal', 'other'] as const
export type FlagReason = (typeof FLAG_REASONS)[number]

export const MAX_FLAG_NOTE_LENGTH = 300
