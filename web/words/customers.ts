// Customers and what they have set.

import type { Customer } from '../../src/operator/api-types.ts'

export const CUSTOMER_STATUSES: Record<Customer['status'], string> = {
  active: 'Active',
  suspended: 'Suspended',
  closed: 'Closed',
  'self-excluded': 'Self-excluded',
}

export const EXCLUSIONS: Record<NonNullable<Customer['exclusion']>['kind'], string> = {
  'time-out': 'Time-out',
  'self-exclusion': 'Self-exclusion',
}
