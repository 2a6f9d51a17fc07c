import { useTicking } from '../../../web/clock.ts'
import { linkTo } from '../../../web/route.ts'
import type { ListedEvent, ListedOutcome } from '../answers.ts'
import { useEvent, useOutcome } from '../live-outcomes.ts'
import { AsOf } from '../parts/as-of.tsx'
import { PriceText } from '../parts/price.tsx'
import { Countdown, When } from '../parts/when.tsx'
import styles from './event-row.module.css'
import { resultWords, STATE_WORDS, sidesOf, stateOf } from './event-state.ts'
import { SportMark } from './sport-mark.tsx'

/** `prices`: how many outcomes of the first market are shown; of the others their number. */
export function EventRow({ event: loaded, prices = 3 }: { event: ListedEvent; prices?: number }) {
  const event = useEvent(loaded)
  const { market } = event
  const all = (market?.outcome ?? []).toSorted((one, other) => orderOf(one) - orderOf(other))
  const outcomes = all.slice(0, prices)
  // "Yes" needs its question; who wins does not.
  const isNamed = sidesOf(event)?.every((side) => outcomes.every(({ name }) => name !== side)) === true
  return (
    <a className={styles.row} href={linkTo('events', event.id)}>
      <SportMark sportId={event.sportId} />
      <span className={styles.text}>
        <strong>{event.name}</strong>
        <EventLine event={event} />
      </span>
      {outcomes.length > 0 && (
        <span className={styles.prices}>
          {isNamed && <span className={styles.market}>{market?.name}</span>}
          {outcomes.map((outcome) => (
            <OutcomePrice key={outcome.id} outcome={outcome} />
          ))}
          {all.length > outcomes.length && <span className={styles.others}>+{all.length - outcomes.length}</span>}
        </span>
      )}
    </a>
  )
}

/** Who has won, then who is placed; all others in the order of the market. */
const orderOf = ({ result }: ListedOutcome) => (result === 'win' ? 0 : result === 'place' ? 1 : 2)

/** "Now 2 – 1 · 67’", "Next in 4:05", "Settled 3 min ago". */
export function EventLine({ event }: { event: ListedEvent }) {
  const state = useTicking((now) => stateOf(event, now))
  const { score, clock, settledDateTimeZoned, startDateTimeZoned } = event
  return (
    <span className={`quiet ${styles.line}`}>
      <span className={`badge ${state === 'live' ? 'running' : ''}`}>{STATE_WORDS[state]}</span>
      {score !== undefined && state !== 'upcoming' && <strong className={styles.score}>{score}</strong>}
      {state === 'upcoming' && <Countdown to={startDateTimeZoned} over="starting" />}
      {state === 'live' && (clock ?? <When time={startDateTimeZoned} />)}
      {state === 'unsettled' && <When time={startDateTimeZoned} />}
      {state === 'settled' && settledDateTimeZoned !== undefined && <When time={settledDateTimeZoned} />}
      {state !== 'settled' && <AsOf />}
    </span>
  )
}

function OutcomePrice({ outcome }: { outcome: ListedOutcome }) {
  const { livePrice, result, displayStatus } = useOutcome(outcome)
  const [className, text] = result === undefined ? ['', ''] : resultWords(result)
  const isOpen = result === undefined && displayStatus === 'A'
  return (
    <span className={isOpen ? styles.price : `${styles.price} ${styles.closed}`}>
      <span className={styles.name}>{outcome.name}</span>
      {result === undefined ? (
        <strong>{isOpen ? <PriceText price={livePrice} /> : 'Suspended'}</strong>
      ) : (
        <strong className={className === 'won' ? 'good' : ''}>{text}</strong>
      )}
    </span>
  )
}
