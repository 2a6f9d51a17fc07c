import { lazy, type ReactNode, Suspense, useCallback, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTicking } from '../../web/clock.ts'
import { useConnection } from '../../web/connection.ts'
import { ErrorBoundary } from '../../web/error-boundary.tsx'
import { Icon, type IconName } from '../../web/icons.tsx'
import { Mark } from '../../web/mark.tsx'
import { useMedia } from '../../web/media.ts'
import { linkTo, useRoute } from '../../web/route.ts'
import drawer from './drawer/drawer.module.css'
import { DrawerStrip } from './drawer/strip.tsx'
import { imported } from './imported.ts'
import { useLive } from './live.tsx'
import { useMatchDay } from './match-day.tsx'
import { chooseOdds, useOddsFormat } from './odds.tsx'
import { ODDS_FORMATS, type OddsFormat } from './odds-text.ts'
import { Avatar } from './parts/avatar.tsx'
import { useSession } from './session.tsx'
import styles from './shell.module.css'
import { ThemeSwitch } from './theme-switch.tsx'
import { secondsUntil } from './words.ts'

const Drawer = lazy(() => imported(() => import('./drawer/drawer.tsx')))
const SideColumn = lazy(() => imported(() => import('./side/side-column.tsx')))

export function Shell({ children }: { children: ReactNode }) {
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  // One of the two is shown: that in the header of a phone, or the strip of a wide screen.
  const toggle = useRef<HTMLButtonElement>(null)
  const strip = useRef<HTMLButtonElement>(null)
  const hasSide = useMedia('(min-width: 1200px)')
  const closeDrawer = useCallback(() => {
    flushSync(() => setDrawerOpen(false))
    for (const button of [toggle, strip]) button.current?.focus()
  }, [])
  return (
    <div className={`${styles.shell} ${isDrawerOpen ? styles.withDrawer : styles.withSide}`}>
      <button type="button" className="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to content
      </button>
      <header className={styles.top}>
        <a className={`brand ${styles.brand}`} href={linkTo()}>
          <Mark />
          <span className={styles.brandName}>Paddock</span>
        </a>
        <CustomerSwitch />
        <PlayButton />
        <ThemeSwitch />
        <button
          ref={toggle}
          type="button"
          className={`bare ${styles.drawerButton}`}
          aria-expanded={isDrawerOpen}
          aria-label="Requests and answers"
          title="Requests and answers"
          onClick={() => setDrawerOpen(!isDrawerOpen)}
        >
          <Icon name="code" />
        </button>
      </header>
      <Offline />
      <Navigation />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      {hasSide && !isDrawerOpen && (
        <ErrorBoundary fallback={null}>
          <Suspense fallback={null}>
            <SideColumn />
          </Suspense>
        </ErrorBoundary>
      )}
      {isDrawerOpen ? (
        <ErrorBoundary fallback={null}>
          <Suspense fallback={<aside className={drawer.drawer} aria-label="Requests and answers" />}>
            <Drawer close={closeDrawer} />
          </Suspense>
        </ErrorBoundary>
      ) : (
        <DrawerStrip open={() => setDrawerOpen(true)} ref={strip} />
      )}
    </div>
  )
}

function Offline() {
  const { isUp } = useConnection()
  return (
    <div className={styles.offline} role="status">
      {!isUp && (
        <p>
          <strong>No connection.</strong> What you see is from before; it goes on by itself.
        </p>
      )}
    </div>
  )
}

function CustomerSwitch() {
  const { sandbox, customer, switchTo } = useSession()
  return (
    <fieldset className={styles.customers} aria-label="Logged in as">
      {sandbox.customers.map((one) => (
        <button
          key={one.username}
          type="button"
          className="bare"
          aria-pressed={one.username === customer.username}
          title={one.name}
          onClick={() => switchTo(one)}
        >
          <Avatar person={{ ...one, id: one.profileId }} size="small" />
          <span className={styles.customerName}>{firstName(one.name)}</span>
        </button>
      ))}
    </fieldset>
  )
}

const firstName = (name: string) => name.split(' ')[0]

function PlayButton() {
  const { isPlaying, endsAt, play } = useMatchDay()
  const secondsLeft = useTicking((now) => secondsUntil(endsAt, now))
  if (isPlaying) {
    return (
      <a
        className={`button ${styles.play} ${styles.playing}`}
        aria-label="The afternoon, live"
        href={linkTo('afternoon')}
      >
        <span className={styles.pulse} aria-hidden="true" />
        <span className={styles.playText}>Live</span> {secondsLeft}s
      </a>
    )
  }
  return (
    <button type="button" className={styles.play} aria-label="Play the afternoon" onClick={play}>
      <Icon name="play" filled />
      <span className={styles.playText}>Play the afternoon</span>
    </button>
  )
}

const PLACES: readonly { first: string; label: string; icon: IconName; also?: readonly string[] }[] = [
  { first: '', label: 'Feed', icon: 'feed' },
  { first: 'events', label: 'Matches', icon: 'match' },
  { first: 'discover', label: 'Discover', icon: 'discover' },
  { first: 'write', label: 'Write a tip', icon: 'write' },
  { first: 'notifications', label: 'Notifications', icon: 'bell' },
  { first: 'me', label: 'Me', icon: 'person', also: ['account', 'wallet', 'play-safely', 'moderation', 'hidden'] },
]

function Navigation() {
  const { path } = useRoute()
  const { unread } = useLive()
  const first = path[0] ?? ''
  return (
    <nav className={styles.places} aria-label="Main">
      <ul>
        {PLACES.map(({ first: place, label, icon, also = [] }) => (
          <li key={place}>
            <a href={linkTo(place)} aria-current={first === place || also.includes(first) ? 'page' : undefined}>
              <span className={styles.placeIcon}>
                <Icon name={icon} />
                {place === 'notifications' && unread > 0 && (
                  <span className={styles.count}>
                    {unread > 99 ? '99+' : unread}
                    <span className="hidden-text"> unread</span>
                  </span>
                )}
              </span>
              <span>{label}</span>
            </a>
          </li>
        ))}
      </ul>
      <OddsChoice />
    </nav>
  )
}

/** On a phone it is on the customer's own page. */
function OddsChoice() {
  const format = useOddsFormat()
  const id = useId()
  return (
    <div className={styles.odds}>
      <label htmlFor={id}>Odds</label>
      <select id={id} value={format} onChange={(event) => chooseOdds(event.target.value as OddsFormat)}>
        {ODDS_FORMATS.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </div>
  )
}
