import type { CommitPosition } from './heartbeat-store.ts'

export type CommitPositions = ReturnType<typeof commitPositions>

/** The newest position that was read after a commit of this process. It contains all that were answered before. */
export function commitPositions() {
  let latest: CommitPosition | null = null
  return {
    latest: (): CommitPosition | null => latest,
    /** The row of `commitPosition`, as text. */
    note([position, timeline, beat]: readonly (string | null)[]): void {
      const found = { position: Number(position), timeline: Number(timeline), beat: Number(beat) }
      const isLater = latest === null || found.timeline > latest.timeline
      const isFurther = found.timeline === latest?.timeline && found.position > latest.position
      if (isLater || isFurther) latest = found
    },
  }
}
