import { useState } from 'react'
import { linkTo } from '../../../web/route.ts'
import { SCROLLED_BY_KEYS } from '../../../web/scrolled.ts'
import type { AnswerOf } from '../api/operations.ts'
import { useResource } from '../api/resource.ts'
import { DateTime, ScreenHeader } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { SelectField, TextField } from '../parts/fields.tsx'
import { ResourceView } from '../parts/resource-view.tsx'
import { SubjectLink } from '../parts/subject-link.tsx'
import { EVENT_KINDS } from './event-kinds.tsx'
import styles from './exchange.module.css'

type LoggedEvent = AnswerOf<'listEvents'>['events'][number]

const PAGE = 50
/** How many positions one read looks through for a type. */
const LOOKED_THROUGH = 1_000
/** After the last event: the answer only says how far the log goes. */
const END = 999_999_999_999_999

const TYPES = ['', ...EVENT_KINDS].map((value) => ({ value, label: value === '' ? 'all events' : value }))

function eventsLink(filters: { type: string; after: string }): string {
  const given = Object.entries(filters).filter(([, value]) => value !== '')
  return linkTo('events') + (given.length === 0 ? '' : `?${new URLSearchParams(given)}`)
}

/** The log of events, a page at a time. It is refreshed by hand: most reads are in the audit trail. */
export function EventsScreen({ query }: { query: URLSearchParams }) {
  const type = query.get('type') ?? ''
  const after = query.get('after') ?? ''
  const newest = useResource('listEvents', { query: { after: END, limit: 1 } })
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
      <Filters key={`${type} ${after}`} type={type} after={after} />
      <ResourceView resource={newest}>
        {({ next }) => (
          <EventPage
            key={next}
            type={type}
            step={step}
            start={after === '' ? Math.max(0, next - step) : Math.max(0, Number(after) || 0)}
          />
        )}
      </ResourceView>
    </>
  )
}

function Filters({ type, after }: { type: string; after: string }) {
  const [chosen, setChosen] = useState({ type, after })
  return (
    <form
      className="panel inline"
      aria-label="Filters of events"
      onSubmit={(event) => {
        event.preventDefault()
        location.hash = eventsLink(chosen)
      }}
    >
      <SelectField
        label="Type"
        value={chosen.type}
        onChange={(value) => setChosen({ ...chosen, type: value })}
        options={TYPES}
      />
      <TextField
        label="After position"
        inputMode="numeric"
        pattern="[0-9]*"
        value={chosen.after}
        onChange={(value) => setChosen({ ...chosen, after: value })}
      />
      <button type="submit" className="primary">
        Show
      </button>
      <a className="button" href={eventsLink({ type: '', after: '' })}>
        Newest
      </a>
    </form>
  )
}

type PageProps = { type: string; start: number; step: number }

function EventPage({ type, start, step }: PageProps) {
  const page = useResource('listEvents', { query: { after: start, limit: PAGE, kinds: type } })
  return (
    <ResourceView resource={page}>
      {({ events, next, oldest }) => (
        <>
          {events.length === 0 && (
            <p className="empty">
              No events between {start} and {next}
            </p>
          )}
          {events.length > 0 && <EventTable events={[...events].reverse()} />}
          <nav className="buttons" aria-label="Pages of events">
            {start >= oldest && start > 0 && (
              <a className="button" href={eventsLink({ type, after: String(Math.max(0, start - step)) })}>
                Older
              </a>
            )}
            {next > start && (
              <a className="button" href={eventsLink({ type, after: String(next) })}>
                Newer
              </a>
            )}
          </nav>
        </>
      )}
    </ResourceView>
  )
}

function EventTable({ events }: { events: readonly LoggedEvent[] }) {
  return (
    <DataTable
      label="Events"
      columns={['Position', 'Type', 'Time', 'Subject', 'Customer', 'Event']}
      rows={events.map((one) => ({
        key: one.id,
        cells: [
          one.position,
          one.type,
          <DateTime key="time" at={one.timestamp} />,
          <SubjectLink key="subject" kind={one.subject.type} id={one.subject.id}>
            {one.subject.type} {one.subject.id}
          </SubjectLink>,
          one.customerId === null ? (
            <span key="customer" className="quiet">
              none
            </span>
          ) : (
            <SubjectLink key="customer" kind="customer" id={one.customerId}>
              {one.customerId}
            </SubjectLink>
          ),
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
