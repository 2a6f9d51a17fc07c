import { useRef, useState } from 'react'
import { asRefusal, type Refusal } from '../api/api.ts'

type AsyncAction = {
  busy: boolean
  refusal: Refusal | undefined
  /** Runs the work unless other work is running; resolves to whether it succeeded. */
  run(work: () => Promise<void>): Promise<boolean>
}

/** What a form or a button does: one call at a time, with its refusal to be shown beside it. */
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
