import { useEffect, useEffectEvent, useRef } from 'react'

/** What changes together is loaded once. */
const GATHER_MS = 250

/** Reloads whenever `version` is another one than when the component was shown. */
export function useReloadOn(version: number | string, reload: () => void): void {
  const seen = useRef(version)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const reloadNow = useEffectEvent(() => {
    timer.current = undefined
    reload()
  })
  useEffect(() => {
    if (seen.current === version) return
    seen.current = version
    // The first change starts the time: a stream of changes must not put it off for ever.
    timer.current ??= setTimeout(() => reloadNow(), GATHER_MS)
  }, [version])
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      timer.current = undefined
    },
    [],
  )
}
