// The guards of payments that the issuer challenges.

import { guards } from './mutation.ts'

const STORE = 'src/wallets/deposits/store.ts'
const FACTS = 'src/wallets/limits/deposit-facts-store.ts'
const CHALLENGES = 'src/wallets/deposits/challenge-store.ts'
const CHALLENGE = 'src/wallets/deposits/challenge.ts'
const RETURNS = 'src/wallets/deposits/return-address.ts'
const ADYEN = 'src/wallets/gateways/adyen/challenge.ts'
const SWEEP = 'src/wallets/sweep/store.ts'

const SUITES = [
  'test/wallets/deposits/challenges.test.ts',
  'test/wallets/deposits/adyen-challenges.test.ts',
  'test/wallets/deposits/changes.test.ts',
  'test/wallets/deposits/model.test.ts',
]

export const challengeMutations = guards(SUITES, [
  {
    guard: 'limit counts challenges',
    file: FACTS,
    from: `'CHALLENGE', 'AUTHORISED', 'CAPTURED', 'REVIEW'`,
    to: `'AUTHORISED', 'CAPTURED', 'REVIEW'`,
  },
  {
    guard: 'challenge where AUTHORISING',
    scheduled: true,
    file: CHALLENGES,
    from: ` and state = 'AUTHORISING' returning`,
    to: ' returning',
  },
  {
    guard: 'a lease that is over voids no challenge that began meanwhile',
    file: STORE,
    from: /\n.*lease_until = cast\(:lease as bigint\)\)/,
    to: '\n     and (cast(:lease as bigint) is null or true)',
  },
  {
    guard: 'the lease of a challenge',
    scheduled: true,
    file: SWEEP,
    from: `case state when 'CHALLENGE' then cast(:now as bigint) else cast(:authorisingUntil as bigint) end`,
    to: `case state when 'CHALLENGE' then cast(0 * :now as bigint) else cast(:authorisingUntil as bigint) end`,
  },
  {
    guard: 'a challenge survives a restart',
    file: SWEEP,
    from: `case state when 'CHALLENGE' then cast(:now as bigint) else cast(:authorisingUntil as bigint) end`,
    to: `case when :now = 0 then cast(:now as bigint) else cast(:authorisingUntil as bigint) end`,
  },
  {
    guard: 'a challenge belongs to its customer',
    file: CHALLENGE,
    from: 'if (deposit?.customer_id !== customerId) throw',
    to: 'if (deposit === undefined) throw',
  },
  {
    guard: 'registered return addresses',
    file: CHALLENGE,
    from: /.*throw new Fault\('walletInvalid', 'returnUrl'\)\n/,
    to: '',
  },
  {
    guard: 'the host of a return address',
    file: RETURNS,
    from: 'url.hostname !== registered.hostname',
    to: '!url.hostname.startsWith(registered.hostname)',
  },
  {
    guard: 'whole parts of the path of a return address',
    file: RETURNS,
    from: 'url.pathname.startsWith(folder)',
    to: 'url.pathname.startsWith(registered.pathname)',
  },
  { guard: 'a result of another payment', file: ADYEN, from: /.*reason: 'of another payment'.*\n/, to: '' },
  { guard: 'a result of another amount', file: ADYEN, from: /.*reason: 'of another amount'.*\n/, to: '' },
  {
    guard: 'the deposit in flight is voided when an exclusion begins',
    file: 'src/wallets/reviews/exclusions.ts',
    from: 'if (deposit !== undefined)',
    to: 'if (deposit === null)',
  },
  { guard: 'a second cancel', file: 'src/wallets/sweep/sweeper.ts', from: 'job.attempts > 0', to: 'job.attempts >= 0' },
])
