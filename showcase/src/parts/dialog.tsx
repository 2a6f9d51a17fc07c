import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Icon } from '../../../web/icons.tsx'
import styles from './dialog.module.css'

/** The browser keeps the focus inside, and gives it back. */
export function Dialog({ title, close, children }: { title: string; close(): void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    <dialog ref={dialog} className={styles.dialog} aria-labelledby={id} onCancel={close}>
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" className="bare" aria-label="Close" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      {children}
    </dialog>
  )
}
