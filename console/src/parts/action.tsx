// A form and a button that make a call: one at a time, after a confirmation where one is given, and with the refusal
// beside them.

import { type ReactNode, useState } from 'react'
import { useCall } from './call.ts'
import { Confirm, type Confirmation } from './confirm.tsx'
import { Problem } from './problem.tsx'

type ActionProps = {
  action: () => Promise<void>
  /** undefined: runs at once. */
  confirmation?: Confirmation | undefined
  /** The confirmation is open from the beginning, for a link that leads to the action. */
  startsOpen?: boolean
}

type ActionFormProps = ActionProps & {
  className?: string
  /** Gets whether the action runs. */
  children: (busy: boolean) => ReactNode
}

export function ActionForm({ className = 'panel', children, ...action }: ActionFormProps) {
  const { busy, start, problem, dialog } = useConfirmedAction(action)
  return (
    // The dialog contains a form, and forms must not be nested.
    <>
      <form
        className={className}
        onSubmit={(event) => {
          event.preventDefault()
          start()
        }}
      >
        {children(busy)}
        {problem}
      </form>
      {dialog}
    </>
  )
}

type ActionButtonProps = ActionProps & { className?: string | undefined; label?: string; children: ReactNode }

/** `label`: its name for screen readers, where the text alone is ambiguous. */
export function ActionButton({ className, label, children, ...action }: ActionButtonProps) {
  const { busy, start, problem, dialog } = useConfirmedAction(action)
  return (
    <>
      <button type="button" className={className} aria-label={label} aria-disabled={busy} onClick={start}>
        {children}
      </button>
      {problem}
      {dialog}
    </>
  )
}

function useConfirmedAction({ action, confirmation, startsOpen = false }: ActionProps) {
  const { busy, refusal, run } = useCall(action)
  const [confirming, setConfirming] = useState(startsOpen)

  function start(): void {
    if (busy) return
    if (confirmation === undefined) run()
    else setConfirming(true)
  }

  function confirm(): void {
    setConfirming(false)
    run()
  }

  return {
    busy,
    start,
    problem: refusal && <Problem refusal={refusal} />,
    dialog: confirming && confirmation && (
      <Confirm {...confirmation} onConfirm={confirm} onCancel={() => setConfirming(false)} />
    ),
  }
}
