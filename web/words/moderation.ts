// Flags, decisions and appeals.

import type { FlagReason } from '../../src/flags/reasons.ts'
import type { DecisionAction, Ground } from '../../src/moderation/decisions/actions.ts'
import type { Reporter, SubjectContext } from '../../src/operator/api-types.ts'
import type { ReviewedTipState } from '../../src/record/tip-state.ts'

type Verdict = SubjectContext['flags'][number]['verdict']

export const REASON_LABELS: Record<FlagReason, string> = {
  spam: 'Spam',
  abuse: 'Abuse',
  'false-claim': 'False claim',
  'inside-information': 'Inside information',
  harm: 'Harm',
  illegal: 'Illegal',
  other: 'Other',
}

/** For who flags. */
export const REASONS_TO_FLAG: Record<FlagReason, string> = {
  spam: 'Spam or advertising',
  abuse: 'Insults somebody',
  'false-claim': 'Claims something that is not true',
  'inside-information': 'Uses inside information',
  harm: 'Encourages harmful gambling',
  illegal: 'Is against the law',
  other: 'Something else',
}

export function flagCount(flags: number): string {
  return flags === 1 ? '1 flag' : `${flags} flags`
}

/** How often a reporter was right. */
export function reporterHistory({ upheld, rejected }: Pick<Reporter, 'upheld' | 'rejected'>): string {
  const decided = upheld + rejected
  return decided === 0 ? 'No flag decided yet' : `Right in ${upheld} of ${decided}`
}

export const GROUNDS: Record<Ground, string> = { terms: 'Terms', law: 'Law' }

/** The rules that the service has at first, for the author: answers name a rule by its key. */
export const RULES: Readonly<Record<string, string>> = {
  general: 'Community rules',
  spam: 'Spam and advertising',
  abuse: 'Abuse and harassment',
  'false-claim': 'False claims',
  'inside-information': 'Inside information',
  harm: 'Harm to yourself or others',
  'illegal-content': 'Illegal content',
}

/** Whether customers see a tip, and if not, why: a tip is withdrawn by its author and removed by a moderator. */
export const TIP_STATES: Record<ReviewedTipState, string> = {
  live: 'Live',
  deactivated: 'Withdrawn',
  removed: 'Removed',
  held: 'Held',
}

/** What became of a flag, for moderators. */
export const VERDICTS: Record<Verdict, string> = {
  open: 'Open',
  upheld: 'Upheld',
  rejected: 'Rejected',
  neither: 'Neither upheld nor rejected',
}

/** What was decided, for the author. */
export const OWN_DECISIONS: Record<DecisionAction, string> = {
  remove: 'A moderator removed your tip',
  hold: 'Your tip waits for a moderator',
  publish: 'A moderator published your tip',
  restore: 'A moderator restored your tip',
  keep: 'A moderator looked at your tip and left it as it is',
  feature: 'A moderator featured your tip',
  unfeature: 'Your tip is no longer featured',
  'reset-picture': 'A moderator removed your picture',
  'reset-name': 'A moderator reset your name',
  'reset-biography': 'A moderator removed your biography',
  deactivate: 'A moderator deactivated your profile',
  reactivate: 'A moderator reactivated your profile',
  overturn: 'A decision on your content was overturned',
}
