import { type ReactNode, useEffect } from 'react'
import styles from './basics.module.css'

/** At the top of every screen: its only h1, and its tools. */
export function ScreenHeader({ title, children }: { title: string; children?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Paddock console`
  }, [title])
  return (
    <header className={styles.screenHead}>
      {/* Focused when the screen opens, so that a screen reader starts here. */}
      <h1 tabIndex={-1}>{title}</h1>
      {children && <div className={styles.screenTools}>{children}</div>}
    </header>
  )
}

const dateAndTime = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

export function DateTime({ at }: { at: string | null | undefined }) {
  if (!at) return <span className="quiet">never</span>
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return <span>{at}</span>
  return (
    <time dateTime={at} title={at}>
      {dateAndTime.format(date)}
    </time>
  )
}

export function Badge({ look = 'plain', children }: { look?: 'plain' | 'good' | 'bad' | 'warn'; children: ReactNode }) {
  return <span className={`badge ${look}`}>{children}</span>
}

export function RevocationBadge({ revokedAt }: { revokedAt: string | null }) {
  return revokedAt === null ? <Badge look="good">active</Badge> : <Badge>revoked</Badge>
}

export function Progress({ label = 'Loading' }: { label?: string }) {
  return (
    <p className={styles.progress} role="status">
      <span className={styles.spinner} aria-hidden="true" />
      {label} …
    </p>
  )
}
