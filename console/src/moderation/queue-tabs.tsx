import { linkTo } from '../../../web/route.ts'
import type { Kind } from './subject.ts'

type QueueKind = Kind | 'appeal'

const KINDS: { kind: QueueKind; label: string }[] = [
  { kind: 'profile', label: 'Profiles' },
  { kind: 'comment', label: 'Comments' },
  { kind: 'appeal', label: 'Appeals' },
]

/** Which flags put a subject into the list: anybody's, or those of trusted reporters. */
export type Lane = 'all' | 'trusted'

const LANES: { lane: Lane; label: string }[] = [
  { lane: 'all', label: 'All flags' },
  { lane: 'trusted', label: 'Trusted' },
]

/** The parts of the one queue. Appeals have no lanes. */
export function QueueTabs({ kind, lane }: { kind: QueueKind; lane: Lane }) {
  const link = (to: QueueKind, within: Lane) =>
    `${linkTo('queue')}?kind=${to}${within === 'all' || to === 'appeal' ? '' : `&lane=${within}`}`
  return (
    <>
      <nav className="tabs" aria-label="What to review">
        {KINDS.map((one) => (
          <a key={one.kind} href={link(one.kind, lane)} aria-current={one.kind === kind ? 'page' : undefined}>
            {one.label}
          </a>
        ))}
      </nav>
      {kind !== 'appeal' && (
        <nav className="tabs" aria-label="Reporter">
          {LANES.map((one) => (
            <a key={one.lane} href={link(kind, one.lane)} aria-current={one.lane === lane ? 'page' : undefined}>
              {one.label}
            </a>
          ))}
        </nav>
      )}
    </>
  )
}
