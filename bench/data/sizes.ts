// The size of each data set, and the ids of those in it who have a role.
//
// Profiles 1 … `profiles` are the crowd; customer and profile ids are the same. The first of them are the *writers*: they
// have tickets, cards and bets. Beside the crowd there are the *celebrity*, whom four fifths of the crowd follow, and the
// *readers*, who each follow an exact number of others. The *regulars* are the most popular of the crowd: they write more tips.

export type SizeName = 'tiny' | 'small' | 'medium' | 'large'

export type Size = {
  readonly name: SizeName
  /** A multiple of 100. */
  readonly profiles: number
  /** Drawn at random: the few pairs drawn twice are inserted once. */
  readonly follows: number
  /** A twentieth of them are on one outcome. */
  readonly tips: number
  readonly likes: number
  readonly events: number
  readonly writers: number
  readonly bets: number
  /** How many each reader follows: fewer than half the crowd. */
  readonly followings: readonly number[]
}

const medium: Size = {
  name: 'medium',
  profiles: 100_000,
  follows: 1_900_000,
  tips: 2_000_000,
  likes: 2_000_000,
  events: 2_000,
  writers: 1_000,
  bets: 400_000,
  followings: [10, 200, 1_000, 10_000, 20_000],
}

export const sizes: Record<SizeName, Size> = {
  tiny: {
    name: 'tiny',
    profiles: 600,
    follows: 5_000,
    tips: 5_000,
    likes: 3_000,
    events: 400,
    writers: 50,
    bets: 20_000,
    followings: [10, 200],
  },
  small: {
    ...medium,
    name: 'small',
    profiles: 10_000,
    follows: 190_000,
    tips: 200_000,
    likes: 200_000,
    events: 200,
    followings: [10, 200, 1_000],
  },
  medium,
  large: {
    ...medium,
    name: 'large',
    profiles: 1_000_000,
    follows: 19_000_000,
    tips: 20_000_000,
    likes: 20_000_000,
    events: 20_000,
  },
}

export function celebrity(size: Size): number {
  return size.profiles + 1
}

/** A hundredth of them are inactive. */
export function celebrityFollowers(size: Size): number {
  return Math.floor(size.profiles * 0.81)
}

/** undefined: nobody in a set of this size follows so many. */
export function readerOf(size: Size, followings: number): number | undefined {
  const index = size.followings.indexOf(followings)
  return index === -1 ? undefined : size.profiles + 2 + index
}

/** The first reader, whom nobody follows. */
export function profileWithoutFollowers(size: Size): number {
  return size.profiles + 2
}

/** A twentieth of all tips are on this market (its event has the same id), all on one outcome. */
export function crowdedMarket(size: Size): { market: number; outcome: number } {
  return { market: size.events + 1, outcome: 3 * (size.events + 1) }
}

/** How many write another fortieth of the tips, so that every size has enough profiles with a ranked record. */
export function regulars(size: Size): number {
  return Math.ceil(size.profiles / 400)
}

/** Events from this one on are open. */
export function firstOpenEvent(size: Size): number {
  return size.events / 2
}

export const FIRST_BET = 1_000_000_000

/** A bet that its customer can tip on. */
export function bet(size: Size, index: number): { id: number; customer: number; outcome: number } {
  const open = firstOpenEvent(size)
  return {
    id: FIRST_BET + index,
    customer: 1 + (index % size.writers),
    outcome: 3 * (open + (index % open)) + (index % 3),
  }
}

/** Credentials of the application that sends all requests. */
export const API_KEY = 'bench-key'
export const SECRET = 'bench-secret'

export function ticketOf(customer: number): string {
  return `TGT-${customer}-bench`
}

/** Rank 0 is the most followed and tips the most. Even ranks have odd ids, which are always active. */
export function profileByPopularity(size: Size, rank: number): number {
  return 1 + ((rank * 7907) % size.profiles)
}
