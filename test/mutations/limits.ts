// The guards of the customers' own limits and exclusions.

import { guards } from './mutation.ts'

const RULES = 'src/wallets/deposits/rules.ts'
const LIMITS = 'src/wallets/limits/limits.ts'
const SESSIONS = 'src/identity/sessions/store.ts'

const EXCLUSION = 'src/identity/exclusions/exclusion.ts'

const SUITES = [
  'test/wallets/limits/flow.test.ts',
  'test/flows/exclusions.test.ts',
  'test/flows/exclusion-register.test.ts',
  'test/wallets/limits/races.test.ts',
  'test/wallets/limits/model.test.ts',
]

export const limitMutations = guards(SUITES, [
  { guard: 'limits of the customer', file: RULES, from: 'exceeds || exceededPeriod(rules) !== null', to: 'exceeds' },
  { guard: 'time-out and self-exclusion', file: RULES, from: ' || customer.play_from > now()', to: '' },
  { guard: 'register of exclusions', file: RULES, from: /.*beginning\.register !== 'clear'.*\n/, to: '' },
  { guard: 'no session while excluded', file: SESSIONS, from: / and play_from <= :now and \(cast/, to: ' and (cast' },
  { guard: 'no limit rises at once', file: LIMITS, from: 'amount <= BigInt(current.amount)', to: 'amount >= 0n' },
  { guard: 'no confirmation too early', file: LIMITS, from: ' || now < pending.notBefore', to: '' },
  { guard: 'a request for a limit lapses', file: LIMITS, from: ' || now >= row.pending_since + LAPSE_MS', to: '' },
  {
    guard: 'a lower limit ends the request for a higher one',
    file: 'src/wallets/limits/store.ts',
    from: /changed_at = excluded\.changed_at,\n.*pending_since = null, pending_amount = null/,
    to: 'changed_at = excluded.changed_at',
  },
  {
    guard: 'an erasure deletes requests for limits',
    file: 'src/operator/personal-data/erase.ts',
    from: /.*erasePendingLimits, .*\n/,
    to: '',
  },
  {
    guard: 'the history of limits and exclusions',
    file: 'src/wallets/limits/safeguards.ts',
    from: /.*insertSafeguardChange, .*\n/,
    to: '',
  },
  { guard: 'no shorter time-out', file: EXCLUSION, from: /.*if \(until < row\.play_from\) return false\n/, to: '' },
  { guard: 'no shorter self-exclusion', file: EXCLUSION, from: /.*if \(isExcluded && until < .*\n/, to: '' },
  { guard: 'an exclusion ends sessions', file: EXCLUSION, from: /.*deleteSessionsOf, .*\n/, to: '' },
  { guard: 'no return before the end', file: EXCLUSION, from: /\n.*refuseEarlier\(id, row, now\)/, to: '' },
  { guard: 'a return waits 24 hours', file: EXCLUSION, from: 'now + RETURN_AFTER_MS', to: 'now' },
]).concat(
  guards(
    ['test/flows/excluded-tickets.test.ts'],
    [
      {
        guard: 'tickets of providers while excluded',
        file: SESSIONS,
        from: `where id = :id and status = 'active' and play_from <= :now`,
        to: `where id = :id and status = 'active' and :now > 0`,
      },
    ],
  ),
  guards(
    ['test/wallets/deposits/own.test.ts'],
    [
      {
        guard: 'own deposits only',
        file: 'src/wallets/deposits/list-store.ts',
        from: 'from deposit where customer_id = :customerId order by number desc limit :limit offset',
        to: 'from deposit where customer_id > 0 * :customerId order by number desc limit :limit offset',
      },
    ],
  ),
)
