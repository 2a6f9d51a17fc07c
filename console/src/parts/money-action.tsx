// A form that moves money. It asks for confirmation with the amount and the name, and waits 5 seconds before it is sent, in
// which it can be taken back. Leaving the page takes it back too: nothing was sent.

import { type ReactNode, useEffect, useState } from 'react'
import { useCall } from './call.ts'
import { Confirm } from './confirm.tsx'
import { Problem } from './problem.tsx'

const SECONDS_TO_TAKE_BACK = 5

type MoneyFormProps = {
  action: () => Promise<void>
  /** What is done: "Refund", "Approve the withdrawal of". */
  verb: string
  /** With its currency. */
  amount: string
  /** Whose money it is. */
  name: string
  /** What else to know before it is confirmed. */
  text?: ReactNode
  className?: string
  /** Gets whether it is under way. */
  children: (busy: boolean) => ReactNode
}

export function MoneyForm({ action, verb, amount, name, text, className = 'panel', children }: MoneyFormProps) {
  const { busy, refusal, run } = useCall(action)
  const [confirming, setConfirming] = useState(false)
  /** null: nothing waits to be sent. */
  const [secondsLeft, setSecondsLeft] = useState<number | null>(null)
  const isUnderWay = busy || secondsLeft !== null

  useEffect(() => {
    if (secondsLeft === null) return
    const next = () => {
      setSecondsLeft(secondsLeft > 1 ? secondsLeft - 1 : null)
      if (secondsLeft === 1) run()
    }
    const timer = setTimeout(next, 1_000)
    return () => clearTimeout(timer)
  }, [secondsLeft, run])

  function confirm(): void {
    setConfirming(false)
    setSecondsLeft(SECONDS_TO_TAKE_BACK)
  }

  return (
    <>
      <form
        className={className}
        onSubmit={(event) => {
          event.preventDefault()
          if (!isUnderWay) setConfirming(true)
        }}
      >
        {children(isUnderWay)}
        {secondsLeft !== null && (
          <TakeBack what={`${verb} ${amount}`} secondsLeft={secondsLeft} onTakeBack={() => setSecondsLeft(null)} />
        )}
        {refusal && <Problem refusal={refusal} />}
      </form>
      {confirming && (
        <Confirm
          title={`${verb} ${amount} of ${name}?`}
          action={`${verb} ${amount}`}
          text={text ?? 'You can take it back for 5 seconds; then it is sent.'}
          onConfirm={confirm}
          onCancel={() => setConfirming(false)}
        />
      )}
    </>
  )
}

type TakeBackProps = { what: string; secondsLeft: number; onTakeBack: () => void }

function TakeBack({ what, secondsLeft, onTakeBack }: TakeBackProps) {
  return (
    <p className="buttons">
      <output>
        {what}: sent in {secondsLeft} {secondsLeft === 1 ? 'second' : 'seconds'}.
      </output>
      <button type="button" onClick={onTakeBack}>
        Take it back
      </button>
    </p>
  )
}
