// One timer for everything on a page that depends on the time of day: "2 min. ago", countdowns, clocks.

import { useSyncExternalStore } from 'react'

const TICK_MS = 1_000

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function tick(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(tick, TICK_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The result of `read` at each second. The component is rendered again only when that has changed, hence text or a number. */
export function useTicking<Value extends string | number | boolean>(read: (now: number) => Value): Value {
  return useSyncExternalStore(subscribe, () => read(Date.now()))
}
