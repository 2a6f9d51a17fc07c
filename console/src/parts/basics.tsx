import { type ReactNode, useEffect, useId, useState } from 'react'

/** The head of every screen: its one h1, and what can be done at once. */
export function ScreenHeader({ title, children }: { title: string; children?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Paddock console`
  }, [title])
  return (
    <header className="screen-head">
      {/* Focused when the screen opens, so that a screen reader begins here. */}
      <h1 tabIndex={-1}>{title}</h1>
      {children && <div className="screen-tools">{children}</div>}
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
  return revokedAt === null ? <Badge look="good">live</Badge> : <Badge>revoked</Badge>
}

export function Progress({ label = 'Loading' }: { label?: string }) {
  return (
    <p className="progress" role="status">
      <span className="spinner" aria-hidden="true" />
      {label} …
    </p>
  )
}

type FieldProps = {
  label: string
  hint?: string
  /** Gets the id that the label points to, and the hint's. */
  children: (ids: { id: string; 'aria-describedby'?: string }) => ReactNode
}

export function Field({ label, hint, children }: FieldProps) {
  const id = useId()
  const hintId = `${id}-hint`
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children(hint === undefined ? { id } : { id, 'aria-describedby': hintId })}
      {hint && (
        <p className="hint" id={hintId}>
          {hint}
        </p>
      )}
    </div>
  )
}

/** A secret that is shown this once: it says so, and can be copied. */
export function OneTimeSecret({ title, values, onDone }: ShownOnceProps) {
  return (
    <section className="shown-once" aria-label={title}>
      <h2>{title}</h2>
      <p>Copy it now: it is stored only as a hash, and cannot be shown again.</p>
      {Object.entries(values).map(([label, value]) => (
        <CopyLine key={label} label={label} value={value} />
      ))}
      <button type="button" onClick={onDone}>
        I have it
      </button>
    </section>
  )
}

type ShownOnceProps = { title: string; values: Record<string, string>; onDone: () => void }

function CopyLine({ label, value }: { label: string; value: string }) {
  const [copied, setCopied] = useState<'no' | 'yes' | 'failed'>('no')
  const id = useId()

  function copy(): void {
    // Without HTTPS a browser may have no clipboard: the text is then selected, to be copied by hand.
    const select = () => {
      document.getElementById(id)?.focus()
      ;(document.getElementById(id) as HTMLInputElement | null)?.select()
      setCopied('failed')
    }
    if (navigator.clipboard === undefined) select()
    else navigator.clipboard.writeText(value).then(() => setCopied('yes'), select)
  }

  return (
    <div className="copy-line">
      <label htmlFor={id}>{label}</label>
      <input id={id} className="mono" readOnly value={value} onFocus={(event) => event.target.select()} />
      <button type="button" onClick={copy} aria-label={`Copy ${label}`}>
        Copy
      </button>
      <span role="status" className="quiet">
        {copied === 'yes' ? 'Copied.' : copied === 'failed' ? 'Selected: press Ctrl+C.' : ''}
      </span>
    </div>
  )
}
