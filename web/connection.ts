// Whether the service can be reached. A single request that fails proves little, so the page itself is requested then; while
// that fails too, it is requested again every few seconds, and what had failed is loaded when it succeeds.

import { useEffect, useRef, useSyncExternalStore } from 'react'

const CHECK_MS = 2_000
const TIMEOUT_MS = 10_000

/** `downSince`: when it was noticed that nothing answers. */
type State = { readonly isUp: boolean; readonly numReturns: number; readonly downSince?: number }

let state: State = { isUp: true, numReturns: 0 }
let isChecking = false
const listeners = new Set<() => void>()

function show(next: State): void {
  state = next
  for (const listener of listeners) listener()
}

function showDown(): void {
  if (state.isUp) show({ ...state, isUp: false, downSince: Date.now() })
}

/** A request has failed without an answer. */
export async function checkConnection(): Promise<void> {
  if (isChecking) return
  isChecking = true
  if (await isReachable()) await pause()
  else showDown()
  while (!(await isReachable())) {
    showDown()
    await pause()
  }
  isChecking = false
  show({ isUp: true, numReturns: state.numReturns + 1 })
}

const pause = () => new Promise((resolve) => setTimeout(resolve, CHECK_MS))

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
  showDown()
  checkConnection()
})

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** `numReturns` grows each time that the service can be reached after a request had failed. */
export const useConnection = (): State => useSyncExternalStore(subscribe, () => state)

/** Calls it when the service can be reached again. */
export function useRetryOnReturn(retry: (() => void) | undefined): void {
  const { numReturns } = useConnection()
  const seen = useRef(numReturns)
  const act = useRef(retry)
  act.current = retry
  useEffect(() => {
    if (seen.current === numReturns) return
    seen.current = numReturns
    act.current?.()
  }, [numReturns])
}
