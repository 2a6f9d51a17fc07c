import type { Context } from '../context.ts'
import type { TextRules } from '../moderation/text.ts'
import type { PictureStore } from '../pictures/store.ts'
import type { Cache } from '../runtime/cache.ts'
import type { MostFollowed } from './ranking.ts'

export type ProfilesContext = Context & {
  readonly textRules: TextRules
  readonly pictures: PictureStore
  readonly mostFollowed: MostFollowed
  /** Customer id → profile id. */
  readonly profileIds: Cache<number, number>
  /** Positions in home feeds, which a new set of followings makes useless. */
  readonly feedCursors: { invalidate(reader: number): void }
}
