// Why a deposit was refused or needs manual review: the codes that operators filter by.

export const REVIEW_REASONS = [
  'capture-refused',
  'capture-unresolved',
  'capture-failed',
  'cancel-says-captured',
  'cancel-unresolved',
] as const
export type ReviewReason = (typeof REVIEW_REASONS)[number]

/** The faults that a stored deposit can have, by the public API's code. */
export const REFUSALS_BY_CODE = {
  '24001': 'methodInvalid',
  '24002': 'belowMinimum',
  '24003': 'aboveMaximum',
  '24004': 'notPermitted',
  '24005': 'authorisationFailed',
  '24006': 'cardNumberInvalid',
  '24007': 'insufficientFunds',
  '24008': 'dailyLimitExceeded',
  '24009': 'cv2Invalid',
  '24010': 'expiryInvalid',
  '24015': 'fundsStatementNotAccepted',
} as const
export type RefusalCode = keyof typeof REFUSALS_BY_CODE
export const REFUSAL_CODES = Object.keys(REFUSALS_BY_CODE) as RefusalCode[]
