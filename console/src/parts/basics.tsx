import { type ReactNode, useEffect, useMemo } from 'react'
import { useTicking } from '../../../web/clock.ts'
import { Icon, type IconName } from '../../../web/icons.tsx'
import { fromNow, HOUR_MS } from '../../../web/relative-time.ts'
import styles from './basics.module.css'
import { timeText } from './dates.ts'
import { Id } from './id.tsx'
import { sentenceCase } from './sentence-case.ts'

type HeaderProps = {
  title: string
  /** The id of the subject. */
  id?: string
  children?: ReactNode
}

/** At the top of every screen: its only h1, and its tools. */
export function ScreenHeader({ title, id, children }: HeaderProps) {
  useEffect(() => {
    document.title = `${title} · Paddock console`
  }, [title])
  return (
    <header className={styles.screenHead}>
      {/* Focused when the screen opens, so that a screen reader starts here. */}
      <div className={styles.screenName}>
        <h1 tabIndex={-1}>{title}</h1>
        {id !== undefined && <Id value={id} />}
      </div>
      {children && <div className={styles.screenTools}>{children}</div>}
    </header>
  )
}

export function DateTime({ at }: { at: string | null | undefined }) {
  if (!at) return <span className="quiet">never</span>
  return Number.isNaN(Date.parse(at)) ? <span>{at}</span> : <TickingTime at={at} />
}

/** "5 min. ago" within the hour, then the day and the time. */
function TickingTime({ at }: { at: string }) {
  const date = useMemo(() => new Date(at), [at])
  const exact = useMemo(() => timeText(at), [at])
  const text = useTicking((now) => (Math.abs(now - date.getTime()) < HOUR_MS ? fromNow(date, now) : exact))
  return (
    <time dateTime={at} title={text === exact ? at : `${exact} (${at})`}>
      {text}
    </time>
  )
}

/** `wait`: something is still going to happen by itself. `plain`: a label, neither good nor bad. */
export type Look = 'plain' | 'good' | 'bad' | 'warn' | 'wait'

const SHAPES: Record<Exclude<Look, 'plain'>, IconName> = {
  good: 'check',
  bad: 'close',
  warn: 'warning',
  wait: 'clock',
}

/** A state, on every page: its meaning is in the words, the colour and the shape, and each is enough. */
export function Badge({ look = 'plain', children }: { look?: Look; children: ReactNode }) {
  return (
    <span className={`badge ${look}`}>
      {look !== 'plain' && <Icon name={SHAPES[look]} />}
      {typeof children === 'string' ? sentenceCase(children) : children}
    </span>
  )
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
