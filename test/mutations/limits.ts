// The guards of the customers' own limits and exclusions.

import { guards } from './mutation.ts'

const RULES = 'src/wallets/deposit-rules.ts'
const LIMITS = 'src/wallets/limits.ts'
const SESSIONS = 'src/identity/sessions/store.ts'

const SUITES = [
  'test/flows/limits.test.ts',
  'test/flows/exclusions.test.ts',
  'test/flows/exclusion-register.test.ts',
  'test/concurrency/limits.test.ts',
  'test/concurrency/limit-model.test.ts',
]

export const limitMutations = guards(SUITES, [
  { guard: 'limits of the customer', file: RULES, from: 'exceeds || exceededPeriod(rules) !== null', to: 'exceeds' },
  { guard: 'time-out and self-exclusion', file: RULES, from: ' || customer.play_from > now()', to: '' },
  { guard: 'register of exclusions', file: RULES, from: /.*beginning\.register !== 'clear'.*\n/, to: '' },
  { guard: 'no session while excluded', file: SESSIONS, from: / and play_from <= :now and \(cast/, to: ' and (cast' },
  { guard: 'no limit rises at once', file: LIMITS, from: 'amount <= BigInt(current.amount)', to: 'amount >= 0n' },
  { guard: 'no confirmation too early', file: LIMITS, from: ' || now < pending.notBefore', to: '' },
])
