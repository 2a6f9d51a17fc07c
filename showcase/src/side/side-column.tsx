// Beside the page where there is room: what is being played, and whom to follow.

import { useTicking } from '../../../web/clock.ts'
import { useLoad } from '../../../web/load.ts'
import { linkTo } from '../../../web/route.ts'
import { EventRow } from '../events/event-row.tsx'
import { stateOf } from '../events/event-state.ts'
import { useLiveCounts } from '../live-outcomes.ts'
import { Avatar } from '../parts/avatar.tsx'
import { Interval, scaleOf } from '../parts/interval.tsx'
import { useReloadOn } from '../reload.ts'
import { useSession } from '../session.tsx'
import { signed } from '../words.ts'
import styles from './side-column.module.css'

const MATCHES = 3
const RECORDS = 5

export default function SideColumn() {
  return (
    <aside className={styles.side} aria-label="Matches and records">
      <Matches />
      <BestRecords />
      <Doors />
    </aside>
  )
}

function Matches() {
  const { paddock } = useSession()
  const { events: changes } = useLiveCounts()
  const events = useLoad('matches now', () => paddock.getEvents({ blockSize: MATCHES }))
  useReloadOn(changes, events.reload)
  const shown = events.answer ?? []
  const isLive = useTicking((now) => shown.some((event) => stateOf(event, now) === 'live'))
  if (shown.length === 0) return null
  return (
    <section aria-labelledby="side-matches">
      <header className="section-head">
        <h2 id="side-matches">{isLive ? 'Matches now' : 'Next matches'}</h2>
        <a href={linkTo('events')}>All matches</a>
      </header>
      <ul className="list rows">
        {shown.map((event) => (
          <li key={event.id}>
            <EventRow event={event} prices={Number.POSITIVE_INFINITY} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The lower end of the yield's interval, by which they are ranked, explains their order. */
function BestRecords() {
  const { paddock } = useSession()
  const { settled } = useLiveCounts()
  const ranking = useLoad('best records', () => paddock.getRecordRanking({ numDays: 0 }))
  useReloadOn(settled, ranking.reload)
  const shown = ranking.answer?.slice(0, RECORDS) ?? []
  const scale = scaleOf(shown.map(({ record }) => record))
  if (shown.length === 0) return null
  return (
    <section aria-labelledby="side-records">
      <header className="section-head">
        <h2 id="side-records">Best records</h2>
        <a href={linkTo('discover')}>All tipsters</a>
      </header>
      <ol className="list rows">
        {shown.map((profile) => (
          <li key={profile.id}>
            <a className={styles.tipster} href={linkTo('profiles', profile.id)}>
              <span className={styles.rank}>{profile.rank}</span>
              <Avatar person={profile} size="small" />
              <span className="row-text">
                <strong>{profile.name}</strong>
                <span className="quiet">yield from {signed(profile.record.yieldLow ?? 0, 1)} %</span>
                <Interval record={profile.record} scale={scale} />
              </span>
              <strong className={Number(profile.record.profit) < 0 ? 'bad' : 'good'}>
                {signed(profile.record.profit)}
              </strong>
            </a>
          </li>
        ))}
      </ol>
    </section>
  )
}

function Doors() {
  const { sandbox } = useSession()
  return (
    <p className={styles.doors}>
      <a href={linkTo('welcome')}>What Paddock is</a>
      <a href={sandbox.consoleUrl}>Console</a>
      <a href="/docs">Reference</a>
    </p>
  )
}
