import { linkTo } from '../../../web/route.ts'
import { SCROLLED_BY_KEYS } from '../../../web/scrolled.ts'
import { subjectText } from '../../../web/words/subjects.ts'
import type { AnswerOf } from '../api/operations.ts'
import { useResource } from '../api/resource.ts'
import { DateTime, ScreenHeader } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { FilterBar, type FilterField } from '../parts/filter-bar.tsx'
import { NamedLink } from '../parts/names.tsx'
import { PageSteps } from '../parts/pager.tsx'
import { ResourceView } from '../parts/resource-view.tsx'
import { SubjectLink } from '../parts/subject-link.tsx'
import { EVENT_OPTIONS, EventKindName } from './event-kinds.tsx'
import styles from './exchange.module.css'

type LoggedEvent = AnswerOf<'listEvents'>['events'][number]

const PAGE = 50
/** How many positions one read looks through for a type. */
const LOOKED_THROUGH = 1_000
/** After the last event: the answer only reports how far the log goes. */
const END = 999_999_999_999_999

type Filters = { type: string; after?: string; day?: string }

function eventsLink(filters: Filters): string {
  const given = Object.entries(filters).filter(([, value]) => value !== '')
  return linkTo('events') + (given.length === 0 ? '' : `?${new URLSearchParams(given)}`)
}

/** The log of events, a page at a time. It is refreshed by hand: most reads are in the audit trail. */
export function EventsScreen({ query }: { query: URLSearchParams }) {
  const type = query.get('type') ?? ''
  const after = query.get('after') ?? ''
  const day = query.get('day') ?? ''
  // Where the list begins: after the last event, or after those of the day.
  const newest = useResource('listEvents', {
    query: day === '' ? { after: END, limit: 1 } : { from: dayAfter(day), limit: 1 },
  })
  const step = type === '' ? PAGE : LOOKED_THROUGH
  return (
    <>
      <ScreenHeader title="Events">
        <button type="button" onClick={newest.reload} aria-disabled={newest.loading}>
          Refresh
        </button>
      </ScreenHeader>
      <p className="lead">
        What happened, in the order of commits: the log that webhooks, streams and pulls are served from.
      </p>
      <FilterBar label="Filters of events" fields={FIELDS} values={{ type, after }} linkOf={eventsLink} />
      <ResourceView resource={newest}>
        {({ events: [first], next }) => {
          const end = first === undefined ? next : first.position - 1
          const start = after === '' ? Math.max(0, end - step) : Math.max(0, Number(after) || 0)
          const upTo = after === '' ? end : END
          return <EventPage key={end} {...{ type, step, start, end, upTo, day }} />
        }}
      </ResourceView>
    </>
  )
}

function dayAfter(day: string): string {
  const time = Date.parse(day)
  // The server explains what is wrong with it.
  return Number.isNaN(time) ? day : new Date(time + DAY_MS).toISOString().slice(0, 10)
}

const DAY_MS = 86_400_000

const FIELDS = [
  { name: 'type', label: 'Type', options: EVENT_OPTIONS },
  { name: 'after', label: 'After position', inputMode: 'numeric', pattern: '[0-9]*' },
] as const satisfies FilterField<string>[]

/** `end`: the last position, or that of the day. `upTo`: none after it is shown. */
type PageProps = { type: string; start: number; end: number; upTo: number; step: number; day: string }

/** Newest first: the next page has older events. */
function EventPage({ type, start, end, upTo, step, day }: PageProps) {
  const open = (position: number) => {
    location.hash = eventsLink({ type, after: String(Math.max(0, position)) })
  }
  const page = useResource('listEvents', { query: { after: start, limit: PAGE, kinds: type } })
  return (
    <ResourceView resource={page}>
      {({ events: read, next: readTo, oldest }) => {
        const events = read.filter(({ position }) => position <= upTo)
        const next = Math.min(readTo, upTo)
        return (
          <>
            {events.length === 0 && (
              <p className="empty">
                No events between {start} and {next}
              </p>
            )}
            {events.length > 0 && <EventTable events={[...events].reverse()} />}
            <PageSteps
              hasNext={start >= oldest && start > 0}
              next={() => start >= oldest && start > 0 && open(start - step)}
              hasPrevious={day !== '' || next < end}
              previous={() => (day !== '' || next < end) && open(next)}
              status={events.length === 0 ? '' : `Positions ${start + 1} to ${next}`}
              day={day}
              onDate={(chosen) => {
                location.hash = eventsLink({ type, day: chosen })
              }}
            />
          </>
        )
      }}
    </ResourceView>
  )
}

function EventTable({ events }: { events: readonly LoggedEvent[] }) {
  return (
    <DataTable
      label="Events"
      columns={['Time', 'Type', 'Subject', 'Customer', 'Position', 'Event']}
      rows={events.map((one) => ({
        key: one.id,
        cells: [
          <DateTime key="time" at={one.timestamp} />,
          <EventKindName key="type" kind={one.type} />,
          <SubjectLink key="subject" kind={one.subject.type} id={one.subject.id}>
            {subjectText(one.subject.type)} {one.subject.id}
          </SubjectLink>,
          one.customerId === null ? (
            <span key="customer" className="quiet">
              none
            </span>
          ) : (
            <NamedLink key="customer" kind="customer" id={one.customerId} />
          ),
          one.position,
          <details key="event">
            <summary>Show as JSON</summary>
            <pre className={styles.text} {...SCROLLED_BY_KEYS}>
              {JSON.stringify(one, null, 2)}
            </pre>
          </details>,
        ],
      }))}
    />
  )
}
