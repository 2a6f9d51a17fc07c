import { useRef } from 'react'
import { Icon } from '../../../web/icons.tsx'
import { copyText } from './copy-text.ts'
import styles from './id.module.css'
import { useNotice } from './notices.tsx'

/** Longer ones are shown by their beginning. */
const MAX_SHOWN = 14
const BEGINNING = 8

type IdProps = {
  value: string
  /** The text before it has the id already: only the icon is seen. */
  isBeside?: boolean
}

/** An id, small: a click copies it. */
export function Id({ value, isBeside = false }: IdProps) {
  const notify = useNotice()
  const shown = useRef<HTMLElement>(null)

  async function copy(): Promise<void> {
    const select = () => shown.current && getSelection()?.selectAllChildren(shown.current)
    const isCopied = await copyText(value, select)
    notify(isCopied ? `Copied ${value}.` : `Press Ctrl+C to copy ${value}.`)
  }

  return (
    <button type="button" className={styles.id} title={`Copy ${value}`} aria-label={`Copy ${value}`} onClick={copy}>
      <code ref={shown} className={isBeside ? 'hidden-text' : undefined}>
        {value.length > MAX_SHOWN ? value.slice(0, BEGINNING) : value}
      </code>
      <Icon name="copy" />
    </button>
  )
}
