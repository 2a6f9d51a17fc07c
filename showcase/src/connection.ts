// Whether the service can be reached. A single request that fails says little, so the page itself is requested then; while
// that fails too, it is requested again every few seconds, and what had failed is loaded when it succeeds.

import { useSyncExternalStore } from 'react'

const CHECK_MS = 2_000
const TIMEOUT_MS = 10_000

type State = { readonly isUp: boolean; readonly numReturns: number }

let state: State = { isUp: true, numReturns: 0 }
let isChecking = false
const listeners = new Set<() => void>()

function show(isUp: boolean): void {
  if (isUp === state.isUp) return
  state = { isUp, numReturns: state.numReturns + (isUp ? 1 : 0) }
  for (const listener of listeners) listener()
}

/** A request has failed without an answer. */
export async function checkConnection(): Promise<void> {
  if (isChecking) return
  isChecking = true
  while (!(await isReachable())) {
    show(false)
    await new Promise((resolve) => setTimeout(resolve, CHECK_MS))
  }
  isChecking = false
  show(true)
}

/** Any answer will do. */
async function isReachable(): Promise<boolean> {
  try {
    await fetch(location.pathname, { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) })
    return true
  } catch {
    return false
  }
}

addEventListener('offline', () => {
  show(false)
  checkConnection()
})

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** `numReturns` grows each time that the service can be reached again. */
export const useConnection = (): State => useSyncExternalStore(subscribe, () => state)
