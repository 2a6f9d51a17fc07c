// New tips on outcomes that streams watch.

import { dataOf } from '../../event-log/event.ts'
import { idListOf } from '../../platform/database/row-list-store.ts'
import type { LogView } from './batch.ts'
import { stateFrame } from './frames.ts'
import { FOLLOWED_KIND, type ReadEvent } from './kinds.ts'
import type { Stream } from './open-streams.ts'
import type { StateLook } from './state-look.ts'
import { blocksBetween, shownTips } from './store.ts'

type WatchedTip = { readonly stream: Stream; readonly key: string; readonly text: string }

/** Two statements for a whole batch. Leaves out tips that nobody may see, and those across a block. */
export async function tipsOnWatched(
  { database }: LogView,
  watching: StateLook['watching'],
  rows: readonly ReadEvent[],
): Promise<WatchedTip[]> {
  const tips = rows.flatMap((row) => {
    if (row.kind !== FOLLOWED_KIND) return []
    const outcomeId = Number(dataOf(row).outcomeId)
    const streams = [...watching(outcomeId)]
    return streams.length === 0 ? [] : [{ id: Number(row.subject_id), outcomeId, streams }]
  })
  if (tips.length === 0) return []
  const shown = await database.query(shownTips, { ids: idListOf(tips.map(({ id }) => id)) })
  const authorOf = new Map(shown.map(({ id, author_id }) => [id, author_id]))
  const viewers = idListOf(new Set(tips.flatMap(({ streams }) => streams.map(({ profileId }) => profileId))))
  const authors = idListOf(new Set(authorOf.values()))
  const blocks = authorOf.size === 0 ? [] : await database.query(blocksBetween, { viewers, authors })
  const blocked = new Set(blocks.map(({ viewer_id, author_id }) => `${viewer_id} ${author_id}`))
  return tips.flatMap(({ id, outcomeId, streams }) => {
    const author = authorOf.get(id)
    if (author === undefined) return []
    const text = stateFrame('tip', { commentId: `${id}`, outcomeId: `${outcomeId}`, profileId: `${author}` })
    const allowed = streams.filter(({ profileId }) => !blocked.has(`${profileId} ${author}`))
    return allowed.map((stream) => ({ stream, key: `tip ${outcomeId}`, text }))
  })
}
