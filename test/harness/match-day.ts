// A plain in-memory model of communities: what every list and count must be, worked out the slow and obvious way.

export type Result = 'win' | 'lose' | 'void'
export type ModelOutcome = { id: number; marketId: number; eventId: number; sportId: number; result: Result | null }
export type ModelTip = {
  id: number
  author: number
  outcome: ModelOutcome
  likes: Set<number>
  state: 'live' | 'deactivated' | 'removed'
}

export type Query = { status: 'A' | 'W'; sortOrder: 'R' | 'L' | 'E'; sportId: number | null; size: number; num: number }

export class MatchDay {
  readonly tips: ModelTip[] = []
  readonly inactive = new Set<number>()
  readonly follows = new Set<string>()
  readonly starts = new Map<number, number>()

  statusOf({ outcome }: ModelTip): 'A' | 'W' | 'L' | 'V' {
    return outcome.result === null ? 'A' : ({ win: 'W', lose: 'L', void: 'V' } as const)[outcome.result]
  }

  isShown(tip: ModelTip): boolean {
    return tip.state === 'live' && !this.inactive.has(tip.author)
  }

  byAuthor(author: number, query: Query): number[] {
    return this.list((tip) => tip.author === author, query)
  }

  feed(reader: number, query: Query): number[] {
    if (this.inactive.has(reader)) return []
    return this.list((tip) => this.follows.has(`${reader} ${tip.author}`), query)
  }

  counts(author: number): { numLive: number; numWinning: number } {
    const own = this.tips.filter((tip) => tip.author === author && this.isShown(tip)).map((tip) => this.statusOf(tip))
    return {
      numLive: own.filter((status) => status === 'A').length,
      numWinning: own.filter((status) => status === 'W').length,
    }
  }

  top(): { id: number; numLive: number; numLikes: number }[] {
    const live = this.tips.filter((tip) => this.isShown(tip) && this.statusOf(tip) === 'A')
    const outcomes = [...Map.groupBy(live, (tip) => tip.outcome.id)].map(([id, tips]) => ({
      id,
      numLive: tips.length,
      numLikes: tips.reduce((sum, tip) => sum + tip.likes.size, 0),
    }))
    return outcomes.sort((one, other) => other.numLive - one.numLive || one.id - other.id).slice(0, 20)
  }

  private list(mine: (tip: ModelTip) => boolean, { status, sortOrder, sportId, size, num }: Query): number[] {
    const before = { R: () => 0, L: this.byLikes, E: this.byStart }[sortOrder]
    return this.tips
      .filter((tip) => mine(tip) && this.isShown(tip) && this.statusOf(tip) === status)
      .filter((tip) => sportId === null || tip.outcome.sportId === sportId)
      .sort((one, other) => before(one, other) || other.id - one.id)
      .slice((num - 1) * size, num * size)
      .map((tip) => tip.id)
  }

  private readonly byLikes = (one: ModelTip, other: ModelTip) => other.likes.size - one.likes.size
  private readonly byStart = (one: ModelTip, other: ModelTip) => this.startOf(one) - this.startOf(other)

  private startOf(tip: ModelTip): number {
    return this.starts.get(tip.outcome.eventId) as number
  }
}

/** Repeatable chance (mulberry32). */
export function dice(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    below: (most: number) => Math.floor(next() * most),
    pick: <T>(things: readonly T[]): T => things[Math.floor(next() * things.length)] as T,
  }
}
