import type { Context } from '../platform/context.ts'
import type { Cache } from '../platform/runtime/cache.ts'
import type { TextRules } from '../text-rules/text.ts'
import type { PictureStore } from './pictures/store.ts'
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
