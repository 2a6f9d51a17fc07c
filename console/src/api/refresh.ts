import { useEffect, useRef } from 'react'
import { useVisible } from './live.tsx'

type Refreshable = { loading: boolean; reload(): void }

/** Loads the resource again and again while the page is visible, and at once when it becomes visible. */
export function useRefresh(resource: Refreshable, everyMs: number, paused = false): void {
  const latest = useRef(resource)
  latest.current = resource
  const active = useVisible() && !paused
  const begun = useRef(false)
  useEffect(() => {
    if (!active) return
    const refresh = () => {
      if (!latest.current.loading) latest.current.reload()
    }
    // The resource loads itself at first.
    if (begun.current) refresh()
    begun.current = true
    const timer = setInterval(refresh, everyMs)
    return () => clearInterval(timer)
  }, [active, everyMs])
}
