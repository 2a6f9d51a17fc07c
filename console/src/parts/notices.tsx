import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react'

const SHOWN_MS = 6000

const NoticeContext = createContext<(text: string) => void>(() => {})

/** Says what was done, to the eye and to a screen reader. */
export function useNotice(): (text: string) => void {
  return useContext(NoticeContext)
}

export function Notices({ children }: { children: ReactNode }) {
  const [text, setText] = useState('')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const notify = useCallback((next: string) => {
    clearTimeout(timer.current)
    setText(next)
    timer.current = setTimeout(() => setText(''), SHOWN_MS)
  }, [])
  return (
    <NoticeContext value={notify}>
      {children}
      <div className="notice" role="status" aria-live="polite">
        {text && <p>{text}</p>}
      </div>
    </NoticeContext>
  )
}
