import { useRef } from 'react'
import { Icon } from '../../../web/icons.tsx'
import { copyText } from './copy-text.ts'
import styles from './id.module.css'
import { useNotice } from './notices.tsx'

/** Longer ones are shown by their beginning. */
const MAX_SHOWN = 14
const BEGINNING = 8

/** An id, small: a click copies it. */
export function Id({ value }: { value: string }) {
  const notify = useNotice()
  const shown = useRef<HTMLElement>(null)

  async function copy(): Promise<void> {
    const select = () => shown.current && getSelection()?.selectAllChildren(shown.current)
    const isCopied = await copyText(value, select)
    notify(isCopied ? `Copied ${value}.` : `Press Ctrl+C to copy ${value}.`)
  }

  return (
    <button type="button" className={styles.id} title={`Copy ${value}`} aria-label={`Copy ${value}`} onClick={copy}>
      <code ref={shown}>{value.length > MAX_SHOWN ? value.slice(0, BEGINNING) : value}</code>
      <Icon name="copy" />
    </button>
  )
}
