import { useLoad } from '../../web/load.ts'
import { useLive } from './live.tsx'
import { useLiveCounts, useOutcomesWatched } from './live-outcomes.ts'
import { useSession } from './session.tsx'

/** Grows when a profile or its record may have changed: its open tips are watched, and those that it writes on what is watched. */
export function useProfileVersion(profileId: number): number {
  const { paddock } = useSession()
  const { version, newTips } = useLive()
  const { settled, tipsBy } = useLiveCounts()
  const changes = version + newTips + settled + (tipsBy.get(profileId) ?? 0)
  const open = useLoad(
    `open tips of ${profileId}`,
    () => paddock.getAllCommentbyProfileId({ id: profileId, status: 'A' }),
    changes,
  )
  useOutcomesWatched((open.answer ?? []).map(({ event }) => event.market.outcome.id))
  return changes
}
