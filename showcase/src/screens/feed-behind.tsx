import { useGrowing } from '../grow.ts'
import { LiveProvider } from '../live.tsx'
import { Empty } from '../parts/states.tsx'
import { TipList } from '../parts/tip-list.tsx'
import { useSession } from '../session.tsx'
import { ToastsHidden } from '../toasts.tsx'

/** The feed of the sandbox's first customer, with its prices as they move. */
export default function FeedBehind() {
  return (
    <ToastsHidden>
      <LiveProvider>
        <Tips />
      </LiveProvider>
    </ToastsHidden>
  )
}

function Tips() {
  const { paddock } = useSession()
  const list = useGrowing('behind', () => paddock.feed({ sortOrder: 'R', status: 'A', details: true }), 8)
  return <TipList label="Tips" list={{ ...list, hasMore: false }} empty={<Empty title="No open tips" />} />
}
