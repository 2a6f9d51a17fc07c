// An in-memory model of a match day: what every list, count and answer must be, computed the slow and obvious way.

import type { Result } from '../../src/record/figures.ts'

type ModelEvent = { id: number; sportId: number; start: number; suspended: boolean }
type ModelMarket = { id: number; event: ModelEvent; suspended: boolean; settled: boolean }
type ModelOutcome = { id: number; market: ModelMarket; suspended: boolean; result: Result | null }
export type ModelTip = {
  id: number
  author: number
  outcome: ModelOutcome
  betId: number
  likes: Set<number>
  /** Who flagged it, and whether a moderator has decided since. */
  flags: Map<number, 'open' | 'decided'>
  featured: boolean
  state: 'live' | 'deactivated' | 'removed'
}

export type Query = { status: 'A' | 'W'; sortOrder: 'R' | 'L' | 'E'; sportId: number | null }

/** The fields of a tip in an answer that can change. */
type ShownTip = {
  id: number
  status: string
  featured: boolean
  likes: number
  outcomeStatus: string
  displayStatus: string
  liked: boolean | undefined
  flagged: boolean | undefined
}

export type Catalogue = { events: ModelEvent[]; markets: ModelMarket[]; outcomes: ModelOutcome[] }

const STATUS_OF: Record<Result, 'W' | 'L' | 'V'> = {
  win: 'W',
  'half-win': 'W',
  lose: 'L',
  'half-lose': 'L',
  place: 'L',
  void: 'V',
  push: 'V',
}

export class MatchDay {
  readonly catalogue: Catalogue
  /** How many profiles without tips each of these profiles follows. */
  readonly idleFollowings: ReadonlyMap<number, number>
  readonly tips: ModelTip[] = []
  readonly inactive = new Set<number>()
  /** Oldest first: "follower followee". */
  readonly follows = new Set<string>()
  /** A result or a new start time was sent, and tips may not be updated yet: only counts of profiles may lag. */
  waiting = false

  constructor(catalogue: Catalogue, idleFollowings: ReadonlyMap<number, number>) {
    this.catalogue = catalogue
    this.idleFollowings = idleFollowings
  }

  isShown(tip: ModelTip): boolean {
    return tip.state === 'live' && !this.inactive.has(tip.author)
  }

  isOpen({ suspended, result, market }: ModelOutcome): boolean {
    return !suspended && result === null && !market.suspended && !market.settled && !market.event.suspended
  }

  /** `reader` null: without a ticket, so that the answer has no own likes and flags. */
  seen(tip: ModelTip, reader: number | null): ShownTip {
    return {
      id: tip.id,
      // The contract has no status for a void outcome.
      status: { A: 'A', W: 'W', L: 'L', V: 'A' }[this.statusOf(tip)],
      featured: tip.featured,
      likes: tip.likes.size,
      outcomeStatus: tip.outcome.suspended ? 'S' : 'A',
      displayStatus: this.isOpen(tip.outcome) ? 'A' : 'I',
      liked: reader === null ? undefined : tip.likes.has(reader),
      flagged: reader === null ? undefined : tip.flags.has(reader),
    }
  }

  // ---- Lists of tips, whole

  byAuthor(author: number, query: Query): ModelTip[] {
    return this.list((tip) => tip.author === author, query)
  }

  feed(reader: number, query: Query): ModelTip[] {
    if (this.inactive.has(reader)) return []
    return this.list((tip) => this.follows.has(`${reader} ${tip.author}`), query)
  }

  private list(mine: (tip: ModelTip) => boolean, { status, sortOrder, sportId }: Query): ModelTip[] {
    const before = { R: () => 0, L: byLikes, E: byStart }[sortOrder]
    return this.tips
      .filter((tip) => mine(tip) && this.isShown(tip) && this.statusOf(tip) === status)
      .filter((tip) => sportId === null || tip.outcome.market.event.sportId === sportId)
      .sort((one, other) => before(one, other) || other.id - one.id)
  }

  top(): { id: number; numLive: number; numLikes: number; displayStatus: string }[] {
    const live = this.tips.filter((tip) => this.isShown(tip) && this.statusOf(tip) === 'A')
    const outcomes = [...Map.groupBy(live, (tip) => tip.outcome)].map(([outcome, tips]) => ({
      id: outcome.id,
      numLive: tips.length,
      numLikes: tips.reduce((sum, tip) => sum + tip.likes.size, 0),
      displayStatus: this.isOpen(outcome) ? 'A' : 'I',
    }))
    return outcomes.sort((one, other) => other.numLive - one.numLive || one.id - other.id).slice(0, 20)
  }

  /** What moderators have not decided on, by id. */
  queue(): { id: number; flags: number }[] {
    return this.tips
      .map((tip) => ({ id: tip.id, flags: [...tip.flags.values()].filter((flag) => flag === 'open').length }))
      .filter(({ flags }) => flags > 0)
      .sort((one, other) => one.id - other.id)
  }

  // ---- Profiles

  /** Newest first. */
  followers(profile: number): number[] {
    return this.shownFollows().flatMap(([follower, followee]) => (followee === profile ? [follower] : []))
  }

  followings(profile: number): number[] {
    return this.shownFollows().flatMap(([follower, followee]) => (follower === profile ? [followee] : []))
  }

  followCounts(profile: number): { numFollowers: number; numFollowings: number } {
    const idle = this.inactive.has(profile) ? 0 : (this.idleFollowings.get(profile) ?? 0)
    return { numFollowers: this.followers(profile).length, numFollowings: this.followings(profile).length + idle }
  }

  tipCounts(author: number): { numLive: number; numWinning: number } {
    const own = this.tips.filter((tip) => tip.author === author && this.isShown(tip)).map((tip) => this.statusOf(tip))
    return {
      numLive: own.filter((status) => status === 'A').length,
      numWinning: own.filter((status) => status === 'W').length,
    }
  }

  private shownFollows(): [follower: number, followee: number][] {
    return [...this.follows]
      .reverse()
      .map((pair) => pair.split(' ').map(Number) as [number, number])
      .filter((pair) => !pair.some((profile) => this.inactive.has(profile)))
  }

  private statusOf({ outcome }: ModelTip): 'A' | 'W' | 'L' | 'V' {
    return outcome.result === null ? 'A' : STATUS_OF[outcome.result]
  }
}

function byLikes(one: ModelTip, other: ModelTip): number {
  return other.likes.size - one.likes.size
}

function byStart(one: ModelTip, other: ModelTip): number {
  return one.outcome.market.event.start - other.outcome.market.event.start
}
