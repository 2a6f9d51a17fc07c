import { useRef, useState } from 'react'

export type Action = { run(): Promise<void>; readonly error: unknown; readonly isBusy: boolean; forget(): void }

/** Runs once at a time, however often it is clicked. */
export function useAction(act: () => Promise<void>): Action {
  const [state, setState] = useState<{ error?: unknown; isBusy: boolean }>({ isBusy: false })
  const isRunning = useRef(false)
  async function run(): Promise<void> {
    if (isRunning.current) return
    isRunning.current = true
    setState({ isBusy: true })
    try {
      await act()
      setState({ isBusy: false })
    } catch (error) {
      setState({ error, isBusy: false })
    } finally {
      isRunning.current = false
    }
  }
  return { run, error: state.error, isBusy: state.isBusy, forget: () => setState({ isBusy: false }) }
}
