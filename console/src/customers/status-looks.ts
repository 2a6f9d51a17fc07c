import type { Customer } from '../../../src/operator/api-types.ts'

export const STATUS_LOOKS: Record<Customer['status'], 'good' | 'warn' | 'bad'> = {
  active: 'good',
  suspended: 'warn',
  closed: 'bad',
  'self-excluded': 'bad',
}
