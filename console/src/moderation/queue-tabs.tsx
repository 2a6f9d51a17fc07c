import type { ReactNode } from 'react'
import { linkTo } from '../../../web/route.ts'
import { subjectText } from '../../../web/words/subjects.ts'
import type { AnswerOf } from '../api/operations.ts'
import { SelectField } from '../parts/fields.tsx'
import { assigneeOptions, useModerationSettings } from './moderation-settings.ts'
import styles from './queue-tabs.module.css'
import type { Kind } from './subject.ts'

type QueueKind = Kind | 'appeal'

const KINDS: { kind: QueueKind; label: string }[] = [
  { kind: 'profile', label: 'Profiles' },
  { kind: 'comment', label: 'Tips' },
  { kind: 'appeal', label: 'Appeals' },
]

/** What puts a subject into the list: anybody's flags, those of trusted reporters, a rule, or that it waits for somebody. */
export type Lane = 'all' | 'trusted' | 'held' | 'assigned'

const LANES: { lane: Lane; label: string }[] = [
  { lane: 'all', label: 'All flags' },
  { lane: 'trusted', label: 'Trusted' },
  { lane: 'held', label: 'Held' },
  { lane: 'assigned', label: 'Assigned' },
]

/** No rule holds profiles. */
const hasLane = (kind: QueueKind, lane: Lane) => kind !== 'appeal' && (lane !== 'held' || kind === 'comment')

/** '': any label; of what is assigned: to the reader, or one of the reader's groups. */
export type QueueFilter = { kind: Kind; lane: Lane; label: string; assignee: string }

export function queueFilterOf(query: URLSearchParams): QueueFilter {
  const lane = LANES.find((one) => one.lane === query.get('lane'))?.lane ?? 'all'
  return {
    kind: query.get('kind') === 'comment' ? 'comment' : 'profile',
    lane,
    label: query.get('label') ?? '',
    assignee: lane === 'assigned' ? (query.get('assignee') ?? '') : '',
  }
}

/** Empty fields are left out, so that a queue has one address. */
function queueLink(kind: QueueKind, { lane, label, assignee }: Omit<QueueFilter, 'kind'>): string {
  const fields = {
    kind,
    ...(!hasLane(kind, lane) || lane === 'all' ? {} : { lane }),
    ...(kind === 'appeal' || label === '' ? {} : { label }),
    ...(kind === 'appeal' || lane !== 'assigned' || assignee === '' ? {} : { assignee }),
  }
  return `${linkTo('queue')}?${new URLSearchParams(fields)}`
}

const NO_FILTER = { lane: 'all', label: '', assignee: '' } as const

/** The parts of the one queue. Appeals have no lanes. */
export function QueueTabs({ kind, filter = NO_FILTER }: { kind: QueueKind; filter?: Omit<QueueFilter, 'kind'> }) {
  return (
    <>
      <nav className="tabs" aria-label="What to review">
        {KINDS.map((one) => (
          <a key={one.kind} href={queueLink(one.kind, filter)} aria-current={one.kind === kind ? 'page' : undefined}>
            {one.label}
          </a>
        ))}
      </nav>
      {kind !== 'appeal' && (
        <nav className="tabs" aria-label="Reporter">
          {LANES.filter(({ lane }) => hasLane(kind, lane)).map(({ lane, label }) => (
            <a
              key={lane}
              href={queueLink(kind, { ...filter, lane })}
              aria-current={lane === filter.lane ? 'page' : undefined}
            >
              {label}
            </a>
          ))}
        </nav>
      )}
    </>
  )
}

/** The choices above the queue, in one line where there is room, so that the item is near the top. */
export function QueueToolbar({ children }: { children: ReactNode }) {
  return <div className={styles.toolbar}>{children}</div>
}

/** By label, and of what is assigned: to whom. The address holds both. */
export function QueueFilters({ filter }: { filter: QueueFilter }) {
  // Shown before the settings are there: what is below must not move.
  const settings = useModerationSettings()
  const open = (changes: Partial<QueueFilter>) => {
    location.hash = queueLink(filter.kind, { ...filter, ...changes })
  }
  return (
    <>
      <SelectField
        label="Label"
        value={filter.label}
        onChange={(label) => open({ label })}
        options={[{ value: '', label: 'any' }, ...(settings ? labelOptions(settings, filter.label) : [])]}
      />
      {filter.lane === 'assigned' && (
        <SelectField
          label="Assigned to"
          value={filter.assignee}
          onChange={(assignee) => open({ assignee })}
          options={[
            { value: '', label: 'me and my groups' },
            ...(settings ? assigneeOptions(settings, filter.assignee) : []),
          ]}
        />
      )}
    </>
  )
}

function labelOptions({ labels }: AnswerOf<'readModerationSettings'>, chosen: string) {
  const all = chosen === '' || labels.includes(chosen) ? labels : [...labels, chosen]
  return all.map((label) => ({ value: label, label }))
}

const EMPTY: Record<Lane, (kind: string) => string> = {
  all: (kind) => `No ${kind} has open flags.`,
  trusted: (kind) => `No ${kind} has open flags of trusted reporters.`,
  held: () => 'No rule holds a tip back.',
  assigned: (kind) => `No ${kind} waits for them.`,
}

export function EmptyQueue({ filter: { kind, lane, label } }: { filter: QueueFilter }) {
  const noun = subjectText(kind).toLowerCase()
  return (
    <div className="empty">
      <p>
        <strong>The queue is empty.</strong>{' '}
        {label === '' ? EMPTY[lane](noun) : `No ${noun} in it is labelled ${label}.`}
      </p>
    </div>
  )
}

const ORDER: Record<Lane, string> = {
  all: 'Highest weight first: flags of reporters who were right more often weigh more.',
  trusted: 'Highest weight first: flags of reporters who were right more often weigh more.',
  held: 'Nobody else has seen these tips. The one that waits longest comes first.',
  assigned: 'What was assigned first comes first.',
}

export function queueOrder({ lane }: QueueFilter): string {
  return ORDER[lane]
}
