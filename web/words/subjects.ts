// What an operation is about.

import type { AuditQuery } from '../../src/operator/api-types.ts'

export const SUBJECT_KINDS: Record<NonNullable<AuditQuery['subjectKind']>, string> = {
  customer: 'Customer',
  profile: 'Profile',
  comment: 'Tip',
  deposit: 'Deposit',
  refund: 'Refund',
  dispute: 'Dispute',
  withdrawal: 'Withdrawal',
  'money-proposal': 'Decision of two persons',
  appeal: 'Appeal',
  reporter: 'Reporter',
  application: 'Application',
  token: 'Token',
  view: 'Saved view',
  webhook: 'Webhook',
  'console-session': 'Console session',
  sport: 'Sport',
  event: 'Event',
  market: 'Market',
  outcome: 'Outcome',
  bet: 'Bet',
}

/** Also of kinds that only a newer service has. */
export const subjectText = (kind: string): string =>
  Object.hasOwn(SUBJECT_KINDS, kind) ? SUBJECT_KINDS[kind as keyof typeof SUBJECT_KINDS] : kind
