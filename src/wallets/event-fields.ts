import { oneOf, string, stringOf } from '../http/representation/json-schema.ts'
import { PERIODS } from './periods.ts'

/** Fields of events about money. */
export const money = stringOf({ pattern: '^[0-9]+\\.[0-9]{2}$' }, '25.00')
export const currency = string('GBP', 'ISO 4217')
export const period = oneOf(PERIODS, 'week')
