import { Icon } from '../../../web/icons.tsx'
import type { EventMarket, EventOutcome, SportsEvent } from '../answers.ts'
import { type LiveOutcome, useOutcome, useOutcomes } from '../live-outcomes.ts'
import { AsOf } from '../parts/as-of.tsx'
import { Emblem } from '../parts/emblem.tsx'
import { PriceText } from '../parts/price.tsx'
import { colourOf, type Point, PriceGraph, type Series } from '../parts/price-graph.tsx'
import styles from './event-market.module.css'
import { resultWords, settlementWords } from './event-state.ts'

/** More lines than this cannot be distinguished. */
const MAX_LINES = 6

/** The prices of a market over time, and each outcome as it stands. */
export function EventMarketView({ event, market }: { event: SportsEvent; market: EventMarket }) {
  const drawn = market.outcome.slice(0, MAX_LINES)
  const live = useOutcomes(drawn)
  const series = drawn.map((outcome, index) => seriesOf(outcome, live[index]))
  const settled = market.outcome.every(({ result }) => result !== undefined)
  const end = settled ? event.settledDateTimeZoned?.getTime() : undefined
  const title = `market-${market.id}`
  return (
    <section className="surface" aria-labelledby={title}>
      <header className="section-head">
        <h2 id={title}>{market.name}</h2>
        {market.status !== 'A' && !settled && <span className="badge warn">Suspended</span>}
        {!settled && <AsOf />}
      </header>
      <PriceGraph label={`Chances by price, ${market.name}`} series={series} end={end} />
      <ul className={styles.outcomes}>
        {market.outcome.map((outcome, index) => (
          <li key={outcome.id}>
            <OutcomeLine event={event} outcome={outcome} colour={index < MAX_LINES ? colourOf(index) : undefined} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The stored points, and the price that the stream has reported since. */
function seriesOf({ id, name, pricePoint }: EventOutcome, live: LiveOutcome | undefined): Series {
  const points: Point[] = pricePoint.map(({ dateTimeZoned, priceDec }) => ({
    at: dateTimeZoned.getTime(),
    chance: chanceOf(priceDec),
  }))
  const now = live?.isWatched === true && live.result === undefined ? chanceOf(live.livePrice?.priceDec) : undefined
  const last = points.at(-1)?.chance
  if (now !== undefined && now !== last && live !== undefined) points.push({ at: live.at, chance: now })
  return { id, name, points }
}

const chanceOf = (priceDec: string | undefined): number | null =>
  priceDec === undefined ? null : 100 / Number(priceDec)

type LineProps = { event: SportsEvent; outcome: EventOutcome; colour: string | undefined }

function OutcomeLine({ event, outcome, colour }: LineProps) {
  const { livePrice, displayStatus, result } = useOutcome(outcome)
  const words = settlementWords({ ...outcome, ...(result === undefined ? {} : { result }) })
  return (
    <div className={styles.outcome}>
      <span className={`${styles.swatch} ${colour ?? styles.undrawn}`} aria-hidden="true" />
      <span className="row-text">
        <strong>
          <Emblem sportId={event.sportId} event={event.name} name={outcome.name} />
          {outcome.name}
        </strong>
        {words !== '' && <span className="quiet">{words}</span>}
      </span>
      {result === undefined ? (
        <>
          <Since outcome={outcome} now={livePrice?.priceDec} />
          {displayStatus === 'A' ? (
            <strong className={styles.price}>
              <PriceText price={livePrice} />
            </strong>
          ) : (
            <span className="badge warn">Suspended</span>
          )}
        </>
      ) : (
        <Result result={result} />
      )}
    </div>
  )
}

function Result({ result }: { result: string }) {
  const [className, text] = resultWords(result)
  return <span className={`badge ${className}`}>{text}</span>
}

/** Against the first price that is known. */
function Since({ outcome: { pricePoint }, now }: { outcome: EventOutcome; now: string | undefined }) {
  const first = pricePoint.find(({ priceDec }) => priceDec !== undefined)
  if (first?.priceDec === undefined || now === undefined || Number(first.priceDec) === Number(now)) return null
  const isLonger = Number(now) > Number(first.priceDec)
  return (
    <span className={`${styles.since} ${isLonger ? styles.up : styles.down}`}>
      <Icon name={isLonger ? 'up' : 'down'} />
      <span>
        {isLonger ? 'longer' : 'shorter'} than <PriceText price={first} />
      </span>
    </span>
  )
}
