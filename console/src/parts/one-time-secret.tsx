import { useId, useState } from 'react'
import { copyText } from './copy-text.ts'
import styles from './one-time-secret.module.css'

type OneTimeSecretProps = { title: string; text?: string; values: Record<string, string>; onDone: () => void }

const STORED_AS_HASH = 'Copy it now: it is stored only as a hash and cannot be shown again.'

/** A secret that the server shows only once, with a button to copy it. */
export function OneTimeSecret({ title, text = STORED_AS_HASH, values, onDone }: OneTimeSecretProps) {
  return (
    <section className={styles.oneTimeSecret} aria-label={title}>
      <h2>{title}</h2>
      <p>{text}</p>
      {Object.entries(values).map(([label, value]) => (
        <CopyLine key={label} label={label} value={value} />
      ))}
      <button type="button" onClick={onDone}>
        Done
      </button>
    </section>
  )
}

function CopyLine({ label, value }: { label: string; value: string }) {
  const [copied, setCopied] = useState<'no' | 'yes' | 'failed'>('no')
  const id = useId()

  async function copy(): Promise<void> {
    const field = document.getElementById(id) as HTMLInputElement | null
    const select = () => {
      field?.focus()
      field?.select()
    }
    setCopied((await copyText(value, select)) ? 'yes' : 'failed')
  }

  return (
    <div className={styles.copyLine}>
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
