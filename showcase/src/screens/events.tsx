import { useState } from 'react'
import { useTicking } from '../../../web/clock.ts'
import type { ListedEvent } from '../answers.ts'
import { EventRow } from '../events/event-row.tsx'
import { stateOf } from '../events/event-state.ts'
import { type Grown, useGrowing } from '../grow.ts'
import { useEvents, useLiveCounts } from '../live-outcomes.ts'
import { GrownList } from '../parts/grown-list.tsx'
import { Empty } from '../parts/states.tsx'
import { Segments } from '../parts/tabs.tsx'
import { useReloadOn } from '../reload.ts'
import { useSession } from '../session.tsx'
import { SPORTS } from '../words.ts'

const STATES = [
  { value: 'open', label: 'Now and next' },
  { value: 'live', label: 'Now' },
  { value: 'upcoming', label: 'Next' },
  { value: 'settled', label: 'Settled' },
] as const
const ALL_SPORTS = { value: '', label: 'All sports' }
const SPORT_CHOICES = [ALL_SPORTS, ...Object.entries(SPORTS).map(([value, label]) => ({ value, label }))]

type State = (typeof STATES)[number]['value']

const EMPTY: Readonly<Record<State, string>> = {
  open: 'No matches to come',
  live: 'Nothing is being played right now',
  upcoming: 'No matches to come',
  settled: 'Nothing was settled yet',
}

export default function Events() {
  const { paddock } = useSession()
  const [state, setState] = useState<State>('open')
  const [sport, setSport] = useState('')
  const chosen = { ...(state === 'open' ? {} : { status: state }), ...(sport === '' ? {} : { sportId: Number(sport) }) }
  const list = useGrowing(`events ${state} ${sport}`, () => paddock.each.getEvents(chosen), 20)
  useReloadOn(useLiveCounts().settled, list.reload)
  return (
    <>
      <h1>Matches</h1>
      <div className="filters">
        <Segments label="Which matches" choices={STATES} value={state} choose={setState} />
        <Segments label="Sport" choices={SPORT_CHOICES} value={sport} choose={setSport} />
      </div>
      {state === 'open' ? <NowAndNext list={list} /> : <Matches label="Matches" list={list} state={state} />}
    </>
  )
}

/** A match that starts while one looks moves to the first group. */
function NowAndNext({ list }: { list: Grown<ListedEvent> }) {
  const events = useEvents(list.items ?? [])
  const liveIds = useTicking((now) =>
    events
      .filter((event) => stateOf(event, now) === 'live')
      .map(({ id }) => id)
      .join(),
  )
  const live = new Set(liveIds.split(',').map(Number))
  const isLive = ({ id }: ListedEvent) => live.has(id)
  return (
    <>
      {events.some(isLive) && (
        <section aria-labelledby="matches-now">
          <h2 id="matches-now">Now</h2>
          <ul className="list rows" aria-label="Matches now">
            {list.items?.filter(isLive).map((event) => (
              <li key={event.id}>
                <EventRow event={event} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {events.some(isLive) && <h2>Next</h2>}
      <Matches label="Matches" list={{ ...list, items: list.items?.filter((one) => !isLive(one)) }} state="open" />
    </>
  )
}

type MatchesProps = { label: string; list: Grown<ListedEvent>; state: State }

function Matches({ label, list, state }: MatchesProps) {
  return (
    <GrownList
      label={label}
      list={list}
      shape="row"
      keyOf={({ id }) => id}
      empty={
        <Empty title={EMPTY[state]}>
          <p>Play the afternoon, and four of them start.</p>
        </Empty>
      }
    >
      {(event) => <EventRow event={event} />}
    </GrownList>
  )
}
