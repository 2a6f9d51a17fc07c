import { lazy, Suspense } from 'react'
import { ErrorBoundary } from '../../../web/error-boundary.tsx'
import { Icon, type IconName } from '../../../web/icons.tsx'
import { Mark } from '../../../web/mark.tsx'
import { useMedia } from '../../../web/media.ts'
import { imported } from '../imported.ts'
import { Avatar } from '../parts/avatar.tsx'
import type { Customer, Sandbox } from '../sandbox.ts'
import styles from './welcome.module.css'

// Later than the doors: they are only looked at.
const FeedBehind = lazy(() => imported(() => import('./feed-behind.tsx')))
const Proof = lazy(() => imported(() => import('./proof.tsx')))

const ABOUT: Readonly<Record<string, string>> = {
  alice: 'Flat racing. Her cards work; a bank asks her to confirm.',
  bob: 'Football. His cards show everything a bank can refuse.',
  carol: 'Jump racing. Her bank is slow, or changes its mind.',
}

type WelcomeProps = { sandbox: Sandbox; choose(customer: Customer): void }

/** What Paddock is, and its three doors, beside the feed as it moves where there is room; below them the proof of it. */
export function Welcome({ sandbox: { customers, consoleUrl }, choose }: WelcomeProps) {
  const hasRoom = useMedia('(min-width: 1000px)')
  return (
    <main className={styles.page}>
      <div className={styles.welcome}>
        {hasRoom && (
          <div className={styles.behind} aria-hidden="true" inert>
            <ErrorBoundary fallback={null}>
              <Suspense fallback={null}>
                <FeedBehind />
              </Suspense>
            </ErrorBoundary>
          </div>
        )}
        <div className={styles.front}>
          <p className={`brand ${styles.brand}`}>
            <Mark />
            Paddock
          </p>
          <h1>Tipsters with honest records, and a cashier that loses nothing, for your sportsbook.</h1>
          <section className={styles.door} aria-labelledby="door-application">
            <DoorTitle id="door-application" icon="feed" title="Application" text="as your customers see it" />
            <ul className={styles.customers}>
              {customers.map((customer) => (
                <li key={customer.username}>
                  <button type="button" onClick={() => choose(customer)}>
                    <Avatar person={{ ...customer, id: customer.profileId }} />
                    <span>
                      <strong>Log in as {customer.name.split(' ')[0]}</strong>
                      <span className="quiet">{ABOUT[customer.username] ?? customer.name}</span>
                    </span>
                    <Icon name="more" />
                  </button>
                </li>
              ))}
            </ul>
          </section>
          <div className={styles.doors}>
            <a className={styles.door} href={consoleUrl}>
              <DoorTitle icon="scales" title="Console" text="for moderators and operators" />
            </a>
            <a className={styles.door} href="/docs">
              <DoorTitle icon="code" title="Reference" text="for developers: every operation, to try" />
            </a>
          </div>
        </div>
      </div>
      <ErrorBoundary fallback={null}>
        <Suspense fallback={null}>
          <Proof consoleUrl={consoleUrl} />
        </Suspense>
      </ErrorBoundary>
    </main>
  )
}

type DoorTitleProps = { id?: string; icon: IconName; title: string; text: string }

function DoorTitle({ id, icon, title, text }: DoorTitleProps) {
  return (
    <h2 id={id} className={styles.doorTitle}>
      <Icon name={icon} />
      <span>
        {title} <span className="quiet">{text}</span>
      </span>
    </h2>
  )
}
