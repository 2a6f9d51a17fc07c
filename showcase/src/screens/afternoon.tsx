import { useTicking } from '../../../web/clock.ts'
import { Icon } from '../../../web/icons.tsx'
import { useLoad } from '../../../web/load.ts'
import { linkTo } from '../../../web/route.ts'
import { useLive } from '../live.tsx'
import { type Line, useMatchDay } from '../match-day.tsx'
import row from '../parts/row.module.css'
import { Empty } from '../parts/states.tsx'
import type { MatchDay, OwnBet } from '../sandbox.ts'
import { useSession } from '../session.tsx'
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
        Matches start, prices move and markets settle, in two minutes. You have a tip and three bets on them: your{' '}
        <a href={linkTo('account')}>balance</a>, <a href={linkTo('me')}>record</a>, <a href={linkTo()}>feed</a> and{' '}
        <a href={linkTo('notifications')}>notifications</a> follow.
      </p>
      {day === undefined || day.state === 'idle' ? (
        <Empty title="Nothing is being played">
          <PlayAgain text="Play the afternoon" play={play} />
        </Empty>
      ) : (
        <>
          <Clock day={day} endsAt={endsAt} />
          <Matches day={day} />
          <Own bets={day.bets ?? []} />
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

/** The customer's own bets, and the balance as their stakes and winnings are booked. */
function Own({ bets }: { bets: readonly OwnBet[] }) {
  const { paddock } = useSession()
  const { moneyEvents } = useLive()
  const balance = useLoad('balance', () => paddock.getMyBalance(), moneyEvents)
  if (bets.length === 0) return null
  return (
    <section aria-labelledby="own-title">
      <header className="section-head">
        <h2 id="own-title">Yours</h2>
        {balance.answer !== undefined && (
          <p role="status" aria-label="Balance">
            Balance <strong>£{balance.answer.balance}</strong>
          </p>
        )}
      </header>
      <ul className="list rows" aria-label="Your bets">
        {bets.map((bet) => (
          <li key={bet.id} className={`${row.row} ${styles.match}`}>
            <OwnBetRow bet={bet} />
          </li>
        ))}
      </ul>
    </section>
  )
}

const BET_STATES = {
  open: ['', 'Open'],
  won: ['won', 'Won'],
  placed: ['lost', 'Placed'],
  lost: ['lost', 'Lost'],
  void: ['void', 'Void'],
} as const

function OwnBetRow({ bet: { selection, eventId, event, eachWay, stake, tipId, state, returned } }: { bet: OwnBet }) {
  const [className, text] = BET_STATES[state]
  return (
    <>
      <span className={`badge ${className}`}>{text}</span>
      <span className="row-text">
        <strong>
          {selection}
          {eachWay && ', each way'}
        </strong>
        <span className="quiet">
          <a href={linkTo('events', eventId)}>{event}</a>
          {tipId !== null && (
            <>
              {' · '}
              <a href={linkTo('tips', tipId)}>your tip</a>
            </>
          )}
        </span>
      </span>
      <span className={styles.money}>
        {stake === null ? 'No stake: too little in your account' : `£${stake} staked`}
        {returned !== null && (
          <strong className={Number(returned) > 0 ? 'good' : 'bad'}>
            {Number(returned) > 0 ? `£${returned} back` : 'nothing back'}
          </strong>
        )}
      </span>
    </>
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
