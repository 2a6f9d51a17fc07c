export const ROLES = ['admin', 'feed', 'accounts', 'events', 'moderator', 'auditor'] as const
export type Role = (typeof ROLES)[number]
