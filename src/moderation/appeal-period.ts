import { DAY_MS } from '../platform/runtime/durations.ts'

/** How long a decision can be appealed. */
export const APPEAL_DAYS = 183
export const APPEAL_MS = APPEAL_DAYS * DAY_MS
