import { useRef, useState } from 'react'
import { asRefusal, type Refusal } from './api.ts'

export type AsyncAction = {
  busy: boolean
  refusal: Refusal | undefined
  /** Runs it unless one is running; answers whether it succeeded. */
  run(work: () => Promise<void>): Promise<boolean>
}

/** For what a form or a button does: one at a time, and its refusal is kept to be shown beside it. */
export function useAsyncAction(): AsyncAction {
  const [busy, setBusy] = useState(false)
  const isRunning = useRef(false)
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  return {
    busy,
    refusal,
    async run(work) {
      if (isRunning.current) return false
      isRunning.current = true
      setBusy(true)
      setRefusal(undefined)
      try {
        await work()
        return true
      } catch (error) {
        setRefusal(asRefusal(error))
        return false
      } finally {
        isRunning.current = false
        setBusy(false)
      }
    },
  }
}
