// A naive model of who sees whom: a handful of people who follow, like, mute and block each other.

/** Indexes of people; person p has written the tips p, p + people, p + 2 × people … */
type Follow = { follower: number; followee: number }
type Hiding = { owner: number; other: number; hours: number | null }

export class VisibilityModel {
  readonly people: number
  readonly tips: number
  /** The newest last. */
  follows: Follow[] = []
  mutes: Hiding[] = []
  blocks: Hiding[] = []
  likes = new Set<string>()

  constructor(people: number, tips: number) {
    this.people = people
    this.tips = tips
  }

  isBlocked(one: number | null, other: number): boolean {
    return this.blocks.some((block) => {
      const pair = [block.owner, block.other]
      return one !== null && pair.includes(one) && pair.includes(other) && one !== other
    })
  }

  isMuted(owner: number, other: number): boolean {
    return this.mutes.some((mute) => mute.owner === owner && mute.other === other)
  }

  authorOf = (tip: number) => tip % this.people

  // ---- What somebody does. false: it is refused as if the other did not exist.

  follow(follower: number, followee: number): boolean {
    if (this.isBlocked(follower, followee)) return false
    if (!this.isFollowed(follower, followee)) this.follows.push({ follower, followee })
    return true
  }

  unfollow(follower: number, followee: number): boolean {
    if (this.isBlocked(follower, followee)) return false
    this.follows = this.follows.filter((one) => one.follower !== follower || one.followee !== followee)
    return true
  }

  like(who: number, tip: number, likes: boolean): boolean {
    if (this.isBlocked(who, this.authorOf(tip))) return false
    if (this.authorOf(tip) === who) return true
    if (likes) this.likes.add(`${who} ${tip}`)
    else this.likes.delete(`${who} ${tip}`)
    return true
  }

  mute(owner: number, other: number, hours: number | null): boolean {
    if (this.isBlocked(owner, other)) return false
    const found = this.mutes.find((mute) => mute.owner === owner && mute.other === other)
    if (found === undefined) this.mutes.push({ owner, other, hours })
    else found.hours = hours
    return true
  }

  unmute(owner: number, other: number): boolean {
    if (this.isBlocked(owner, other)) return false
    this.mutes = this.mutes.filter((mute) => mute.owner !== owner || mute.other !== other)
    return true
  }

  passHour(): void {
    for (const mute of this.mutes) if (mute.hours !== null) mute.hours--
    this.mutes = this.mutes.filter(({ hours }) => hours !== 0)
  }

  block(owner: number, other: number): boolean {
    if (this.blocks.some((block) => block.owner === owner && block.other === other)) return true
    if (this.isBlocked(owner, other)) return false
    this.blocks.push({ owner, other, hours: null })
    const pair = [owner, other]
    this.follows = this.follows.filter(({ follower, followee }) => !pair.includes(follower) || !pair.includes(followee))
    return true
  }

  unblock(owner: number, other: number): boolean {
    const isOwn = this.blocks.some((block) => block.owner === owner && block.other === other)
    if (this.isBlocked(owner, other) && !isOwn) return false
    this.blocks = this.blocks.filter((block) => block.owner !== owner || block.other !== other)
    return true
  }

  // ---- What somebody sees; null: without a ticket.

  isFollowed(follower: number, followee: number): boolean {
    return this.follows.some((one) => one.follower === follower && one.followee === followee)
  }

  followers(viewer: number | null, of: number): number[] {
    const found = this.follows.filter(({ followee }) => followee === of).map(({ follower }) => follower)
    return found.filter((one) => !this.isBlocked(viewer, one)).reverse()
  }

  followings(viewer: number | null, of: number): number[] {
    const found = this.follows.filter(({ follower }) => follower === of).map(({ followee }) => followee)
    return found.filter((one) => !this.isBlocked(viewer, one)).reverse()
  }

  latestFollows(viewer: number): string[] {
    const seen = this.follows.filter((one) => ![one.follower, one.followee].some((id) => this.isBlocked(viewer, id)))
    return seen.map(({ follower, followee }) => `${follower} ${followee}`).reverse()
  }

  mostFollowed(viewer: number | null): number[] {
    const counts = Array.from({ length: this.people }, (_, id) => ({ id, count: this.followers(null, id).length }))
    const seen = counts.filter(({ id, count }) => count > 0 && !this.isBlocked(viewer, id))
    return seen.sort((one, other) => other.count - one.count || one.id - other.id).map(({ id }) => id)
  }

  /** Newest first. */
  tipsOf(author: number): number[] {
    const all = Array.from({ length: this.tips }, (_, tip) => tip)
    return all.filter((tip) => this.authorOf(tip) === author).reverse()
  }

  feed(viewer: number): number[] {
    const all = Array.from({ length: this.tips }, (_, tip) => tip).reverse()
    return all.filter((tip) => {
      const author = this.authorOf(tip)
      return this.isFollowed(viewer, author) && !this.isMuted(viewer, author)
    })
  }

  likesOf(tip: number): number {
    return [...this.likes].filter((like) => like.endsWith(` ${tip}`)).length
  }

  hidden(owner: number, kind: 'mutes' | 'blocks'): number[] {
    const own = this[kind].filter(
      (one) => one.owner === owner && (kind === 'blocks' || !this.isBlocked(owner, one.other)),
    )
    return own.map(({ other }) => other).reverse()
  }
}
