// Flags and reporters as text.

import type { Reporter, Subject } from '../../../src/operator/api-types.ts'

export type Reason = Subject['reasons'][number]['reason']

export const REASON_LABELS: Record<Reason, string> = {
  spam: 'Spam',
  abuse: 'Abuse',
  'false-claim': 'False claim',
  'inside-information': 'Inside information',
  harm: 'Harm',
  illegal: 'Illegal',
  other: 'Other',
}

export function flagCount(flags: number): string {
  return flags === 1 ? '1 flag' : `${flags} flags`
}

/** How often a reporter was right. */
export function reporterHistory({ upheld, rejected }: Pick<Reporter, 'upheld' | 'rejected'>): string {
  const decided = upheld + rejected
  return decided === 0 ? 'No flag decided yet' : `Right in ${upheld} of ${decided}`
}
