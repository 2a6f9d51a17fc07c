import { operatorOperation } from '../server/operation.ts'
import { readActivity } from './activity.ts'
import { readDepositStatistics } from './deposits.ts'
import { daysQuery, moneyStatistics, statistics } from './schemas.ts'

export const statisticsOperations = [
  operatorOperation({
    name: 'readStatistics',
    summary: 'Count what customers and moderators did on each of the last days',
    description: 'Follows, profiles, tips, likes, flags and decisions by day (UTC), today included.',
    route: 'GET /statistics',
    role: 'moderator',
    query: daysQuery,
    answer: { 200: statistics },
    example: { query: { days: 7 } },
    handle: (context, { query: { days } }) => readActivity(context, days),
  }),
  operatorOperation({
    name: 'readMoneyStatistics',
    summary: 'Count the deposits of each of the last days',
    description: 'By day (UTC), today included: amounts by currency, how many were approved, and refusals by reason.',
    route: 'GET /statistics/money',
    role: 'admin',
    query: daysQuery,
    answer: { 200: moneyStatistics },
    example: { query: { days: 7 } },
    handle: (context, { query: { days } }) => readDepositStatistics(context, days),
  }),
]
