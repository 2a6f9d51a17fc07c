// Short messages that appear for a few seconds. They are announced politely; those of notifications link to what they are about.

import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react'
import { Icon, type IconName } from '../../web/icons.tsx'
import styles from './toasts.module.css'

type Toast = { readonly id: number; readonly icon: IconName; readonly text: string; readonly href?: string }
type ShowToast = (toast: Omit<Toast, 'id'>) => void

const SHOWN_MS = 6_000
const MAX = 3
const Context = createContext<ShowToast>(() => undefined)

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([])
  const lastId = useRef(0)
  const remove = useCallback((id: number) => setToasts((before) => before.filter((one) => one.id !== id)), [])
  const show = useCallback<ShowToast>(
    (toast) => {
      const id = ++lastId.current
      setToasts((before) => [...before, { ...toast, id }].slice(-MAX))
      setTimeout(() => remove(id), SHOWN_MS)
    },
    [remove],
  )
  return (
    <Context value={show}>
      {children}
      <div className={styles.toasts} role="log" aria-live="polite" aria-label="Messages">
        {toasts.map(({ id, icon, text, href }) => (
          <p key={id} className={styles.toast}>
            <Icon name={icon} />
            {href === undefined ? <span>{text}</span> : <a href={href}>{text}</a>}
            <button type="button" className="bare" aria-label="Close message" onClick={() => remove(id)}>
              <Icon name="close" />
            </button>
          </p>
        ))}
      </div>
    </Context>
  )
}

/** Where nothing announces itself. */
export function ToastsHidden({ children }: { children: ReactNode }) {
  return <Context value={ignore}>{children}</Context>
}

const ignore: ShowToast = () => undefined

export const useToast = (): ShowToast => useContext(Context)
