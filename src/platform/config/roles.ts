export const ROLES = [
  'admin',
  'feed',
  'accounts',
  'tickets',
  'cashier',
  'cashier-lead',
  'events',
  'moderator',
  'auditor',
] as const
export type Role = (typeof ROLES)[number]
