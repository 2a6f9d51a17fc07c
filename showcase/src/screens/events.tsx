import { useState } from 'react'
import { EventRow } from '../events/event-row.tsx'
import { useGrowing } from '../grow.ts'
import { useLiveCounts } from '../live-outcomes.ts'
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
      <GrownList
        label="Matches"
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
    </>
  )
}
