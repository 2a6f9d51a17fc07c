import { useTicking } from '../../../web/clock.ts'
import { Icon } from '../../../web/icons.tsx'
import { linkTo } from '../../../web/route.ts'
import { type Line, useMatchDay } from '../match-day.tsx'
import row from '../parts/row.module.css'
import { Empty } from '../parts/states.tsx'
import type { MatchDay } from '../sandbox.ts'
import { secondsUntil } from '../words.ts'
import styles from './afternoon.module.css'

const SECONDS = 115
const STATES = { waiting: 'To come', running: 'Live', settled: 'Result' } as const

export default function Afternoon() {
  const { day, lines, endsAt, isPlaying, play } = useMatchDay()
  return (
    <>
      <h1>The afternoon</h1>
      <p className="lead">
        Matches start, prices move and markets settle, in two minutes. Meanwhile your <a href={linkTo()}>feed</a>,{' '}
        <a href={linkTo('me')}>record</a> and <a href={linkTo('notifications')}>notifications</a> move.
      </p>
      {day === undefined || day.state === 'idle' ? (
        <Empty title="Nothing is being played">
          <PlayAgain text="Play the afternoon" play={play} />
        </Empty>
      ) : (
        <>
          <Clock day={day} endsAt={endsAt} />
          <Matches day={day} />
          {!isPlaying && <PlayAgain text="Play another one" play={play} />}
          <Ticker lines={lines} />
        </>
      )}
    </>
  )
}

function PlayAgain({ text, play }: { text: string; play(): void }) {
  return (
    <button type="button" className="primary wide" onClick={play}>
      <Icon name="play" filled />
      {text}
    </button>
  )
}

function Clock({ day, endsAt }: { day: MatchDay; endsAt: number }) {
  const left = useTicking((now) => secondsUntil(endsAt, now))
  return (
    <div className={styles.clock}>
      <p>
        <strong>{day.state === 'playing' ? `${left} seconds left` : 'Full time'}</strong>
        <span className="quiet">
          {day.events.filter(({ state }) => state === 'settled').length} of {day.events.length} settled
        </span>
      </p>
      <progress
        aria-label="How much of the afternoon is played"
        max={SECONDS}
        value={SECONDS - Math.min(left, SECONDS)}
      />
    </div>
  )
}

function Matches({ day }: { day: MatchDay }) {
  return (
    <ul className="list rows" aria-label="Matches">
      {day.events.map(({ id, name, state, line }) => (
        <li key={id} className={`${row.row} ${styles.match}`}>
          <span className={`badge ${state}`}>{STATES[state]}</span>
          <span className="row-text">
            <a href={linkTo('events', id)}>
              <strong>{name}</strong>
            </a>
            <span className="quiet">{line}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}

function Ticker({ lines }: { lines: readonly Line[] }) {
  return (
    <section aria-labelledby="ticker-title">
      <h2 id="ticker-title">What happened</h2>
      <ol className={styles.ticker}>
        {lines.map(({ id, event, text }) => (
          <li key={id}>
            {text} <span className="quiet">{event}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
