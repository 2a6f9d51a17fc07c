import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useConnection } from '../../web/connection.ts'
import { ErrorBoundary } from '../../web/error-boundary.tsx'
import { restoreScroll, useScrollSaved } from '../../web/history-state.ts'
import { Mark } from '../../web/mark.tsx'
import { linkTo, type Route, useRoute } from '../../web/route.ts'
import { roleText } from '../../web/words/roles.ts'
import { Menu } from './menu.tsx'
import { DecisionTray } from './moderation/decision-tray.tsx'
import type { Decisions } from './moderation/decisions.ts'
import { useFocusRecovery } from './parts/focus-recovery.ts'
import { KeyHint } from './parts/key-hint.tsx'
import { NoticeLine } from './parts/notices.tsx'
import { NotAvailable } from './parts/problem.tsx'
import { ShortcutsDialog, useKeys } from './parts/shortcuts.tsx'
import { firstScreen, screenOf, screens } from './screens.tsx'
import { useNoteOpened } from './search/recent.ts'
import { SearchDialog, useSearchDialog } from './search/search-dialog.tsx'
import styles from './shell.module.css'
import { usePermission, useSession } from './sign-in/session.tsx'

export function Shell({ decisions }: { decisions: Decisions }) {
  const may = usePermission()
  const given = useRoute()
  const route = given.path.length === 0 ? { ...given, path: [firstScreen(may)] } : given
  useSendOnLeave(decisions, route.text)
  useFocusOnOpen(route)
  useFocusRecovery()
  useScrollSaved()
  const search = useSearchDialog()
  const [showsShortcuts, setShowsShortcuts] = useState(false)
  const showShortcuts = () => setShowsShortcuts(true)
  useKeys({ shortcuts: showShortcuts })
  return (
    <>
      <button type="button" className="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to content
      </button>
      <Sidebar route={route} decisions={decisions} onSearch={search.open} onShortcuts={showShortcuts} />
      <main id="main" tabIndex={-1}>
        <ErrorBoundary key={route.text} fallback={<Failed />}>
          <ScreenFor route={route} decisions={decisions} />
        </ErrorBoundary>
      </main>
      <div className="floating">
        <DecisionTray decisions={decisions} />
        <NoticeLine />
        <NoConnection />
      </div>
      {showsShortcuts && <ShortcutsDialog onClose={() => setShowsShortcuts(false)} />}
      {search.isOpen && (
        <SearchDialog offered={screens.filter(({ requiredCalls }) => requiredCalls.some(may))} onClose={search.close} />
      )}
    </>
  )
}

function NoConnection() {
  const { isUp } = useConnection()
  return (
    <div role="status">
      {!isUp && (
        <p className="warning">
          <strong>No connection.</strong> What you see is from before. The console goes on by itself.
        </p>
      )}
    </div>
  )
}

/**
 * Pending decisions must not be lost: they are sent when another page opens and when this one closes or is hidden. The
 * browser warns before it closes a page with failed decisions, or with more than it sends for a closed page.
 */
function useSendOnLeave(decisions: Decisions, route: string): void {
  const opened = useRef(route)
  useEffect(() => {
    if (opened.current !== route) decisions.sendPending()
    opened.current = route
  }, [decisions, route])
  useEffect(() => {
    const send = () => decisions.sendBeforeClose()
    const warn = (event: BeforeUnloadEvent) => {
      const canClose = decisions.sendBeforeClose()
      if (!canClose || decisions.list().some(({ state }) => state === 'failed')) event.preventDefault()
    }
    // A phone may end a hidden page without further events.
    const sendWhenHidden = () => document.visibilityState === 'hidden' && decisions.sendBeforeClose()
    addEventListener('pagehide', send)
    addEventListener('beforeunload', warn)
    document.addEventListener('visibilitychange', sendWhenHidden)
    return () => {
      // Signing out.
      decisions.sendBeforeClose()
      removeEventListener('pagehide', send)
      removeEventListener('beforeunload', warn)
      document.removeEventListener('visibilitychange', sendWhenHidden)
    }
  }, [decisions])
}

