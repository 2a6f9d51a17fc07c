// The sandbox's sports, events, bets and tips. The ids are fixed, so that documents and examples can show them.

import type { FlagText } from '../../flags/flag.ts'
import type { EventInput } from '../../sportsbook/catalogue.ts'
import type { Results } from '../../sportsbook/settlement.ts'

export const SANDBOX_SPORTS = { 10: 'Football', 21: 'Horse racing', 30: 'Tennis' } as const

type Outcome = { id: string; name: string; price?: { num: number; den: number } }

function market(id: number, name: string, outcomes: Record<number, string>) {
  return {
    id: `${id}`,
    name,
    status: 'active' as const,
    outcomes: Object.entries(outcomes).map(([outcomeId, text]) => ({
      ...priced(outcomeId, text),
      status: 'active' as const,
      startingPrice: text.endsWith(' SP'),
    })),
  }
}

/** Reads "Desert Lantern 5/2", or "Tin Soldier SP" (starting price). */
function priced(id: string, text: string): Outcome {
  const [, name = text, num, den] = /^(.+) (?:(\d+)\/(\d+)|SP)$/.exec(text) ?? []
  return num === undefined ? { id, name } : { id, name, price: { num: Number(num), den: Number(den) } }
}

/** The event starts `inHours` after the first start of the sandbox. */
export const SANDBOX_EVENTS: readonly (Omit<EventInput, 'startTime' | 'status'> & { id: number; inHours: number })[] = [
  {
    id: 501,
    sportId: '21',
    name: 'Ascot 14:30',
    inHours: 48,
    markets: [
      market(6001, 'To win', {
        80021: 'Desert Lantern 5/2',
        80022: 'Quiet Harbour 7/1',
        80023: 'Tin Soldier SP',
        80024: 'Marmalade Sky 4/9',
      }),
    ],
  },
  {
    id: 502,
    sportId: '10',
    name: 'Leeds v Hull',
    inHours: 24,
    markets: [
      market(6002, 'Both teams to score', { 80031: 'Yes 4/5', 80032: 'No 1/1' }),
      market(6003, 'Match result', { 80033: 'Leeds 6/5', 80034: 'Draw 12/5', 80035: 'Hull 2/1' }),
    ],
  },
  {
    id: 503,
    sportId: '30',
    name: 'Navarro v Lindqvist',
    inHours: 5,
    markets: [
      market(6004, 'To win', { 80041: 'Navarro 1/2', 80042: 'Lindqvist 6/4' }),
      market(6005, 'First set', { 80043: 'Navarro 8/11', 80044: 'Lindqvist 11/10' }),
    ],
  },
  {
    id: 504,
    sportId: '21',
    name: 'Cheltenham 15:15',
    inHours: -30,
    markets: [market(6006, 'To win', { 80051: 'Broken Gate 9/2', 80052: 'Lord Tally 3/1', 80053: 'Old Copper 10/1' })],
  },
  {
    id: 505,
    sportId: '10',
    name: 'Swansea v Derby',
    inHours: -50,
    markets: [market(6007, 'Match result', { 80061: 'Swansea 13/10', 80062: 'Draw 9/4', 80063: 'Derby 21/10' })],
  },
]

export const SANDBOX_SUSPENDED_MARKET = 6005

export const SANDBOX_SETTLEMENTS: readonly { marketId: number; results: Results }[] = [
  { marketId: 6006, results: { 80051: 'win', 80052: 'lose', 80053: 'void' } },
  { marketId: 6007, results: { 80061: 'win', 80062: 'lose', 80063: 'lose' } },
]

/** Oldest first. The bet of the tip at index p is 70100 + p. */
export const SANDBOX_TIPS: readonly (readonly [customer: number, outcome: number, text: string])[] = [
  [1, 80061, 'Derby have not won away since August'],
  [2, 80061, 'Home side fresher, that is all it takes'],
  [3, 80051, 'Stays all day and the ground has come right'],
  [12, 80051, 'Part of today’s fifteen'],
  [1, 80051, 'The trainer only sends one here'],
  [8, 80052, 'Well in at the weights'],
  [14, 80052, 'Nap of the day'],
  [15, 80053, 'Ten to one is an insult'],
  [3, 80062, 'Two sides that cannot lose'],
  [2, 80051, 'Stepping up in trip'],
  [3, 80061, 'Swansea at that price, twice'],
  [12, 80061, 'Second leg of the fifteen'],
  [6, 80063, 'Derby to nick it late'],
  [1, 80022, 'Quiet on the gallops, loud on the day'],
  [1, 80031, 'Neither side can defend a corner'],
  [2, 80031, 'Seen them six times, seen thirty goals'],
  [2, 80033, 'Elland Road under the lights'],
  [3, 80021, 'Travels well and stays further'],
  [3, 80041, 'Serve too big for this court'],
  [4, 80042, 'Long rallies, slow balls, value'],
  [12, 80031, 'First leg of the next fifteen'],
  [12, 80021, 'Second leg of the next fifteen'],
  [14, 80021, 'Nap of the day'],
  [15, 80023, 'Bigger at the off, you will see'],
  [19, 80043, 'Starts fast, always'],
  [20, 80034, 'Pool money says draw'],
  [15, 80022, 'Seven to one, finally'],
]

/** Bets without a tip: `npm start` prints a tip on 70012, the reference shows one on 70013. */
export const SANDBOX_OPEN_BETS: readonly (readonly [bet: number, customer: number, outcome: number])[] = [
  [70012, 1, 80021],
  [70013, 1, 80033],
  [70022, 2, 80033],
  [70032, 3, 80041],
]

/** Tips that a moderator has removed, with the clause of the rules; created after all others. */
export const SANDBOX_REMOVED_TIPS: readonly {
  readonly bet: number
  readonly customer: number
  readonly outcome: number
  readonly text: string
  readonly clause: string
}[] = [
  { bet: 70_201, customer: 1, outcome: 80034, text: 'Join my group for the rest of the card', clause: 'spam' },
  { bet: 70_202, customer: 2, outcome: 80032, text: 'Join my group, first month free', clause: 'spam' },
  { bet: 70_203, customer: 3, outcome: 80024, text: 'Cannot lose, put the house on it', clause: 'general' },
]

/** Flags on tips, by their index in SANDBOX_TIPS, with why. */
export const SANDBOX_TIP_FLAGS: readonly (readonly [customer: number, index: number, text?: FlagText])[] = [
  [2, 23, { reason: 'inside-information', note: 'How would he know?' }],
  [7, 23, { reason: 'false-claim', note: '' }],
  [9, 23],
  [5, 26],
  [1, 22],
]

/** Whether a customer likes the tip at an index: some tips are liked by many, some by nobody. */
export function likes(customer: number, index: number): boolean {
  return (customer * 7 + index * 3) % 11 < index % 6
}
