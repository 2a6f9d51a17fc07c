// The sandbox's customers with their cards, profiles, follows and flags. Fixed, so that documents can show them.

import type { FlagText } from '../../flags/flag.ts'

export const SANDBOX_KEY = 'sandbox-key'
export const SANDBOX_SECRET = 'sandbox-secret'
export const SANDBOX_PASSWORD = 'sandbox'

/** The customers who can log in; their ids are 1, 2 and 3. */
export const SANDBOX_CUSTOMERS = [
  { username: 'alice', ticket: 'TGT-1-sandbox-alice' },
  { username: 'bob', ticket: 'TGT-2-sandbox-bob' },
  { username: 'carol', ticket: 'TGT-3-sandbox-carol' },
] as const

/** Cards of customers 1, 2 and 3: alice's are approved, bob's and carol's show what can go wrong. */
export const SANDBOX_CARDS: readonly { id: number; customerId: number; token: string; scheme: string }[] = [
  { id: 101, customerId: 1, token: 'sandbox:approve', scheme: 'VISA' },
  { id: 102, customerId: 1, token: 'sandbox:slow-2000', scheme: 'MASTERCARD' },
  { id: 201, customerId: 2, token: 'sandbox:approve', scheme: 'VISA' },
  { id: 202, customerId: 2, token: 'sandbox:decline', scheme: 'VISA' },
  { id: 203, customerId: 2, token: 'sandbox:insufficient-funds', scheme: 'VISA' },
  { id: 204, customerId: 2, token: 'sandbox:invalid-card', scheme: 'VISA' },
  { id: 205, customerId: 2, token: 'sandbox:expired', scheme: 'VISA' },
  { id: 206, customerId: 2, token: 'sandbox:wrong-cv2', scheme: 'VISA' },
  { id: 301, customerId: 3, token: 'sandbox:approve', scheme: 'MASTERCARD' },
  { id: 302, customerId: 3, token: 'sandbox:timeout-before', scheme: 'MASTERCARD' },
  { id: 303, customerId: 3, token: 'sandbox:timeout-after', scheme: 'MASTERCARD' },
  { id: 304, customerId: 3, token: 'sandbox:error-before', scheme: 'MASTERCARD' },
  { id: 305, customerId: 3, token: 'sandbox:error-after', scheme: 'MASTERCARD' },
  { id: 306, customerId: 3, token: 'sandbox:capture-refused', scheme: 'MASTERCARD' },
]

/** One per customer, from id 1. */
export const SANDBOX_PROFILES: readonly { name: string; biography: string }[] = [
  { name: 'Alice Ascot', biography: 'Flat racing in summer, spreadsheets in winter.' },
  { name: 'Bob Both Teams', biography: 'Goals at both ends. League One and below.' },
  { name: 'Carol Cheltenham', biography: 'Four days in March, three hundred and sixty-one to get ready.' },
  { name: 'Danny Deuce', biography: 'Second serves and second chances.' },
  { name: 'Each Way Edie', biography: 'Place terms are the whole point.' },
  { name: 'Furlong Frank', biography: 'Two-year-olds over six.' },
  { name: 'Grace Goalkeeper', biography: 'Clean sheets only.' },
  { name: 'Harry Handicap', biography: 'The weights tell you everything.' },
  { name: 'Ines Infield', biography: '' },
  { name: 'Jumps Jim', biography: 'If it has fences, I am there.' },
  { name: 'Kira Kick-off', biography: 'Saturday, three o’clock.' },
  { name: 'Lucky Fifteen', biography: 'Four picks, fifteen bets, one good day a month.' },
  { name: 'Mo Matchpoint', biography: 'Clay courts and long rallies.' },
  { name: 'Nap of the Day', biography: 'One selection a day. No more.' },
  { name: 'Olly Outsider', biography: '33/1 or nothing.' },
  { name: 'Paddy Placepot', biography: 'Six races, small stakes.' },
  { name: 'Quinn Quarter-final', biography: '' },
  { name: 'Ruth Rails', biography: 'Drawn low, travelling well.' },
  { name: 'Sam Six-Two', biography: 'Tennis, mostly in straight sets.' },
  { name: 'Tess Tote', biography: 'Pool betting since before it was fashionable.' },
]

/** Customer ids. Most follow 1, 3 and 12; nobody follows 20. */
export const SANDBOX_FOLLOWS: readonly (readonly [follower: number, followee: number])[] = SANDBOX_PROFILES.flatMap(
  (_, index) => {
    const follower = index + 1
    const favourites = [1, 3, 12, (follower % 19) + 1, ((follower * 7) % 19) + 1, ((follower * 11) % 19) + 1]
    return [...new Set(favourites)]
      .filter((followee, place) => followee !== follower && (place > 2 || (follower + place) % 4 !== 0))
      .map((followee) => [follower, followee] as const)
  },
)

/** Flags on profiles, as customer ids, with why. */
export const SANDBOX_FLAGS: readonly (readonly [flagger: number, flagged: number, text?: FlagText])[] = [
  [2, 15, { reason: 'spam', note: 'Every tip of his is 33/1.' }],
  [7, 15],
  [9, 14],
]

/** That of the first customer, whose ticket the examples of the reference use. */
export const SANDBOX_DECIDED_PROFILE = 1
