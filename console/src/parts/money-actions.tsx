// Actions that move money: each requests a confirmation with the amount and the name, then waits some seconds, in which it can be
// taken back, before it is sent. One that was not sent when the page is left is taken back.

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { asRefusal, type Refusal } from '../api/api.ts'
import { Confirm, type Confirmation } from './confirm.tsx'
import styles from './money-actions.module.css'
import { useNotice } from './notices.tsx'
import { Problem } from './problem.tsx'
import { UNDO_MS, UndoCountdown } from './undo.tsx'

type State = 'pending' | 'sending' | { readonly refusal: Refusal }
type MoneyAction = { readonly key: string; readonly text: string; readonly state: State }

export type MoneyActions = {
  readonly list: readonly MoneyAction[]
  /** `key`: one action of a subject at a time. `text`: what it does, with amount and name. */
  start(key: string, text: string, send: () => Promise<void>): void
  undo(key: string): void
}

export function useMoneyActions(): MoneyActions {
  const notify = useNotice()
  const [list, setList] = useState<readonly MoneyAction[]>([])
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>())

  useEffect(() => {
    const open = timers.current
    return () => {
      for (const timer of open.values()) clearTimeout(timer)
      if (open.size > 0) notify('Taken back, because you left the page: nothing was sent.')
      open.clear()
    }
  }, [notify])

  const remove = (key: string) => setList((before) => before.filter((one) => one.key !== key))
  const change = (key: string, state: State) =>
    setList((before) => before.map((one) => (one.key === key ? { ...one, state } : one)))

  return {
    list,
    start(key, text, send) {
      if (timers.current.has(key)) return
      setList((before) => [...before.filter((one) => one.key !== key), { key, text, state: 'pending' }])
      const sendNow = () => {
        timers.current.delete(key)
        change(key, 'sending')
        send().then(
          () => {
            remove(key)
            notify(`${text}: sent.`)
          },
          (error) => change(key, { refusal: asRefusal(error) }),
        )
      }
      timers.current.set(key, setTimeout(sendNow, UNDO_MS))
    },
    undo(key) {
      clearTimeout(timers.current.get(key))
      timers.current.delete(key)
      remove(key)
    },
  }
}

/** What waits to be sent, and what was refused. `of`: where a page has several. */
export function MoneyTray({ actions, of }: { actions: MoneyActions; of?: string }) {
  return (
    <section className={styles.tray} aria-label={of === undefined ? 'Pending money' : `Pending money: ${of}`}>
      <ul aria-live="polite">
        {actions.list.map(({ key, text, state }) => (
          <li key={key}>
            {typeof state === 'object' ? (
              <>
                <p>
                  <strong>Not done:</strong> {text}.
                </p>
                <Problem refusal={state.refusal} />
                <button type="button" onClick={() => actions.undo(key)}>
                  Close
                </button>
              </>
            ) : (
              <>
                <p>
                  <strong>{text}.</strong>{' '}
                  <span className="quiet">
                    {state === 'pending' ? `Sends in ${UNDO_MS / 1000} seconds.` : 'Sending …'}
                  </span>
                </p>
                <button type="button" disabled={state !== 'pending'} onClick={() => actions.undo(key)}>
                  Undo
                </button>
                {state === 'pending' && <UndoCountdown />}
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

export function isPending(actions: MoneyActions, key: string): boolean {
  return actions.list.some((one) => one.key === key && typeof one.state === 'string')
}

export const SENT_LATER = 'You can take it back for 5 seconds; then it is sent.'

type MoneyProps = {
  className?: string | undefined
  disabled: boolean
  confirmation: Confirmation
  onConfirm: () => void
  children: ReactNode
}

export function MoneyButton({ className, disabled, confirmation, onConfirm, children }: MoneyProps) {
  const { confirm, dialog } = useConfirmation(confirmation, onConfirm)
  return (
    <>
      <button type="button" className={className} disabled={disabled} onClick={confirm}>
        {children}
      </button>
      {dialog}
    </>
  )
}

/** With fields, which are complete when the confirmation opens. */
export function MoneyForm({ className = 'panel', disabled, confirmation, onConfirm, children }: MoneyProps) {
  const { confirm, dialog } = useConfirmation(confirmation, onConfirm)
  return (
    <>
      <form
        className={className}
        onSubmit={(event) => {
          event.preventDefault()
          if (!disabled) confirm()
        }}
      >
        {children}
      </form>
      {dialog}
    </>
  )
}

function useConfirmation(confirmation: Confirmation, onConfirm: () => void) {
  const [confirming, setConfirming] = useState(false)
  const dialog = confirming && (
    <Confirm
      {...confirmation}
      onCancel={() => setConfirming(false)}
      onConfirm={() => {
        setConfirming(false)
        onConfirm()
      }}
    />
  )
  return { confirm: () => setConfirming(true), dialog }
}
