import { oneOf, string } from '../http/representation/json-schema.ts'
import { PERIODS } from './periods.ts'

/** Fields of events about money. */
export const money = string({ pattern: '^[0-9]+\\.[0-9]{2}$', examples: ['25.00'] })
export const currency = string({ description: 'ISO 4217', examples: ['GBP'] })
export const period = oneOf(PERIODS, { examples: ['week'] })
