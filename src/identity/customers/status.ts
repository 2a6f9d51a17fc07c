export const CUSTOMER_STATUSES = ['active', 'suspended', 'closed', 'self-excluded'] as const
export type CustomerStatus = (typeof CUSTOMER_STATUSES)[number]
