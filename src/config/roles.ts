export const ROLES = ['admin', 'feed', 'accounts', 'moderator', 'auditor'] as const
export type Role = (typeof ROLES)[number]
