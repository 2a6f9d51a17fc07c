// The sandbox's customers with their cards, profiles, follows and flags. Fixed, so that documents can show them.

import type { FlagText } from '../../flags/flag.ts'
import { readAsset } from '../../platform/runtime/assets.ts'
import type { Name, SandboxCard } from './cards.ts'

type Login = { username: string; ticket: string }
type Tipster = { customerId: number; name: string; biography: string }
type Customers = {
  apiKey: string
  secret: string
  password: string
  /** The customers who can log in; their ids are 1, 2 and 3. */
  logins: [Login, Login, Login]
  /** On the register of exclusions: neither logs in nor deposits. */
  registered: Login & { id: number }
  /** A self-exclusion of this customer has ended, and they have not requested to return. */
  excluded: number
  /** Cards of customers 1 to 4: alice's are approved, bob's and carol's show what can go wrong, with withdrawals and refunds too. */
  cards: SandboxCard[]
  /** On record, of customers who withdraw. */
  names: (Name & { customerId: number })[]
  /** One per customer, from id 1. */
  profiles: { name: string; biography: string }[]
  /** Whose records differ: one wins steadily, one was lucky with few tips, one loses, one withdraws the losers. */
  tipsters: Tipster[]
  /** Only with the history, as these tipsters and their cards. */
  moreTipsters: Tipster[]
  moreCards: SandboxCard[]
  /** Customer ids. Nobody follows 20. */
  follows: [follower: number, followee: number][]
  /** Flags on profiles, as customer ids, with why. */
  flags: { flagger: number; flagged: number; why?: FlagText }[]
  /** The profile of the first customer, whose ticket the examples of the reference use. */
  decidedProfile: number
}

export const SANDBOX = readAsset<Customers>('sandbox/customers.json')
export const { apiKey: SANDBOX_KEY, secret: SANDBOX_SECRET, logins: SANDBOX_CUSTOMERS } = SANDBOX

export const SANDBOX_NAMES: ReadonlyMap<number, Name> = new Map(
  SANDBOX.names.map(({ customerId, ...name }) => [customerId, name]),
)