/** Also when only the query changes: the screen is created again then, without the link that had the focus. */
function useFocusOnOpen({ text }: Route): void {
  const opened = useRef(text)
  useLayoutEffect(() => {
    if (opened.current === text) return
    opened.current = text
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
    restoreScroll()
  }, [text])
}

function Failed() {
  return (
    <div className="problem" role="alert">
      <h1 tabIndex={-1}>This screen could not be shown</h1>
      <p>An unexpected error occurred. Open another screen or reload the page. Nothing was sent.</p>
    </div>
  )
}

function ScreenFor({ route, decisions }: { route: Route; decisions: Decisions }) {
  const { me } = useSession()
  const may = usePermission()
  const screen = screenOf(route)
  useNoteOpened(screen?.name, screen?.hasId && route.path[1])
  if (screen === undefined) {
    return (
      <>
        <h1 tabIndex={-1}>Page not found</h1>
        <p>
          Go to the <a href={linkTo(firstScreen(may))}>start page</a>.
        </p>
      </>
    )
  }
  if (!screen.requiredCalls.some(may)) {
    return (
      <>
        <h1 tabIndex={-1}>{screen.title}</h1>
        <NotAvailable what={screen.title} role={me.role} />
      </>
    )
  }
  return screen.render(route, decisions)
}

type SidebarProps = { route: Route; decisions: Decisions; onSearch: (() => void) | undefined; onShortcuts: () => void }

function Sidebar({ route, decisions, onSearch, onShortcuts }: SidebarProps) {
  const may = usePermission()
  // On a phone the menu closes when a page opens.
  const [openAt, setOpenAt] = useState<string>()
  const open = openAt === route.text
  const menuButton = useRef<HTMLButtonElement>(null)
  const offered = screens.filter((screen) => screen.section !== null && screen.requiredCalls.some(may))

  useEffect(() => {
    if (!open) return
    function closeOnEscape({ key }: KeyboardEvent): void {
      if (key !== 'Escape') return
      setOpenAt(undefined)
      menuButton.current?.focus()
    }
    addEventListener('keydown', closeOnEscape)
    return () => removeEventListener('keydown', closeOnEscape)
  }, [open])

  return (
    <header className={styles.sidebar}>
      <div className={styles.brandLine}>
        <a className={`brand ${styles.brand}`} href={linkTo(firstScreen(may))}>
          <Mark />
          Paddock <span>console</span>
        </a>
        {onSearch && (
          <button
            type="button"
            className={styles.searchButton}
            aria-keyshortcuts="Control+K Meta+K /"
            onClick={onSearch}
          >
            Search <KeyHint letter="Ctrl K" />
          </button>
        )}
        <button
          ref={menuButton}
          type="button"
          className={styles.menuButton}
          aria-expanded={open}
          aria-controls="menu"
          onClick={() => setOpenAt(open ? undefined : route.text)}
        >
          Menu
        </button>
      </div>
      <div id="menu" className={open ? `${styles.menu} ${styles.open}` : styles.menu}>
        <nav aria-label="Console">
          <Menu offered={offered} name={route.path[0] ?? ''} isOpen={open} />
        </nav>
        <Who decisions={decisions} onShortcuts={onShortcuts} />
      </div>
    </header>
  )
}

function Who({ decisions, onShortcuts }: Pick<SidebarProps, 'decisions' | 'onShortcuts'>) {
  const { me, signOut } = useSession()
  return (
    <div className={styles.who}>
      <p>
        <span className="quiet">Signed in as</span> <strong>{me.name}</strong>
        <br />
        <span className="quiet">Role</span> <strong>{roleText(me.role)}</strong>
      </p>
      <button
        type="button"
        onClick={() => {
          decisions.sendBeforeClose()
          signOut()
        }}
      >
        Sign out
      </button>
      <button type="button" className="shortcuts-button" onClick={onShortcuts} aria-keyshortcuts="?">
        Shortcuts <KeyHint letter="?" />
      </button>
      <p>
        <a href="/docs">API reference</a>
      </p>
    </div>
  )
}
