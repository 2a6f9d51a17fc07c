import { useRef, useState } from 'react'

export type Action<Given extends unknown[] = []> = {
  /** Resolves to whether it succeeded. Does nothing while it runs, however often it is clicked. */
  run(...given: Given): Promise<boolean>
  /** The error of the last run; undefined if it succeeded. */
  readonly error: unknown
  readonly isBusy: boolean
  forget(): void
}

/** What a form or a button does: one call at a time, with its error to be shown beside it. */
export function useAction<Given extends unknown[] = []>(act: (...given: Given) => Promise<void>): Action<Given> {
  const [state, setState] = useState<{ error?: unknown; isBusy: boolean }>({ isBusy: false })
  const isRunning = useRef(false)
  async function run(...given: Given): Promise<boolean> {
    if (isRunning.current) return false
    isRunning.current = true
    setState({ isBusy: true })
    try {
      await act(...given)
      setState({ isBusy: false })
      return true
    } catch (error) {
      setState({ error, isBusy: false })
      return false
    } finally {
      isRunning.current = false
    }
  }
  return { run, error: state.error, isBusy: state.isBusy, forget: () => setState({ isBusy: false }) }
}
