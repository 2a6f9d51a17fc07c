import type { NewWebhook } from '../../../src/operator/api-types.ts'
import { EVENTS, eventText } from '../../../web/words/events.ts'
import styles from './event-kinds.module.css'

export type EventKind = NonNullable<NewWebhook['kinds']>[number]

/** Movements are only in the log. */
export const EVENT_KINDS = Object.keys(EVENTS).filter((kind): kind is EventKind => !kind.startsWith('movement.'))

export const EVENT_OPTIONS = [
  { value: '', label: 'All events' },
  ...EVENT_KINDS.map((kind) => ({ value: kind, label: EVENTS[kind] })),
]

/** In words, with the kind that receivers match on. */
export function EventKindName({ kind }: { kind: string }) {
  return (
    <span className={`sent ${styles.eventName}`}>
      <span>{eventText(kind)}</span>
      <Kind kind={kind} />
    </span>
  )
}

/** A line may end after the dot, and nowhere within a word. */
function Kind({ kind }: { kind: string }) {
  const [subject, what] = kind.split('.')
  return (
    <code className="quiet">
      {subject}
      {what !== undefined && (
        <>
          .<wbr />
          {what}
        </>
      )}
    </code>
  )
}

type EventKindsProps = { kinds: readonly EventKind[]; onChange: (kinds: EventKind[]) => void }

/** None chosen: all. */
export function EventKinds({ kinds, onChange }: EventKindsProps) {
  return (
    <details className={styles.eventKinds}>
      <summary>Events: {kinds.length === 0 ? 'all' : kinds.map(eventText).join(', ')}</summary>
      <fieldset>
        <legend>Send only these events (none checked: all)</legend>
        {EVENT_KINDS.map((kind) => (
          <label className="check" key={kind}>
            <input
              type="checkbox"
              checked={kinds.includes(kind)}
              onChange={(event) =>
                onChange(event.target.checked ? [...kinds, kind] : kinds.filter((one) => one !== kind))
              }
            />{' '}
            {EVENTS[kind]} <Kind kind={kind} />
          </label>
        ))}
      </fieldset>
    </details>
  )
}

export function kindsInWords(kinds: readonly EventKind[] | null): string {
  return kinds === null ? 'all' : kinds.map(eventText).join(', ')
}
