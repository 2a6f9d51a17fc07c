import { readActivity } from '../statistics/activity.ts'
import { readDepositStatistics } from '../statistics/deposits.ts'
import { type OperatorOperation, operatorOperation } from './frame/operation.ts'

const DAYS = { days: { type: 'integer', minimum: 1, maximum: 90, default: 30 } }

export const statisticsOperations: OperatorOperation[] = [
  operatorOperation<undefined, { days: number }>({
    name: 'readStatistics',
    summary: 'Follows, profiles, tips, likes, flags and decisions on each of the last days (UTC), today included',
    method: 'GET',
    path: '/statistics',
    role: 'moderator',
    query: DAYS,
    handle: async (context, { query: { days } }) => ({ status: 200, body: await readActivity(context, days) }),
  }),
  operatorOperation<undefined, { days: number }>({
    name: 'readMoneyStatistics',
    summary:
      'Deposits on each of the last days (UTC): amounts by currency, how many were approved, and refusals by reason',
    method: 'GET',
    path: '/statistics/money',
    role: 'admin',
    query: DAYS,
    handle: async (context, { query: { days } }) => ({ status: 200, body: await readDepositStatistics(context, days) }),
  }),
]
