import { useTicking } from '../../../web/clock.ts'
import { Icon } from '../../../web/icons.tsx'
import type { SportsEvent } from '../answers.ts'
import { Emblem } from '../parts/emblem.tsx'
import { Countdown, When } from '../parts/when.tsx'
import { clockText } from '../words.ts'
import styles from './event-head.module.css'
import { STATE_WORDS, sidesOf, stateOf } from './event-state.ts'
import { SportMark } from './sport-mark.tsx'

/** Who plays, the score and the clock as the sportsbook has reported them, or how long until the start. */
export function EventHead({ event }: { event: SportsEvent }) {
  const state = useTicking((now) => stateOf(event, now))
  const sides = sidesOf(event)
  const { name, sportId, sportName, score, clock, isSuspended, startDateTimeZoned, settledDateTimeZoned } = event
  return (
    <header className={styles.head}>
      <p className={styles.sport}>
        <SportMark sportId={sportId} />
        {sportName}
        <span className={`badge ${state === 'live' ? 'running' : ''}`}>
          {state === 'live' && <span className={styles.pulse} aria-hidden="true" />}
          {STATE_WORDS[state]}
        </span>
        {isSuspended && (state === 'upcoming' || state === 'live') && <span className="badge warn">Suspended</span>}
      </p>
      {sides === undefined ? (
        <>
          <h1>{name}</h1>
          {score !== undefined && <p className={styles.score}>{score}</p>}
        </>
      ) : (
        <Sides event={event} sides={sides} score={state === 'upcoming' ? undefined : score} />
      )}
      <p className={styles.clock}>
        <Icon name="clock" />
        {state === 'upcoming' && (
          <>
            <strong>
              Starts <Countdown to={startDateTimeZoned} over="now" />
            </strong>
            <span>{clockText(startDateTimeZoned)}</span>
          </>
        )}
        {state === 'live' && (clock === undefined ? <Started at={startDateTimeZoned} /> : <strong>{clock}</strong>)}
        {state === 'unsettled' && <Started at={startDateTimeZoned} />}
        {state === 'settled' && settledDateTimeZoned !== undefined && (
          <strong>
            Settled <When time={settledDateTimeZoned} />
          </strong>
        )}
      </p>
    </header>
  )
}

function Started({ at }: { at: Date }) {
  return (
    <strong>
      Started <When time={at} />
    </strong>
  )
}

type SidesProps = { event: SportsEvent; sides: readonly [string, string]; score: string | undefined }

function Sides({ event: { sportId, name }, sides: [home, away], score }: SidesProps) {
  return (
    <div className={styles.sides}>
      <span className={styles.emblem}>
        <Emblem sportId={sportId} event={name} name={home} />
      </span>
      <h1>
        <span>{home}</span> <span className={styles.score}>{score ?? 'v'}</span> <span>{away}</span>
      </h1>
      <span className={styles.emblem}>
        <Emblem sportId={sportId} event={name} name={away} />
      </span>
    </div>
  )
}
