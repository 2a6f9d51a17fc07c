// The roles of operators, and what each may do.

import type { Role } from '../../src/platform/config/roles.ts'

export const ROLES: Record<Role, { readonly name: string; readonly may: string }> = {
  moderator: { name: 'Moderator', may: 'the queue and decisions' },
  auditor: { name: 'Auditor', may: 'reads everything' },
  feed: { name: 'Feed', may: 'sports, events, bets and settlements' },
  accounts: { name: 'Accounts', may: 'customers, cards, stakes and winnings' },
  tickets: { name: 'Tickets', may: 'the sportsbook’s log-in' },
  cashier: { name: 'Cashier', may: 'withdrawals, refunds, first approvals' },
  'cashier-lead': { name: 'Cashier lead', may: 'second approvals, resolutions' },
  events: { name: 'Events', may: 'reads the whole log of events' },
  admin: { name: 'Admin', may: 'everything' },
}

/** Old tokens have roles that are no longer given. */
export const roleText = (role: string): string => (Object.hasOwn(ROLES, role) ? ROLES[role as Role].name : role)
