import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react'
import styles from './notices.module.css'

const SHOWN_MS = 6000

type NoticeState = { text: string; notify: (text: string) => void }

const NoticeContext = createContext<NoticeState>({ text: '', notify: () => {} })

/** Shows a result for some seconds; screen readers announce it. */
export function useNotice(): (text: string) => void {
  return useContext(NoticeContext).notify
}

export function Notices({ children }: { children: ReactNode }) {
  const [text, setText] = useState('')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const notify = useCallback((next: string) => {
    clearTimeout(timer.current)
    setText(next)
    timer.current = setTimeout(() => setText(''), SHOWN_MS)
  }, [])
  const state = useMemo(() => ({ text, notify }), [text, notify])
  return <NoticeContext value={state}>{children}</NoticeContext>
}

export function NoticeLine() {
  const { text } = useContext(NoticeContext)
  return (
    <div className={styles.notice} role="status">
      {text && <p>{text}</p>}
    </div>
  )
}
