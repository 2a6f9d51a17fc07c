import { lazy, Suspense, useLayoutEffect, useRef } from 'react'
import { ErrorBoundary } from '../../web/error-boundary.tsx'
import { restoreScroll, useScrollSaved } from '../../web/history-state.ts'
import { useLoad } from '../../web/load.ts'
import { linkTo, type Route, useRoute } from '../../web/route.ts'
import { imported } from './imported.ts'
import { LiveProvider } from './live.tsx'
import { MatchDayProvider } from './match-day.tsx'
import { Empty, ProblemPanel, Skeletons } from './parts/states.tsx'
import { readSandbox } from './sandbox.ts'
import Feed from './screens/feed.tsx'
import welcome from './screens/welcome.module.css'
import { Welcome } from './screens/welcome.tsx'
import { SessionProvider } from './session.tsx'
import { Shell } from './shell.tsx'
import { useTitle } from './title.ts'
import { ToastProvider } from './toasts.tsx'

// Only the feed is in the first view.
const TipScreen = lazy(() => imported(() => import('./screens/tip.tsx')))
const Discover = lazy(() => imported(() => import('./screens/discover.tsx')))
const Write = lazy(() => imported(() => import('./screens/write.tsx')))
const NotificationsScreen = lazy(() => imported(() => import('./screens/notifications.tsx')))
const ProfileScreen = lazy(() => imported(() => import('./screens/profile.tsx')))
const EditProfile = lazy(() => imported(() => import('./screens/edit-profile.tsx')))
const Wallet = lazy(() => imported(() => import('./screens/wallet.tsx')))
const Account = lazy(() => imported(() => import('./screens/account.tsx')))
const PlaySafely = lazy(() => imported(() => import('./screens/play-safely.tsx')))
const Events = lazy(() => imported(() => import('./screens/events.tsx')))
const EventScreen = lazy(() => imported(() => import('./screens/event.tsx')))
const Moderation = lazy(() => imported(() => import('./screens/moderation.tsx')))
const Hidden = lazy(() => imported(() => import('./screens/hidden.tsx')))
const Afternoon = lazy(() => imported(() => import('./screens/afternoon.tsx')))

export function App() {
  const sandbox = useLoad('sandbox', readSandbox)
  if (sandbox.answer === undefined) {
    return (
      <main className={welcome.front}>
        <h1 className="hidden-text">Paddock</h1>
        {sandbox.isLoading ? <Skeletons /> : <ProblemPanel error={sandbox.error} retry={sandbox.reload} />}
      </main>
    )
  }
  const { answer } = sandbox
  return (
    <SessionProvider sandbox={answer} welcome={(choose) => <Welcome sandbox={answer} choose={choose} />}>
      <ToastProvider>
        <LiveProvider>
          <MatchDayProvider>
            <Shell>
              <Suspense fallback={<Skeletons />}>
                <Screen />
              </Suspense>
            </Shell>
          </MatchDayProvider>
        </LiveProvider>
      </ToastProvider>
    </SessionProvider>
  )
}

function Screen() {
  const route = useRoute()
  const path = route.path.join('/')
  useScrollSaved()
  useStartOfScreen(path)
  useTitle(titleOf(route))
  return (
    <ErrorBoundary key={path} fallback={<Failed />}>
      {screenOf(route)}
    </ErrorBoundary>
  )
}

/** Another screen begins at its top, or where Back has left it. The focus goes to it, so that Tab goes on from there. */
function useStartOfScreen(path: string): void {
  const shown = useRef(path)
  useLayoutEffect(() => {
    if (shown.current === path) return
    shown.current = path
    restoreScroll()
    document.getElementById('main')?.focus({ preventScroll: true })
  }, [path])
}

const TITLES: Readonly<Record<string, string>> = {
  '': 'Your feed',
  events: 'Matches',
  discover: 'Discover',
  write: 'Write a tip',
  notifications: 'Notifications',
  'me/edit': 'Edit your profile',
  hidden: 'Muted and blocked',
  wallet: 'Deposit',
  account: 'Account',
  'play-safely': 'Play safely',
  moderation: 'Decisions',
  afternoon: 'The afternoon',
}

/** undefined: the screen knows it when it has loaded. */
function titleOf(route: Route): string | undefined {
  const [first = '', second = ''] = route.path
  if (!isKnown(route)) return NOTHING_HERE
  if (first === 'events' && second !== '') return undefined
  if (first === 'tips' || first === 'profiles' || (first === 'me' && second === '')) return undefined
  return TITLES[first === 'me' ? `${first}/${second}` : first]
}

const NOTHING_HERE = 'Nothing here'
/** By the first part of the address, what may follow it; all others are alone. */
const FURTHER: Readonly<Record<string, RegExp>> = {
  events: /^$|^\/[1-9]\d*$/,
  tips: /^\/[1-9]\d*$/,
  profiles: /^\/[1-9]\d*$/,
  me: /^$|^\/edit$/,
}

function isKnown({ path: [first = '', ...others] }: Route): boolean {
  if (FURTHER[first] === undefined && TITLES[first] === undefined) return false
  return (FURTHER[first] ?? /^$/).test(others.map((one) => `/${one}`).join(''))
}

function screenOf(route: Route) {
  if (!isKnown(route)) return <NothingHere />
  const {
    path: [first = '', second = ''],
    query,
  } = route
  const id = Number(second)
  switch (first) {
    case '':
      return <Feed />
    case 'tips':
      return <TipScreen key={id} id={id} />
    case 'events':
      return second === '' ? <Events /> : <EventScreen key={id} id={id} />
    case 'discover':
      return <Discover query={query.get('q') ?? ''} />
    case 'write':
      return <Write />
    case 'notifications':
      return <NotificationsScreen />
    case 'me':
      return second === 'edit' ? <EditProfile /> : <ProfileScreen />
    case 'profiles':
      return <ProfileScreen key={id} id={id} />
    case 'wallet':
      return <Wallet />
    case 'account':
      return <Account />
    case 'play-safely':
      return <PlaySafely />
    case 'moderation':
      return <Moderation />
    case 'hidden':
      return <Hidden />
    default:
      return <Afternoon />
  }
}

/** Also of a screen whose script could not be loaded, after several attempts. */
export function Failed() {
  return (
    <>
      <h1>This page could not be shown</h1>
      <Empty title="An unexpected error occurred">
        <p>Open another page, or load this one again.</p>
        <button type="button" className="primary" onClick={() => location.reload()}>
          Load again
        </button>
      </Empty>
    </>
  )
}

function NothingHere() {
  return (
    <>
      <h1>{NOTHING_HERE}</h1>
      <Empty title="This page does not exist">
        <a className="button primary" href={linkTo()}>
          Back to the feed
        </a>
      </Empty>
    </>
  )
}
