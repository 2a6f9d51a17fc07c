// Streams read the primary only. While it is away they say so once, and send nothing else.

import type { StaleReads } from '../../platform/database/replicas/stale-reads.ts'
import { behindFrame } from './frames.ts'
import type { OpenStreams } from './open-streams.ts'
import { endAll, send } from './write.ts'

export type PrimaryAway = ReturnType<typeof primaryAway>

type Settings = {
  readonly open: OpenStreams
  readonly now: () => number
  /** null: streams wait for the primary without a word. */
  readonly stale: StaleReads | null
}

export function primaryAway({ open, now, stale }: Settings) {
  stale?.watch.on('away', () => {
    const text = behindFrame(now())
    for (const stream of open.all()) if (stream.live) send(open, stream, text)
  })
  return {
    isAway: (): boolean => stale?.watch.isAway() ?? false,
    /** Ends all streams once their tickets can no longer be checked. Returns whether the primary is away. */
    endPastLimit(): boolean {
      if (stale === null || !stale.watch.isAway()) return false
      if (stale.isPastLimit()) endAll(open, 'away')
      return true
    },
  }
}
