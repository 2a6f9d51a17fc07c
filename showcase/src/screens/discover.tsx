import { type FormEvent, useId, useState } from 'react'
import { Icon } from '../../../web/icons.tsx'
import { useLoad } from '../../../web/load.ts'
import { linkTo } from '../../../web/route.ts'
import type { TopEvent } from '../answers.ts'
import { useLiveCounts, useOutcome } from '../live-outcomes.ts'
import { Interval, scaleOf } from '../parts/interval.tsx'
import { PriceChip } from '../parts/price.tsx'
import { ProfileRow } from '../parts/profile-row.tsx'
import row from '../parts/row.module.css'
import { Empty, LoadView, Skeletons } from '../parts/states.tsx'
import { Segments } from '../parts/tabs.tsx'
import { useSession } from '../session.tsx'
import { pointsText } from '../settlement-words.ts'
import { counted, signed } from '../words.ts'
import styles from './discover.module.css'
import { SearchResults } from './search-results.tsx'

const BOARDS = [
  { value: 'records', label: 'Best records' },
  { value: 'followed', label: 'Most followed' },
  { value: 'outcomes', label: 'Top selections' },
] as const

type Board = (typeof BOARDS)[number]['value']

export default function Discover({ query }: { query: string }) {
  const [board, setBoard] = useState<Board>('records')
  return (
    <>
      <h1>Discover</h1>
      <SearchForm key={query} query={query} />
      {query.length >= 2 ? (
        <SearchResults key={query} query={query} />
      ) : (
        <>
          <div className="filters">
            <Segments label="Board" choices={BOARDS} value={board} choose={setBoard} />
          </div>
          {board === 'records' && <Records />}
          {board === 'followed' && <MostFollowed />}
          {board === 'outcomes' && <TopOutcomes />}
        </>
      )}
    </>
  )
}

function SearchForm({ query }: { query: string }) {
  const id = useId()
  function search(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const text = String(new FormData(event.currentTarget).get('q') ?? '').trim()
    location.hash = text === '' ? '#/discover' : `#/discover?${new URLSearchParams({ q: text })}`
  }
  return (
    <search>
      <form className={styles.search} onSubmit={search}>
        <label className="hidden-text" htmlFor={id}>
          Search for tipsters and tips
        </label>
        <input
          id={id}
          name="q"
          type="search"
          minLength={2}
          maxLength={100}
          defaultValue={query}
          placeholder="Search tipsters and tips"
        />
        <button type="submit" aria-label="Search">
          <Icon name="discover" />
        </button>
      </form>
    </search>
  )
}

const PERIODS = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '0', label: 'All time' },
] as const
type Period = (typeof PERIODS)[number]['value']
const PERIOD_DAYS = { 30: 30, 90: 90, 0: 0 } as const

/** Ordered by the lower end of the yield's interval, so that a lucky week does not lead. */
function Records() {
  const { paddock } = useSession()
  const { settled } = useLiveCounts()
  const [numDays, setNumDays] = useState<Period>('0')
  const ranking = useLoad(
    `records ${numDays}`,
    () => paddock.getRecordRanking({ numDays: PERIOD_DAYS[numDays] }),
    settled,
  )
  return (
    <section aria-labelledby="board-title">
      <header className="section-head">
        <h2 id="board-title">Tipsters by record</h2>
        <Segments label="Period" choices={PERIODS} value={numDays} choose={setNumDays} />
      </header>
      <p className="hint">
        Ranked by what the record proves: the lower end of the yield’s interval, which is drawn below each name with the
        yield and 0. A lucky week does not lead.
      </p>
      <LoadView loaded={ranking} skeleton={<Skeletons shape="row" count={5} />}>
        {(profiles) =>
          profiles.length === 0 ? (
            <Empty title="Nobody has enough settled tips in this period">
              <p>Choose a longer one.</p>
            </Empty>
          ) : (
            <ol className="list rows">
              {profiles.map((profile) => (
                <li key={profile.id}>
                  <ProfileRow person={profile} rank={profile.rank}>
                    <strong className={Number(profile.record.profit) < 0 ? 'bad' : 'good'}>
                      {signed(profile.record.profit)} points
                    </strong>{' '}
                    from {pointsText(profile.record.staked)} · {counted(profile.record.numSettled, 'tip')},{' '}
                    {Math.round(Number(profile.record.strikeRate ?? 0))} % won
                    {profile.record.numWithdrawn > 0 && `, ${profile.record.numWithdrawn} withdrawn`}
                    <Interval record={profile.record} scale={scaleOf(profiles.map(({ record }) => record))} />
                  </ProfileRow>
                </li>
              ))}
            </ol>
          )
        }
      </LoadView>
    </section>
  )
}

function MostFollowed() {
  const { paddock } = useSession()
  const profiles = useLoad('most followed', () => paddock.getMostFollowedProfiles({ communities: true }))
  return (
    <section aria-labelledby="board-title">
      <h2 id="board-title">Most followed</h2>
      <LoadView loaded={profiles} skeleton={<Skeletons shape="row" count={5} />}>
        {(ranked) => (
          <ol className="list rows">
            {ranked.map((profile) => (
              <li key={profile.id}>
                <ProfileRow person={profile} rank={profile.rank}>
                  {counted(profile.numFollowers, 'follower')} ·{' '}
                  {counted(profile.communities?.comments.numLive ?? 0, 'open tip')}
                </ProfileRow>
              </li>
            ))}
          </ol>
        )}
      </LoadView>
    </section>
  )
}

function TopOutcomes() {
  const { paddock } = useSession()
  const { settled } = useLiveCounts()
  const events = useLoad('top outcomes', () => paddock.getTopOutcomes(), settled)
  return (
    <section aria-labelledby="board-title">
      <h2 id="board-title">Selections with the most tips</h2>
      <LoadView loaded={events} skeleton={<Skeletons shape="row" count={5} />}>
        {(top) =>
          top.length === 0 ? (
            <Empty title="No open tips" />
          ) : (
            <ol className="list rows">
              {top.map((event) => (
                <li key={event.market.outcome.id}>
                  <TopOutcome event={event} />
                </li>
              ))}
            </ol>
          )
        }
      </LoadView>
    </section>
  )
}

function TopOutcome({ event }: { event: TopEvent }) {
  const { outcome } = event.market
  const { livePrice } = useOutcome(outcome)
  return (
    <div className={row.row}>
      <span className={row.rank}>{outcome.rank}</span>
      <span className="row-text">
        <strong>{outcome.name}</strong>
        <span className="quiet">
          {event.market.name} · <a href={linkTo('events', event.id)}>{event.name}</a> ·{' '}
          {counted(outcome.comments.numLive, 'tip')}
        </span>
      </span>
      <PriceChip price={livePrice} />
    </div>
  )
}
